/**
 * Results that are too big by themselves: sent as a head and a tail from the start.
 *
 * @since 0.1.0
 */
import type { Accounting } from "../count/Accounting.ts"
import { countPart, countText } from "../count/Count.ts"
import type { TokenCounter } from "../count/TokenCounter.ts"
import { shorten, wellFormed } from "../text/Unicode.ts"
import type { TextPart, ToolResultPart } from "../thread/Message.ts"
import type { MessageRow, Patch } from "../thread/Row.ts"
import { placeholder } from "./Images.ts"
import { recallHint } from "./StubRule.ts"

/**
 * How results are measured and where they are capped.
 *
 * @category models
 * @since 0.1.0
 */
export interface CapOptions {
  /** Tokens of one result's content at most. */
  readonly maxTokens: number
  readonly counter: TokenCounter
  readonly accounting: Accounting
}

const marker =
  (row: string) =>
  (omitted: number): string =>
    `\n[... ${omitted} characters left out; ${recallHint(row)} gives the full text ...]\n`

/** Attempts at a size that fits: each brings the text nearer by the ratio that it missed by. */
const ATTEMPTS = 12

/** The head and tail of a text that counts more than `max`. */
const fit = (row: string, text: string, max: number, counter: TokenCounter): string => {
  const least = marker(row)(text.length).trim()
  let units = text.length
  let tokens = countText(text, counter)
  for (let i = 0; i < ATTEMPTS && units > least.length; i++) {
    units = Math.floor(units * Math.min(0.98, (max / tokens) * 0.99))
    const short = shorten(text, units, marker(row))
    tokens = countText(short, counter)
    if (tokens <= max && short.length > least.length) return short
  }
  return least.length < text.length ? least : text
}

/**
 * Shortens a text to at most `max` tokens: its head and tail, with a marker between them that says what is left out
 * and how to recall it. Where not even the marker fits, the marker alone is left.
 *
 * **Example** (A log)
 *
 * ```ts
 * import { headAndTail } from "@palimpsest/core"
 *
 * const quarter = { name: "quarter", count: (text: string) => Math.ceil(text.length / 4) }
 * const short = headAndTail("m2", "x".repeat(9000), 100, quarter)
 * quarter.count(short) <= 100 // => true
 * short.includes('recall("m2")') // => true
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const headAndTail = (row: string, text: string, max: number, counter: TokenCounter): string =>
  wellFormed(countText(text, counter) <= max ? text : fit(row, text, max, counter))

type Content = ToolResultPart["content"][number]

const isText = (item: Content): item is TextPart => item.type === "text"

const placeholderOf = (row: string, item: Exclude<Content, TextPart>): string =>
  item.type === "media" ? placeholder(row, item) : `[a part of ${item.format}; ${recallHint(row)}]`

/** Each text of a mixed content shortened to its share of what the images leave; null when they leave too little. */
const capBesideMedia = (
  row: string,
  part: number,
  content: ToolResultPart["content"],
  { maxTokens, counter, accounting }: CapOptions,
): ReadonlyArray<Patch> | null => {
  const texts = content.filter(isText)
  const media = content.reduce(
    (sum, item) => sum + (isText(item) ? 0 : countPart(item, counter, accounting)),
    0,
  )
  const share = Math.floor((maxTokens - media) / Math.max(1, texts.length))
  if (texts.length === 0 || share * 4 < maxTokens / texts.length) return null
  return content.flatMap((item, i) => {
    if (!isText(item) || countText(item.text, counter) <= share) return []
    return [{ part, item: i, text: headAndTail(row, item.text, share, counter) }]
  })
}

/**
 * The patches that bring the content of one result down to its cap; none when it is below.
 *
 * @category combinators
 * @since 0.1.0
 */
export const capResult = (
  row: string,
  part: number,
  result: ToolResultPart,
  options: CapOptions,
): ReadonlyArray<Patch> => {
  const { counter, accounting, maxTokens } = options
  const { content } = result
  const tokens = content.reduce((sum, item) => sum + countPart(item, counter, accounting), 0)
  if (tokens <= maxTokens) return []
  const beside = content.every(isText) ? null : capBesideMedia(row, part, content, options)
  if (beside !== null) return beside
  const whole = content.map((item) => (isText(item) ? item.text : placeholderOf(row, item))).join("\n")
  const text = headAndTail(row, whole, maxTokens, counter)
  return countText(text, counter) < tokens ? [{ part, text }] : []
}

/**
 * Shortens each tool result of a message that is above the cap, whatever the size of the rest: its head and its tail
 * are sent, and a marker that says how to recall the whole. Nothing is cached yet when a row comes in, so it costs
 * nothing. Empty when no result is too big.
 *
 * **Example** (A page of a megabyte)
 *
 * ```ts
 * import { capAtIngest, defaultAccounting, estimateCounter, toolResult } from "@palimpsest/core"
 *
 * const message = toolResult("c1", "word ".repeat(200_000))
 * const options = { maxTokens: 1000, counter: estimateCounter, accounting: defaultAccounting }
 * capAtIngest({ id: "m2", message }, options).length // => 1
 * capAtIngest({ id: "m3", message: toolResult("c2", "short") }, options) // => []
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const capAtIngest = (
  row: Pick<MessageRow, "id" | "message">,
  options: CapOptions,
): ReadonlyArray<Patch> =>
  row.message.parts.flatMap((part, i) =>
    part.type === "tool-result" ? capResult(row.id, i, part, options) : [],
  )
