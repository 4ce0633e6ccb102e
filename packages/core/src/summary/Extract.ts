/**
 * The deterministic summariser: no model, any language, pieces of the rows as they are.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import { isRealUser } from "../thread/Message.ts"
import type { MessageRow } from "../thread/Row.ts"
import { artifactsOf, type Found } from "./Artifacts.ts"
import type { Delta, ItemKind, Summary } from "./Item.ts"
import { clip, itemText, MAX_CONSTRAINT_UNITS, oneLine, redactedLine } from "./ItemText.ts"
import { isFenceText, isToolSyntax, isTurnText, saysSomething } from "./LookAlike.ts"
import { redact } from "./Redact.ts"
import { itemTokens } from "./Render.ts"
import { readRow } from "./RowText.ts"
import type { Redact } from "./SafeRedact.ts"
import { type Scored, type Sentence, score } from "./Salience.ts"
import { sentences } from "./Sentences.ts"
import { isDecision, isRule } from "./Wording.ts"

/**
 * What an extraction may use.
 *
 * @category models
 * @since 0.1.0
 */
export interface ExtractOptions {
  readonly previous: Summary
  /** Upper bound of the items, as rendered, tokens. */
  readonly maxTokens: number
  readonly counter: TokenCounter
  /** Sentences with its words come first. */
  readonly focus?: string
  /** Takes secrets out of each text; `redact` by default. */
  readonly redact?: Redact
}

/** A request longer than this is shortened at its end, UTF-16 units: its row can be recalled. */
const REQUEST_UNITS = 300

/** Rules of one message: more of them are a document that was pasted. */
const RULES_PER_ROW = 12

/** Shares of the room, in hundredths. What one leaves, the next may use. */
const SHARES: ReadonlyArray<readonly [ItemKind, number]> = [
  ["task", 100],
  ["constraint", 50],
  ["pending", 50],
  ["decision", 30],
  ["fact", 60],
  ["artifact", 50],
  ["resolved", 100],
]

interface Utterance {
  readonly row: number
  readonly id: string
  readonly text: string
  readonly parts: ReadonlyArray<string>
}

const isSound = (text: string): boolean =>
  saysSomething(text) && !isFenceText(text) && !isToolSyntax(text) && !isTurnText(text)

const utterancesOf = (rows: ReadonlyArray<MessageRow>, clean: Redact): ReadonlyArray<Utterance> =>
  rows.flatMap((row, at) => {
    if (!isRealUser(row.message)) return []
    const text = readRow(row, clean)
      .map((reading) => reading.body)
      .join("\n")
    return saysSomething(oneLine(text.slice(0, 2000)))
      ? [
          {
            row: at,
            id: row.id,
            text,
            parts: sentences(text)
              .map((part) => redactedLine(part, clean))
              .filter(isSound),
          },
        ]
      : []
  })

const rulesOf = (users: ReadonlyArray<Utterance>): ReadonlyArray<Found> =>
  users.flatMap(({ row, id, parts }) =>
    parts
      .filter((text) => text.length <= MAX_CONSTRAINT_UNITS && isRule(text))
      .slice(0, RULES_PER_ROW)
      .map((text) => ({ row, item: { kind: "constraint", text, sources: [id] } })),
  )

/** The newest request is the task; one before it is done when an answer came after it. */
const requestsOf = (
  rows: ReadonlyArray<MessageRow>,
  users: ReadonlyArray<Utterance>,
): ReadonlyArray<Found> => {
  const lastAnswer = rows.findLastIndex((row) => row.message.role === "assistant")
  return users.flatMap(({ row, id, text, parts }, i) => {
    const isNewest = i === users.length - 1
    if (!isNewest && parts.every(isRule)) return []
    const kind = isNewest ? "task" : row < lastAnswer ? "resolved" : "pending"
    return [
      {
        row,
        item: { kind, text: clip(oneLine(text.slice(0, 4 * REQUEST_UNITS)), REQUEST_UNITS), sources: [id] },
      },
    ]
  })
}

/** A response without calls answers the request before it: what came of the work is said there. */
const isAnswer = (row: MessageRow): boolean =>
  row.message.role === "assistant" && row.message.parts.every((part) => part.type !== "tool-call")

const bonusOf = (row: MessageRow, isError: boolean): number =>
  isError ? 4 : isAnswer(row) ? 8 : row.message.role === "assistant" ? 2 : 0

const sentencesOf = (rows: ReadonlyArray<MessageRow>, clean: Redact): ReadonlyArray<Sentence> =>
  rows.flatMap((row, at) =>
    readRow(row, clean).flatMap(({ part, body }) => {
      if (part.type !== "text" && part.type !== "tool-result") return []
      const bonus = bonusOf(row, part.type === "tool-result" && part.status === "error")
      return sentences(body).map((text) => ({ text: itemText(text, clean), row: at, bonus }))
    }),
  )

const isNews = (taken: ReadonlySet<string>) => {
  const seen = new Set(taken)
  return ({ text }: Sentence): boolean => {
    if (seen.has(text) || !isSound(text)) return false
    seen.add(text)
    return true
  }
}

const byScore = (a: Scored, b: Scored): number => b.score - a.score || b.row - a.row

/** Decisions and facts, best first. Each sentence once, and none that is there as something else. */
const notesOf = (
  rows: ReadonlyArray<MessageRow>,
  taken: ReadonlySet<string>,
  { focus = "", redact: clean = redact }: ExtractOptions,
): ReadonlyArray<Found> =>
  score(sentencesOf(rows, clean).filter(isNews(taken)), focus)
    .filter((sentence) => sentence.score > 2)
    .sort(byScore)
    .map(({ text, row }) => {
      const source = rows[row]
      const kind = source?.message.role === "assistant" && isDecision(text) ? "decision" : "fact"
      return { row, item: { kind, text, sources: source === undefined ? [] : [source.id] } }
    })

/** Fills each kind's share, in the order given, and returns what fits in the order of the rows. */
const withinRoom = (
  found: ReadonlyArray<Found>,
  { maxTokens, counter }: ExtractOptions,
): ReadonlyArray<Found> => {
  const chosen: Array<Found> = []
  let left = maxTokens
  for (const [kind, share] of SHARES) {
    let room = Math.floor((left * share) / 100)
    for (const one of found) {
      if (one.item.kind !== kind) continue
      const cost = itemTokens({ id: "00000000", ...one.item }, counter)
      if (cost > room) continue
      chosen.push(one)
      room -= cost
      left -= cost
    }
  }
  return chosen.sort((a, b) => a.row - b.row)
}

/**
 * Makes a delta out of rows without a model: the newest request of the user as task, earlier ones as resolved or
 * pending, sentences that set a rule as constraints, what tools were called with as artifacts, and the sentences
 * with the most exact strings and rare words as decisions and facts.
 *
 * Every text is a piece of its source row, on one line and without secrets; artifacts are pieces put together. The
 * time is linear in the rows, and of a long text only its head and tail are read.
 *
 * **Example** (A rule of the user)
 *
 * ```ts
 * import { emptySummary, extractDelta, user } from "@palimpsest/core"
 *
 * const message = user("Fix the login. Never touch the prod database.")
 * const row = { kind: "message", id: "m1", position: 1, message, tokens: 12, tokenizer: "x" } as const
 * const counter = { name: "units", count: (text: string) => text.length }
 * const delta = extractDelta([row], { previous: emptySummary, maxTokens: 1000, counter })
 * delta.add.find((item) => item.kind === "constraint")?.text // => "Never touch the prod database."
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const extractDelta = (rows: ReadonlyArray<MessageRow>, options: ExtractOptions): Delta => {
  const { redact: clean = redact } = options
  const users = utterancesOf(rows, clean)
  const requests = requestsOf(rows, users)
  const rules = rulesOf(users)
  const taken = [
    ...options.previous.items,
    ...requests.map(({ item }) => item),
    ...rules.map(({ item }) => item),
  ]
  const notes = notesOf(rows, new Set(taken.map((item) => item.text)), options)
  const newestFirst = [...requests, ...rules, ...artifactsOf(rows, clean)].sort((a, b) => b.row - a.row)
  const isAnswered = users.length > 0 && rows.some((row) => row.message.role === "assistant")
  return {
    add: withinRoom([...newestFirst, ...notes], options).map(({ item }) => item),
    resolve: isAnswered
      ? options.previous.items.flatMap((item) => (item.kind === "task" ? [item.id] : []))
      : [],
    drop: [],
  }
}
