/**
 * What of UI messages reaches a model, and whether it can stand alone.
 *
 * @since 0.1.0
 */
import { isBlank } from "../ai-sdk/Output.ts"
import { isCompaction } from "../ai-sdk/Read.ts"
import { stringIn } from "../ai-sdk/Wire.ts"
import { isTool, type UiMessage, type UiPart } from "./Wire.ts"

/** Whether a part is a blank text that no metadata of a provider makes into something. */
export const isBlankText = (part: UiPart, role: UiMessage["role"]): boolean => {
  const { type, providerMetadata } = part
  const carries = role === "assistant" && providerMetadata !== undefined
  const isMade = isCompaction({ type, providerOptions: providerMetadata })
  return type === "text" && isBlank(stringIn(part, "text")) && (!carries || isMade)
}

/** Whether a part of a response reaches a model; data does not, unless the host converts it. */
const isSent = (part: UiPart): boolean =>
  part.type === "text" ||
  part.type === "reasoning" ||
  part.type === "file" ||
  (isTool(part) && part.state !== "input-streaming")

/** A step without its reasoning, where that is all which would reach a model: no provider takes it alone. */
export const withoutLoneReasoning = (step: ReadonlyArray<UiPart>): ReadonlyArray<UiPart> =>
  step.filter(isSent).every(({ type }) => type === "reasoning") ? step.filter((part) => !isSent(part)) : step

/** Whether a part of a user may say something: data may be converted by the host. */
const maySay = (part: UiPart): boolean =>
  part.type === "file" ||
  part.type.startsWith("data-") ||
  (part.type === "text" && !isBlankText(part, "user"))

/** Whether a message of a user or a system prompt says nothing. */
export const isSilent = ({ role, parts }: UiMessage): boolean => role !== "assistant" && !parts.some(maySay)

/** Whether something of a message reaches a model beside the system prompt. */
export const isRead = ({ role, parts }: UiMessage): boolean =>
  role === "user" || (role === "assistant" && parts.some(isSent))
