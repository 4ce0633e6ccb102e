/**
 * The window: the live part of a thread in the form in which it is sent, counted.
 *
 * @since 0.1.0
 */
import type { Counting } from "../count/Count.ts"
import { countMessage, countSystem } from "../count/Count.ts"
import { countingName } from "../count/CountingName.ts"
import type { Message } from "./Message.ts"
import { applyPatches } from "./Patch.ts"
import type { Cut, Failure, MessageRow, PruneRow, RecallRow, Reduction } from "./Row.ts"
import type { Thread } from "./Thread.ts"

/**
 * Where a row stands in the prompt: before the summary, after it though covered, or live.
 *
 * @category models
 * @since 0.1.0
 */
export type Place = "head" | "carried" | "live"

/**
 * A message row as it is sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Entry {
  readonly row: MessageRow
  readonly message: Message
  /** Tokens of `message`, by the counter of the window. */
  readonly tokens: number
  /** Tokens of the row as first sent: a cut undoes the prunes of the rows that it keeps. */
  readonly fresh: number
  readonly form: "verbatim" | "reduced"
  readonly place: Place
}

/**
 * A recall block and the row that it stands before; null for one that waits for its user message.
 *
 * @category models
 * @since 0.1.0
 */
export interface RecallEntry {
  readonly row: RecallRow
  readonly before: string | null
  readonly tokens: number
}

/**
 * A window. Its entries are in prompt order: head, carried, live.
 *
 * @category models
 * @since 0.1.0
 */
export interface Window {
  readonly system: string
  /** Tokens of the system prompt with its overhead, priming included. */
  readonly systemTokens: number
  readonly cut: Cut | null
  /** Tokens of the summary's fence with its overhead; 0 without one. */
  readonly summaryTokens: number
  readonly entries: ReadonlyArray<Entry>
  readonly recalls: ReadonlyArray<RecallEntry>
  readonly prunes: ReadonlyArray<PruneRow>
  readonly failures: ReadonlyArray<Failure>
}

/**
 * The message by which a text of this library enters the prompt: a user's role, and synthetic.
 *
 * @category constructors
 * @since 0.1.0
 */
export const libraryMessage = (text: string): Message => ({
  role: "user",
  synthetic: true,
  parts: [{ type: "text", text }],
})

const reductionsOf = (prunes: ReadonlyArray<PruneRow>): ReadonlyMap<string, [Reduction, string]> =>
  new Map(prunes.flatMap((prune) => prune.reductions.map((r) => [r.row, [r, prune.tokenizer]] as const)))

/** A way of counting, with the name under which its counts are stored. */
interface Named extends Counting {
  readonly name: string
}

const sent = (
  row: MessageRow,
  place: Place,
  reduction: [Reduction, string] | undefined,
  { name, counter, accounting }: Named,
): Entry => {
  const capped = row.cap ?? []
  const patches = reduction?.[0].patches ?? capped
  const message = applyPatches(row.message, patches)
  const counted = (m: Message, tokens: number, tokenizer: string) =>
    tokenizer === name ? tokens : countMessage(m, counter, accounting)
  const fresh = counted(applyPatches(row.message, capped), row.tokens, row.tokenizer)
  const tokens = reduction === undefined ? fresh : counted(message, reduction[0].tokens, reduction[1])
  return { row, message, tokens, fresh, form: patches.length === 0 ? "verbatim" : "reduced", place }
}

const libraryTokens = (
  row: { readonly text: string; readonly tokens: number; readonly tokenizer: string },
  { name, counter, accounting }: Named,
): number =>
  row.tokenizer === name ? row.tokens : countMessage(libraryMessage(row.text), counter, accounting)

/** The newest revision at each anchor. */
const newest = (recalls: ReadonlyArray<RecallRow>): ReadonlyArray<RecallRow> => [
  ...new Map(recalls.map((row) => [row.anchor, row] as const)).values(),
]

/**
 * Sends some rows of a window reduced, by reductions that its own counter counted.
 *
 * @category combinators
 * @since 0.1.0
 */
export const reduceWindow = (window: Window, reductions: ReadonlyArray<Reduction>): Window => {
  const of = new Map(reductions.map((reduction) => [reduction.row, reduction] as const))
  const reduced = (entry: Entry): Entry => {
    const reduction = of.get(entry.row.id)
    if (reduction === undefined) return entry
    const message = applyPatches(entry.row.message, reduction.patches)
    return { ...entry, message, tokens: reduction.tokens, form: "reduced" }
  }
  return { ...window, entries: window.entries.map(reduced) }
}

/**
 * Opens the window of a thread: applies the stored reductions and counts what has no count by this counter.
 *
 * **Gotchas**
 *
 * Rows that were counted in another way (`countingName`) are counted again here, each time: after a switch of models
 * the first steps are slower.
 *
 * @category constructors
 * @since 0.1.0
 */
export const openWindow = (thread: Thread, { counter, accounting }: Counting): Window => {
  const counting: Named = { counter, accounting, name: countingName({ counter, accounting }) }
  const { cut } = thread
  const prunes = thread.rows.filter((row) => row.kind === "prune")
  const reductions = reductionsOf(prunes)
  const live = thread.rows.filter((row) => row.kind === "message")
  const head = new Set(cut?.kind === "summary" ? cut.head : [])
  const entry = (row: MessageRow, place: Place) => sent(row, place, reductions.get(row.id), counting)
  const kept = thread.kept.map((row) => entry(row, head.has(row.id) ? "head" : "carried"))
  return {
    system: thread.system,
    systemTokens: accounting.priming + countSystem(thread.system, counter, accounting),
    cut,
    summaryTokens: cut?.kind === "summary" ? libraryTokens(cut, counting) : 0,
    entries: [
      ...kept.filter((e) => e.place === "head"),
      ...kept.filter((e) => e.place === "carried"),
      ...live.map((row) => entry(row, "live")),
    ],
    recalls: newest(thread.rows.filter((row) => row.kind === "recall")).map((row) => ({
      row,
      before: live.find((message) => message.position > row.position)?.id ?? null,
      tokens: libraryTokens(row, counting),
    })),
    prunes,
    failures: thread.failures,
  }
}
