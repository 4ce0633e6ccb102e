/**
 * Whether messages say anything to a model: what the AI SDK leaves out on the way, and what providers refuse alone.
 *
 * @since 0.1.0
 */
import type { Fields } from "../format/Fields.ts"
import { isBlank, isPart, NO_OUTPUT } from "./Output.ts"
import { isCompaction } from "./Read.ts"
import { type AiSdkMessage, type AiSdkPart, fieldsIn, partsOf, stringIn } from "./Wire.ts"

/** Whether a part is a blank text that no options of a provider make into something: a signature, say. */
export const isBlankText = (part: AiSdkPart, role: AiSdkMessage["role"]): boolean => {
  const carries = role === "assistant" && part.providerOptions !== undefined && part.providerOptions !== null
  return part.type === "text" && isBlank(stringIn(part, "text")) && (!carries || isCompaction(part))
}

/** Whether a response holds nothing that can stand alone: reasoning, and questions about calls that are not there. */
export const isReasoningOnly = (parts: ReadonlyArray<AiSdkPart>): boolean =>
  parts.every(({ type }) => type === "reasoning" || type === "tool-approval-request")

/** Whether nothing of a message reaches a model. */
export const isSilent = (message: AiSdkMessage): boolean => {
  const parts = partsOf(message).filter((part) => !isBlankText(part, message.role))
  return message.role === "assistant"
    ? isReasoningOnly(parts)
    : message.role !== "system" && parts.length === 0
}

const isBlankItem = (item: unknown): boolean =>
  isPart(item) && item.type === "text" && isBlank(stringIn(item, "text"))

/** An output that says something: without blank texts, and with a text where there is nothing else. */
const saidOutput = (output: Fields): Fields => {
  if (output.type === "execution-denied" && isBlank(stringIn(output, "reason"))) {
    const { reason, ...others } = output
    return reason === undefined ? output : others
  }
  if (output.type === "text" || output.type === "error-text")
    return isBlank(stringIn(output, "value")) ? { ...output, value: NO_OUTPUT } : output
  const items: ReadonlyArray<unknown> = Array.isArray(output.value) ? output.value : []
  const value = items.filter((item) => !isBlankItem(item))
  if (output.type !== "content" || (value.length === items.length && value.length > 0)) return output
  return value.length === 0 ? { ...output, type: "text", value: NO_OUTPUT } : { ...output, value }
}

/** A message of results that say something each; the message itself where they do. */
export const withoutSilentResults = (message: AiSdkMessage): AiSdkMessage => {
  if (message.role !== "tool") return message
  const parts = partsOf(message)
  const content = parts.map((part) => {
    const output = fieldsIn(part, "output")
    const said = part.type === "tool-result" ? saidOutput(output) : output
    return said === output ? part : { ...part, output: said }
  })
  return content.every((part, i) => part === parts[i]) ? message : { ...message, content }
}
