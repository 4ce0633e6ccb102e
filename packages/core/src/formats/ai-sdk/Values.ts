/**
 * Values of calls and results: what JSON lost, and input that is no object, which providers refuse. VA8.
 *
 * @since 0.1.0
 */
import { argumentsObject } from "../format/Arguments.ts"
import { isFields } from "../format/Fields.ts"
import { argumentsIn } from "./Read.ts"
import { type AiSdkMessage, type AiSdkPart, fieldsIn, isClientCall, partsOf } from "./Wire.ts"

const isJson = ({ type }: { readonly type?: unknown }): boolean => type === "json" || type === "error-json"

/** An input as an object: no value is no arguments, and a text of JSON is what it says. */
export const objectOf = (input: unknown): unknown =>
  input === undefined || input === null ? {} : argumentsObject(argumentsIn(input)).value

/** A part with the value that it lacks; the part itself where it lacks none. */
const withValue = (part: AiSdkPart): AiSdkPart => {
  if (part.type === "tool-call") {
    const isSound = isClientCall(part) ? isFields(part.input) : "input" in part
    return isSound ? part : { ...part, input: objectOf(part.input) }
  }
  const output = fieldsIn(part, "output")
  const isLost = part.type === "tool-result" && isJson(output) && output.value === undefined
  return isLost ? { ...part, output: { ...output, value: null } } : part
}

/** The message with an object as the input of each call, and null for an output that was lost; itself where none lacks. */
export const withValues = (message: AiSdkMessage): AiSdkMessage => {
  const parts = partsOf(message)
  const content = parts.map(withValue)
  return content.every((part, i) => part === parts[i]) ? message : { ...message, content }
}
