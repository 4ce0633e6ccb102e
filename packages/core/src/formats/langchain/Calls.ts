/**
 * The calls of a response, in all the places where LangChain's messages repeat them.
 *
 * @since 0.1.0
 */
import { argumentsText } from "../format/Arguments.ts"
import { readExact } from "../format/ExactJson.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { type Block, blocksOf, fieldsIn, listIn, textIn } from "./Wire.ts"

/** A call as one place says it: its arguments as a value, as JSON text, or not at all. */
export interface Call {
  readonly id: string
  readonly name: string
  readonly args: { readonly value: unknown } | { readonly text: string } | null
}

/** The places where a message says its calls. */
export interface Calls {
  /** `tool_calls`: what converters send. */
  readonly listed: ReadonlyArray<Call>
  /** `invalid_tool_calls`: those whose arguments could not be parsed. */
  readonly invalid: ReadonlyArray<Call>
  /** Blocks of the content: `tool_use` and `tool_call`. */
  readonly blocks: ReadonlyArray<Call>
  /** `additional_kwargs.tool_calls`: as Chat Completions sent them. */
  readonly raw: ReadonlyArray<Call>
}

/** Where Gemini's signatures and the item ids of OpenAI's Responses are kept, by the id of the call. */
export const SIGNATURES = "__gemini_function_call_thought_signatures__"
export const BY_CALL: ReadonlyArray<string> = [
  SIGNATURES,
  "__openai_function_call_ids__",
  "__openai_custom_tool_call_ids__",
]

/** The text of the arguments; empty where a place says none. */
export const textOfArguments = ({ args }: Call): string => {
  if (args === null) return ""
  return "text" in args ? args.text : argumentsText(args.value)
}

/** Whether the arguments are a JSON object, as converters and providers want them; true where a place says none. */
export const hasObject = ({ args }: Call): boolean =>
  args === null || isFields("text" in args ? readExact(args.text) : args.value)

const ofFunction = (entry: Fields): Call => {
  const own = fieldsIn(entry, "function")
  return { id: textIn(entry, "id"), name: textIn(own, "name"), args: { text: textIn(own, "arguments") } }
}

const ofValue = (entry: Fields, value: unknown): Call => ({
  id: textIn(entry, "id"),
  name: textIn(entry, "name"),
  args: { value },
})

const listedCall = (entry: Fields): Call =>
  isFields(entry.function) ? ofFunction(entry) : ofValue(entry, entry.args)

const invalidCall = (entry: Fields): Call => ({
  id: textIn(entry, "id"),
  name: textIn(entry, "name"),
  args: { text: textIn(entry, "args") },
})

/** Whether a block is a call of a tool that the host runs. */
export const isCallBlock = ({ type }: Block): boolean => type === "tool_use" || type === "tool_call"

/** The call of a block. A response that was streamed leaves a text there, which is not yet what was said. */
export const blockCall = (block: Block): Call => {
  const value = block.type === "tool_use" ? block.input : block.args
  const call = ofValue(block, value)
  return typeof value === "string" ? { ...call, args: null } : call
}

/** The calls of a response, place by place. */
export const callsIn = (fields: Fields): Calls => {
  const kwargs = fieldsIn(fields, "additional_kwargs")
  return {
    listed: listIn(fields, "tool_calls").filter(isFields).map(listedCall),
    invalid: listIn(fields, "invalid_tool_calls").filter(isFields).map(invalidCall),
    blocks: blocksOf(fields).filter(isCallBlock).map(blockCall),
    raw: listIn(kwargs, "tool_calls").filter(isFields).map(ofFunction),
  }
}

/** The ids of the calls that the provider's own output names. */
const outputIds = (fields: Fields): ReadonlyArray<string> =>
  listIn(fieldsIn(fields, "response_metadata"), "output")
    .filter(isFields)
    .filter(({ type }) => type === "function_call" || type === "custom_tool_call")
    .map((item) => textIn(item, "call_id"))

/** Ids of calls for which the provider's state of a message holds something. */
export const stateIds = (fields: Fields): ReadonlyArray<string> => {
  const kwargs = fieldsIn(fields, "additional_kwargs")
  return [...BY_CALL.flatMap((key) => Object.keys(fieldsIn(kwargs, key))), ...outputIds(fields)]
}
