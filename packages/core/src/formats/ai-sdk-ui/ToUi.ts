/**
 * Opaque parts of model messages as parts of UI messages: compactions, and calls that the provider runs.
 *
 * @since 0.1.0
 */
import type { AssistantMessage } from "../../thread/Message.ts"
import { textOfValue } from "../ai-sdk/Output.ts"
import { type AiSdkPart, fieldsIn, stringIn } from "../ai-sdk/Wire.ts"
import { ownOf } from "../ai-sdk/WritePart.ts"
import type { Fields } from "../format/Fields.ts"
import type { UiPart } from "./Wire.ts"

const optional = (name: string, value: unknown): Fields => (value === undefined ? {} : { [name]: value })

/** The parts of model messages in a response. */
export const modelPartsIn = ({ parts }: AssistantMessage): ReadonlyArray<AiSdkPart> =>
  parts.flatMap((part) => (part.type === "opaque" ? (ownOf(part) ?? []) : []))

const resultFields = (result: AiSdkPart | undefined): Fields => {
  if (result === undefined) return { state: "input-available" }
  const output = fieldsIn(result, "output")
  const metadata = optional("resultProviderMetadata", result.providerOptions)
  switch (output.type) {
    case "error-text":
    case "error-json":
      return { state: "output-error", errorText: textOfValue(output.value), ...metadata }
    case "execution-denied":
      return { state: "output-error", errorText: stringIn(output, "reason"), ...metadata }
    default:
      return { state: "output-available", output: output.value, ...metadata }
  }
}

/**
 * A part of a UI message for one of a model message: none for what belongs to a call beside it, null for what only model
 * messages carry.
 */
export const toUi = (part: AiSdkPart, beside: ReadonlyArray<AiSdkPart>): ReadonlyArray<UiPart> | null => {
  const isOf = (type: string) => (other: AiSdkPart) =>
    other.type === type && other.toolCallId === part.toolCallId
  if (part.type === "text")
    return [{ type: "text", text: part.text, ...optional("providerMetadata", part.providerOptions) }]
  if (part.type === "tool-approval-request") return []
  if (part.type === "tool-result") return beside.some(isOf("tool-call")) ? [] : null
  if (part.type !== "tool-call") return null
  const { state, ...result } = resultFields(beside.find(isOf("tool-result")))
  return [
    {
      type: `tool-${stringIn(part, "toolName")}`,
      toolCallId: part.toolCallId,
      state,
      input: part.input,
      providerExecuted: true,
      ...optional("callProviderMetadata", part.providerOptions),
      ...result,
    },
  ]
}
