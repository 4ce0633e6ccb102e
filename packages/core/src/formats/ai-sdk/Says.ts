/**
 * Whether messages say anything to a model: what the AI SDK leaves out on the way, and what providers refuse alone.
 *
 * @since 0.1.0
 */
import { isBlank } from "./Output.ts"
import { type AiSdkMessage, type AiSdkPart, partsOf, stringIn } from "./Wire.ts"

/** Whether a part is a blank text that no options of a provider make into something. */
export const isBlankText = (part: AiSdkPart, role: AiSdkMessage["role"]): boolean => {
  const carries = role === "assistant" && part.providerOptions !== undefined && part.providerOptions !== null
  return part.type === "text" && isBlank(stringIn(part, "text")) && !carries
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
