/**
 * Counts what goes on the wire: texts, names, ids, arguments, images and overheads.
 *
 * @since 0.1.0
 */

import { canonicalJson } from "../thread/Id.ts"
import type { MediaPart, Message, Part } from "../thread/Message.ts"
import { type Accounting, imageTokens } from "./Accounting.ts"
import type { TokenCounter } from "./TokenCounter.ts"

/**
 * A tool as it is offered to the model: `parameters` is a JSON Schema.
 *
 * @category models
 * @since 0.1.0
 */
export interface Tool {
  readonly name: string
  readonly description?: string
  readonly parameters: unknown
}

/**
 * How messages are counted: by which counter, with which overheads.
 *
 * @category models
 * @since 0.1.0
 */
export interface Counting {
  readonly counter: TokenCounter
  readonly accounting: Accounting
}

/**
 * Counts the tokens of a text.
 *
 * @category counting
 * @since 0.1.0
 */
export const countText = (text: string, counter: TokenCounter): number =>
  text === "" ? 0 : counter.count(text)

/** Media are priced by rule: the length of their encoding counts only where the rule says so. */
const countMedia = (media: MediaPart, counter: TokenCounter, accounting: Accounting): number =>
  countText(media.name ?? "", counter) +
  (media.mediaType.startsWith("image/") ? imageTokens(media, accounting.image) : accounting.perFile)

/**
 * Counts the tokens of one part of a message, its own overhead included. A tool result carries the overhead of a
 * message, since providers send each as one.
 *
 * @category counting
 * @since 0.1.0
 */
export const countPart = (part: Part, counter: TokenCounter, accounting: Accounting): number => {
  const text = (value: string): number => countText(value, counter)
  switch (part.type) {
    case "text":
    case "reasoning":
      return text(part.text)
    case "media":
      return countMedia(part, counter, accounting)
    case "tool-call":
      return accounting.perCall + text(part.id) + text(part.name) + text(part.arguments)
    case "tool-result":
      return part.content.reduce(
        (sum, item) => sum + countPart(item, counter, accounting),
        accounting.perMessage + text("tool") + text(part.call) + text(part.name ?? ""),
      )
    case "approval":
      return accounting.perMessage + text(part.call) + text(part.id ?? "") + text(part.reason ?? "")
    case "opaque":
      return text(part.json)
  }
}

/** What a message costs without its parts. A tool message costs nothing but its results. */
const envelope = (message: Message, counter: TokenCounter, accounting: Accounting): number => {
  if (message.role === "tool") return 0
  const name = message.name === undefined ? 0 : accounting.perName + countText(message.name, counter)
  return accounting.perMessage + countText(message.role, counter) + name
}

/**
 * Counts the tokens of a message: the sum over its parts, and its overhead.
 *
 * **Example** (Calls count, a null text or not)
 *
 * ```ts
 * import { assistant, countMessage, defaultAccounting, estimateCounter } from "@palimpsest/core"
 *
 * const call = assistant("", [{ id: "c1", name: "write", arguments: JSON.stringify({ text: "a b ".repeat(100) }) }])
 * countMessage(call, estimateCounter, defaultAccounting) > 100 // => true
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const countMessage = (message: Message, counter: TokenCounter, accounting: Accounting): number =>
  message.parts.reduce(
    (sum: number, part: Part) => sum + countPart(part, counter, accounting),
    envelope(message, counter, accounting),
  )

/**
 * Counts the tokens of the system prompt as a message; 0 for none.
 *
 * @category counting
 * @since 0.1.0
 */
export const countSystem = (system: string, counter: TokenCounter, accounting: Accounting): number =>
  system === "" ? 0 : accounting.perMessage + countText("system", counter) + countText(system, counter)

/**
 * Counts the tokens of the tools that are offered: names, descriptions and schemas. They are no part of the history,
 * but they share the window with it.
 *
 * @category counting
 * @since 0.1.0
 */
export const countTools = (
  tools: ReadonlyArray<Tool>,
  counter: TokenCounter,
  accounting: Accounting,
): number =>
  tools.reduce(
    (sum, tool) =>
      sum +
      accounting.perTool +
      countText(tool.name, counter) +
      countText(tool.description ?? "", counter) +
      countText(canonicalJson(tool.parameters), counter),
    0,
  )
