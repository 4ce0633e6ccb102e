/**
 * Checks of a delta that need no model.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import { identifiers } from "./Identifiers.ts"
import type { Delta, NewItem, Summary } from "./Item.ts"
import { oneLine } from "./ItemText.ts"
import { isFenceText, isRefusal, isToolSyntax, isTurnText, saysSomething } from "./LookAlike.ts"

/**
 * What is wrong with a delta or one of its entries.
 *
 * @category models
 * @since 0.1.0
 */
export type ViolationReason =
  | "Empty"
  | "Refusal"
  | "TooLong"
  | "UnknownSource"
  | "UnknownIdentifier"
  | "UnknownId"
  | "NotVerbatim"
  | "FenceText"
  | "ToolSyntax"
  | "TurnText"

/**
 * One thing wrong: of the whole delta, or of the entry at `index` of one of its lists.
 *
 * @category models
 * @since 0.1.0
 */
export interface Violation {
  readonly reason: ViolationReason
  readonly of: "delta" | "add" | "resolve" | "drop"
  /** Place in the list; 0 for the whole delta. */
  readonly index: number
  readonly detail: string
}

/**
 * What a delta is checked against: the request that it answers.
 *
 * @category models
 * @since 0.1.0
 */
export interface CheckContext {
  readonly previous: Summary
  readonly transcript: string
  readonly rows: ReadonlyArray<string>
  readonly counter: TokenCounter
}

/** A span of fewer tokens may hold nothing worth keeping. */
const TRIVIAL_TOKENS = 64

interface Source {
  /** Transcript, previous items and ids on one line, with digits grouped and not. */
  readonly text: string
  readonly rows: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

const ungrouped = (text: string): string => text.replace(/(\d)[,_ '’](?=\d{3}(?!\d))/g, "$1")

const sourceOf = ({ previous, transcript, rows }: CheckContext): Source => {
  const text = oneLine(
    `${transcript}\n${previous.items.map((item) => item.text).join("\n")}\n${rows.join(" ")}`,
  )
  return {
    text: `${text}\n${ungrouped(text)}`,
    rows: new Set(rows),
    ids: new Set(previous.items.map((item) => item.id)),
  }
}

const unknownIdentifier = (item: NewItem, source: Source): string | undefined =>
  identifiers(oneLine(item.text)).find((token) => !source.text.includes(token) && !source.ids.has(token))

const checkItem = (item: NewItem, source: Source): ReadonlyArray<readonly [ViolationReason, string]> => {
  const found: Array<readonly [ViolationReason, string]> = []
  const foreign = item.sources.find((id) => !source.rows.has(id))
  if (foreign !== undefined) found.push(["UnknownSource", foreign])
  if (item.sources.length === 0) found.push(["UnknownSource", "no source"])
  if (!saysSomething(item.text)) found.push(["Empty", item.text])
  if (isFenceText(item.text)) found.push(["FenceText", item.text])
  if (isToolSyntax(item.text)) found.push(["ToolSyntax", item.text])
  if (isTurnText(item.text)) found.push(["TurnText", item.text])
  const invented = unknownIdentifier(item, source)
  if (invented !== undefined) found.push(["UnknownIdentifier", invented])
  if (item.kind === "constraint" && !source.text.includes(oneLine(item.text)))
    found.push(["NotVerbatim", item.text])
  return found
}

const whole = (reason: ViolationReason, detail: string): Violation => ({
  reason,
  of: "delta",
  index: 0,
  detail,
})

const checkWhole = (delta: Delta, context: CheckContext, source: Source): ReadonlyArray<Violation> => {
  const texts = delta.add.map((item) => item.text).filter(saysSomething)
  const input = context.counter.count(context.transcript)
  const output = texts.reduce((sum, text) => sum + context.counter.count(text), 0)
  const isNothing = texts.length === 0 && delta.resolve.length === 0 && delta.drop.length === 0
  const refusals = texts.filter((text) => isRefusal(text) && !source.text.includes(oneLine(text)))
  return [
    ...(isNothing && (delta.add.length > 0 || input >= TRIVIAL_TOKENS)
      ? [whole("Empty", `nothing from ${input} tokens`)]
      : []),
    ...(texts.length > 0 && refusals.length === texts.length ? [whole("Refusal", refusals[0] ?? "")] : []),
    ...(output > input ? [whole("TooLong", `${output} tokens from ${input}`)] : []),
  ]
}

const checkReferences = (delta: Delta, source: Source): ReadonlyArray<Violation> => [
  ...delta.resolve.flatMap<Violation>((id, index) =>
    source.ids.has(id) ? [] : [{ reason: "UnknownId", of: "resolve", index, detail: id }],
  ),
  ...delta.drop.flatMap<Violation>((drop, index) =>
    source.ids.has(drop.id)
      ? source.rows.has(drop.source)
        ? []
        : [{ reason: "UnknownSource", of: "drop", index, detail: drop.source }]
      : [{ reason: "UnknownId", of: "drop", index, detail: drop.id }],
  ),
]

/**
 * Checks a delta against the request that it answers, without a model. An empty list means that it can be merged.
 *
 * **Example** (An invented path)
 *
 * ```ts
 * import { checkDelta, emptySummary } from "@palimpsest/core"
 *
 * const fact = { kind: "fact", text: "The bug is in src/lib/z.ts", sources: ["m1"] } as const
 * const counter = { name: "units", count: (text: string) => text.length }
 * const request = { previous: emptySummary, transcript: "[row m1 user] The bug is in src/a.ts", rows: ["m1"], counter }
 * const found = checkDelta({ add: [fact], resolve: [], drop: [] }, request)
 * found.map((violation) => [violation.reason, violation.detail]) // => [["UnknownIdentifier", "src/lib/z.ts"]]
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const checkDelta = (delta: Delta, context: CheckContext): ReadonlyArray<Violation> => {
  const source = sourceOf(context)
  return [
    ...checkWhole(delta, context, source),
    ...delta.add.flatMap((item, index) =>
      checkItem(item, source).map(([reason, detail]): Violation => ({ reason, of: "add", index, detail })),
    ),
    ...checkReferences(delta, source),
  ]
}

/**
 * Keeps what is right of a delta: the entries without a violation. Null when the whole delta is wrong or nothing
 * is left of it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const salvage = (delta: Delta, violations: ReadonlyArray<Violation>): Delta | null => {
  if (violations.length === 0) return delta
  if (violations.some((violation) => violation.of === "delta")) return null
  const wrong = new Set(violations.map(({ of, index }) => `${of} ${index}`))
  const left: Delta = {
    add: delta.add.filter((_, i) => !wrong.has(`add ${i}`)),
    resolve: delta.resolve.filter((_, i) => !wrong.has(`resolve ${i}`)),
    drop: delta.drop.filter((_, i) => !wrong.has(`drop ${i}`)),
  }
  return left.add.length + left.resolve.length + left.drop.length === 0 ? null : left
}
