/**
 * Rules that a message breaks or keeps by itself.
 *
 * @since 0.1.0
 */
import type { Fields } from "../format/Fields.ts"
import { callsIn, stateIds } from "./Calls.ts"
import { strayCopies } from "./Copies.ts"
import { type Block, blocksOf, listIn, type View } from "./Wire.ts"

/** A rule that a message breaks. */
export interface ElementFault {
  readonly rule: string
  readonly detail: string
}

const of = (rule: string, detail: string): ElementFault => ({ rule, detail })

const isBlankText = ({ type, text }: Block): boolean =>
  type === "text" && typeof text === "string" && text.trim() === ""

const isReasoning = ({ type }: Block): boolean =>
  type === "thinking" || type === "redacted_thinking" || type === "reasoning"

/** Texts without anything in them, and lists with bare texts: converters pass on the first and stumble over the second. */
const contentFaults = (fields: Fields): ReadonlyArray<ElementFault> => [
  ...(blocksOf(fields).some(isBlankText) ? [of("LC7", "a blank text")] : []),
  ...(listIn(fields, "content").some((block) => typeof block === "string")
    ? [of("LC7", "a text that is no block")]
    : []),
]

const saidFaults = (fields: Fields): ReadonlyArray<ElementFault> => [
  ...contentFaults(fields),
  ...(blocksOf(fields).length === 0 ? [of("LC7", "empty content")] : []),
]

/** Whether a response has neither calls nor content but its reasoning. */
const saysNothing = (fields: Fields): boolean => {
  const { listed, invalid, raw } = callsIn(fields)
  return [...listed, ...invalid, ...raw].length === 0 && blocksOf(fields).every(isReasoning)
}

/** Whether the arguments of each call are an object, as providers want them. */
const argumentFaults = (fields: Fields): ReadonlyArray<ElementFault> => {
  const { listed, invalid, blocks, raw } = callsIn(fields)
  const isOld = listed.length + invalid.length + blocks.length === 0
  const sent = [...listed, ...blocks, ...(isOld ? raw : [])]
  return sent.every(({ isObject }) => isObject) ? [] : [of("LC7", "arguments that are no object")]
}

/** Calls for which the provider's state holds something, and which are not there any more. */
const stateFaults = (fields: Fields): ReadonlyArray<ElementFault> => {
  const { listed, invalid, blocks, raw } = callsIn(fields)
  const own = new Set([...listed, ...invalid, ...blocks, ...raw].map(({ id }) => id))
  return stateIds(fields)
    .filter((id) => !own.has(id))
    .map((id) => of("LC8", `state of the provider for the call ${id}, which is not there`))
}

const aiFaults = (fields: Fields): ReadonlyArray<ElementFault> => [
  ...strayCopies(fields).map((id) => of("LC1", `the call ${id} is not in tool_calls as it is elsewhere`)),
  ...(listIn(fields, "invalid_tool_calls").length > 0 ? [of("LC2", "calls that are not sent as calls")] : []),
  ...contentFaults(fields),
  ...(saysNothing(fields) ? [of("LC7", "a response that says nothing")] : []),
  ...argumentFaults(fields),
  ...stateFaults(fields),
]

/** The rules that a message breaks by itself. */
export const elementFaults = ({ kind, fields }: View): ReadonlyArray<ElementFault> => {
  switch (kind) {
    case "ai":
      return aiFaults(fields)
    case "human":
    case "tool":
    case "system":
      return saidFaults(fields)
    default:
      return [of("LC7", `a message of type ${kind}, which not every provider takes`)]
  }
}
