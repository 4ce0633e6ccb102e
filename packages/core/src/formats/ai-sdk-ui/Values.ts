/**
 * Values of UI messages that a provider behind the SDK takes: results that say something, files with data, objects as
 * input. VA5 and VA8.
 *
 * @since 0.1.0
 */
import { isSendable } from "../ai-sdk/Media.ts"
import { isBlank, NO_OUTPUT } from "../ai-sdk/Output.ts"
import { objectOf } from "../ai-sdk/Values.ts"
import { fieldsIn, stringIn } from "../ai-sdk/Wire.ts"
import { isFields } from "../format/Fields.ts"
import { inputOf } from "./Read.ts"
import { isClientTool, type UiPart } from "./Wire.ts"

/** Whether a part is no file, or one whose data can be sent. */
export const isSentFile = (part: UiPart): boolean =>
  part.type !== "file" || isSendable({ data: stringIn(part, "url") })

/** A call of the host with a result that says something; itself where it does. */
export const saidResult = (part: UiPart): UiPart => {
  if (!isClientTool(part)) return part
  const { state, output, errorText } = part
  if (state === "output-available" && typeof output === "string" && isBlank(output))
    return { ...part, output: NO_OUTPUT }
  const { reason, ...decision } = fieldsIn(part, "approval")
  if (state === "output-denied" && typeof reason === "string" && isBlank(reason))
    return { ...part, approval: decision }
  return state === "output-error" && typeof errorText === "string" && isBlank(errorText)
    ? { ...part, errorText: NO_OUTPUT }
    : part
}

/** A call of the host with an object as its input; itself where it has one. */
export const withInput = (part: UiPart): UiPart => {
  const input = isClientTool(part) ? inputOf(part) : {}
  return isFields(input) ? part : { ...part, input: objectOf(input) }
}
