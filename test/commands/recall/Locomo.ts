/** Recorded dialogues with questions and the turns that answer them (LoCoMo, Maharana et al., ACL 2024), when they are at hand. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Schema } from "effect"
import { projectRoot } from "../Root.ts"

/** A turn of a dialogue. */
export interface Turn {
  readonly id: string
  readonly speaker: string
  readonly isFirst: boolean
  readonly text: string
  readonly at: number
}

/** A question, and the ids of all turns that its answer rests on. */
export interface Question {
  readonly question: string
  readonly evidence: ReadonlyArray<string>
}

/** A dialogue of many sessions. */
export interface Dialogue {
  readonly name: string
  readonly turns: ReadonlyArray<Turn>
  readonly questions: ReadonlyArray<Question>
}

/** Where the recordings lie, beside the project: no part of it, for their licence forbids that. */
const FOLDER = join(projectRoot, "..", "shared", "transcripts", "locomo-cc-by-nc")

const TurnRecord = Schema.Struct({
  speaker: Schema.String,
  dia_id: Schema.String,
  text: Schema.String,
  blip_caption: Schema.optionalKey(Schema.String),
})

const QuestionRecord = Schema.Struct({
  question: Schema.String,
  category: Schema.Finite,
  evidence: Schema.optionalKey(Schema.Array(Schema.String)),
})

const decodeFile = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      qa: Schema.Array(QuestionRecord),
      conversation: Schema.Record(Schema.String, Schema.Unknown),
    }),
  ),
)
const decodeTurns = Schema.decodeUnknownSync(Schema.Array(TurnRecord))
const decodeText = Schema.decodeUnknownSync(Schema.String)

/** Questions that the dialogue does not answer. */
const ADVERSARIAL = 5

const MONTHS = [
  ...["january", "february", "march", "april", "may", "june", "july"],
  ...["august", "september", "october", "november", "december"],
]

/** Such as "1:56 pm on 8 May, 2023". */
const timeOf = (text: string): number => {
  const found = /(\d+):(\d+)\s*([ap])m on (\d+) (\w+),? (\d{4})/i.exec(text)
  const [, hour, minute, half, day, month, year] = found ?? []
  const twelve = (Number(hour) % 12) + (half?.toLowerCase() === "p" ? 12 : 0)
  return Date.UTC(
    Number(year),
    MONTHS.indexOf(month?.toLowerCase() ?? ""),
    Number(day),
    twelve,
    Number(minute),
  )
}

/** Minutes between two turns of a session, of which only the beginning is recorded. */
const PACE = 60_000

const turnsOf = (conversation: Readonly<Record<string, unknown>>): ReadonlyArray<Turn> => {
  const first = decodeText(conversation.speaker_a)
  const turns: Array<Turn> = []
  for (let session = 1; conversation[`session_${session}_date_time`] !== undefined; session++) {
    const began = timeOf(decodeText(conversation[`session_${session}_date_time`]))
    for (const [i, turn] of decodeTurns(conversation[`session_${session}`] ?? []).entries()) {
      const picture = turn.blip_caption === undefined ? "" : ` [picture: ${turn.blip_caption}]`
      const { speaker, dia_id: id } = turn
      turns.push({
        id,
        speaker,
        isFirst: speaker === first,
        text: `${turn.text}${picture}`,
        at: began + i * PACE,
      })
    }
  }
  return turns
}

/** Ids as the dialogue writes them: some evidence joins several, or writes one otherwise. */
const idsOf = (evidence: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    evidence
      .flatMap((one) => one.split(/[;\s,]+/))
      .filter((one) => one !== "")
      .map((one) => one.replace(/^D:/, "D").replace(/:0+(\d)/, ":$1")),
  ),
]

/** Reads the dialogues; none when they are not there. Questions without evidence that can be found are left out. */
export const dialogues = (): ReadonlyArray<Dialogue> =>
  existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((name) => name.endsWith(".json"))
        .toSorted()
        .map((name) => {
          const { qa, conversation } = decodeFile(readFileSync(join(FOLDER, name), "utf8"))
          const turns = turnsOf(conversation)
          const known = new Set(turns.map(({ id }) => id))
          const questions = qa
            .filter(({ category }) => category !== ADVERSARIAL)
            .map(({ question, evidence = [] }) => ({ question, evidence: idsOf(evidence) }))
            .filter(({ evidence }) => evidence.length > 0 && evidence.every((id) => known.has(id)))
          return { name: name.replace(/\.json$/, ""), turns, questions }
        })
    : []
