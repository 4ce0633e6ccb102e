/**
 * Rules that a message breaks or keeps by itself.
 *
 * @since 0.1.0
 */
import type { Fields } from "../format/Fields.ts"
import { callsIn, hasObject, stateIds } from "./Calls.ts"
import { isOld, strayCopies } from "./Copies.ts"
import { type Block, blocksOf, listIn, type View } from "./Wire.ts"

const isBlankText = ({ type, text }: Block): boolean =>
  type === "text" && typeof text === "string" && text.trim() === ""

const isReasoning = ({ type }: Block): boolean =>
  type === "thinking" || type === "redacted_thinking" || type === "reasoning"

/** Blank texts, and lists with bare texts: converters pass on the first and stumble over the second. */
const contentFaults = (fields: Fields): ReadonlyArray<string> => [
  ...(blocksOf(fields).some(isBlankText) ? ["a blank text"] : []),
  ...(listIn(fields, "content").some((block) => typeof block === "string")
    ? ["a text that is no block"]
    : []),
]

const saidFaults = (fields: Fields): ReadonlyArray<string> => [
  ...contentFaults(fields),
  ...(blocksOf(fields).length === 0 ? ["empty content"] : []),
]

const responseFaults = (fields: Fields): ReadonlyArray<string> => {
  const { listed, invalid, blocks, raw } = callsIn(fields)
  const isSilent = listed.length + invalid.length + raw.length === 0 && blocksOf(fields).every(isReasoning)
  const sent = [...listed, ...blocks, ...(isOld(fields) ? raw : [])]
  return [
    ...contentFaults(fields),
    ...(isSilent ? ["a response that says nothing"] : []),
    ...(sent.every(hasObject) ? [] : ["arguments that are no object"]),
  ]
}

/** What the converters of some provider cannot send. */
const unsendable = ({ kind, fields }: View): ReadonlyArray<string> => {
  switch (kind) {
    case "ai":
      return responseFaults(fields)
    case "human":
    case "tool":
    case "system":
      return saidFaults(fields)
    default:
      return [`a message of type ${kind}, which not every provider takes`]
  }
}

const copyFaults = ({ kind, fields }: View): ReadonlyArray<string> =>
  kind === "ai"
    ? strayCopies(fields).map((id) => `the call ${id} is not in tool_calls as it is elsewhere`)
    : []

const invalidFaults = ({ kind, fields }: View): ReadonlyArray<string> =>
  kind === "ai" && listIn(fields, "invalid_tool_calls").length > 0 ? ["calls that are not sent as calls"] : []

/** Calls for which the provider's state holds something, and which are not there any more. */
const stateFaults = ({ kind, fields }: View): ReadonlyArray<string> => {
  const ids = kind === "ai" ? stateIds(fields) : []
  if (ids.length === 0) return []
  const { listed, invalid, blocks, raw } = callsIn(fields)
  const own = new Set([...listed, ...invalid, ...blocks, ...raw].map(({ id }) => id))
  return ids
    .filter((id) => !own.has(id))
    .map((id) => `state of the provider for the call ${id}, which is not there`)
}

/** The rules of single messages: what each says of one. */
export const ELEMENT_RULES: ReadonlyArray<{
  readonly id: string
  readonly faults: (view: View) => ReadonlyArray<string>
}> = [
  { id: "LC1", faults: copyFaults },
  { id: "LC2", faults: invalidFaults },
  { id: "LC7", faults: unsendable },
  { id: "LC8", faults: stateFaults },
]
