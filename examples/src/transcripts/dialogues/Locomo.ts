/**
 * Dialogues of LoCoMo: two people over many sessions, each on its date. The first speaker is taken as the user, the
 * second as the assistant.
 */
import { assistant, type Message, user } from "@palimpsest/core"
import { Result, Schema } from "effect"
import { has, isFields } from "../Fields.ts"
import { malformed, type Reader, whole } from "../Reader.ts"
import { type Transcript, type TranscriptError, transcriptOf } from "../Transcript.ts"

const Turn = Schema.Struct({
  speaker: Schema.String,
  dia_id: Schema.String,
  text: Schema.optionalKey(Schema.String),
  blip_caption: Schema.optionalKey(Schema.String),
})

const Sample = Schema.Struct({
  sample_id: Schema.optionalKey(Schema.String),
  conversation: Schema.StructWithRest(Schema.Struct({ speaker_a: Schema.String, speaker_b: Schema.String }), [
    Schema.Record(Schema.String, Schema.Unknown),
  ]),
})

const decodeSamples = Schema.decodeUnknownResult(Schema.Array(Sample))
const decodeTurns = Schema.decodeUnknownResult(Schema.Array(Turn))

type Sample = typeof Sample.Type

/** One turn as it is said, before turns of one speaker are joined. */
interface Said {
  readonly speaker: string
  readonly id: string
  readonly text: string
}

const failure = (file: string, reason: string): TranscriptError =>
  malformed(file, "a LoCoMo dialogue", reason, "Use an element of LoCoMo's data file, or a list of them.")

const textOfTurn = (turn: typeof Turn.Type): string =>
  [turn.text ?? "", turn.blip_caption === undefined ? "" : `[shared image: ${turn.blip_caption}]`]
    .filter((text) => text !== "")
    .join("\n")

/** The turns of one session; the first says the date. */
const readSession = (
  sample: Sample,
  session: string,
  file: string,
): Result.Result<ReadonlyArray<Said>, TranscriptError> =>
  decodeTurns(sample.conversation[session]).pipe(
    Result.mapError((error) => failure(file, `${session}: ${error.message}`)),
    Result.map((turns) => {
      const date = sample.conversation[`${session}_date_time`]
      const dated = typeof date === "string" ? `[${date}] ` : ""
      return turns.map((turn, i) => ({
        speaker: turn.speaker,
        id: turn.dia_id,
        text: (i === 0 ? dated : "") + textOfTurn(turn),
      }))
    }),
  )

const sessionsOf = (sample: Sample): ReadonlyArray<string> =>
  Object.keys(sample.conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))

/** Joins turns that follow each other and are of one speaker. */
const joinTurns = (turns: ReadonlyArray<Said>): ReadonlyArray<ReadonlyArray<Said>> => {
  const runs: Array<Array<Said>> = []
  for (const turn of turns) {
    const last = runs.at(-1)
    if (last?.[0]?.speaker === turn.speaker) last.push(turn)
    else runs.push([turn])
  }
  return runs
}

const readSample = (sample: Sample, file: string, name: string): Result.Result<Transcript, TranscriptError> =>
  Result.gen(function* () {
    const { speaker_a, speaker_b } = sample.conversation
    const sessions = sessionsOf(sample)
    const turns = (yield* Result.all(sessions.map((session) => readSession(sample, session, file)))).flat()
    const stranger = turns.find(({ speaker }) => speaker !== speaker_a && speaker !== speaker_b)
    if (stranger !== undefined) {
      return yield* Result.fail(
        failure(
          file,
          `the turn ${stranger.id} is of ${stranger.speaker}, who is neither of the two speakers`,
        ),
      )
    }
    const runs = joinTurns(turns)
    const said = runs.map((run) => {
      const text = run.map((turn) => turn.text).join("\n")
      const message: Message = run[0]?.speaker === speaker_a ? user(text) : assistant(text)
      return { message, origin: { ids: run.map((turn) => turn.id) } }
    })
    const notes = [`${speaker_a} as the user, ${speaker_b} as the assistant, ${sessions.length} sessions`]
    return transcriptOf("locomo", name, said, { notes })
  })

/** Reads samples: elements of LoCoMo's list. */
const readSamples = (
  samples: ReadonlyArray<unknown>,
  file: string,
): Result.Result<ReadonlyArray<Transcript>, TranscriptError> =>
  decodeSamples(samples).pipe(
    Result.mapError((error) => failure(file, error.message)),
    Result.flatMap((read) =>
      Result.all(
        read.map((sample, i) =>
          readSample(sample, file, sample.sample_id ?? (read.length === 1 ? file : `${file}#${i + 1}`)),
        ),
      ),
    ),
  )

const isSample = (json: unknown): boolean =>
  has(json, "conversation") && isFields(json.conversation) && has(json.conversation, "speaker_a")

export const locomo: Reader = {
  format: "locomo",
  fits: ({ entries }) => entries.length > 0 && entries.every(({ value }) => isSample(value)),
  read: (source) =>
    Result.flatMap(whole(source), ({ name, entries }) =>
      readSamples(
        entries.map(({ value }) => value),
        name,
      ),
    ),
}
