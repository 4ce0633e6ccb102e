/**
 * Parts of stored UI messages as parts of model messages: those of tools that the provider runs. Sources, data and
 * calls that were never finished are for people, and reach no model.
 *
 * @since 0.1.0
 */
import type { OpaquePart } from "../../thread/Message.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { opaqueValue } from "../format/Opaque.ts"
import { type AiSdkPart, stringIn } from "./Wire.ts"

/** The name of the format of UI messages. */
export const UI = "ai-sdk-ui"

/** What a part becomes: parts of the response, and answers that follow it. */
export interface FromUi {
  readonly parts: ReadonlyArray<AiSdkPart>
  readonly answers: ReadonlyArray<AiSdkPart>
}

/** The name of the tool of a part, or null where the part is none of a tool. */
export const toolNameOf = (part: Fields): string | null => {
  const type = stringIn(part, "type")
  if (type === "dynamic-tool") return stringIn(part, "toolName")
  return type.startsWith("tool-") ? type.slice("tool-".length) : null
}

const optional = (name: string, value: unknown): Fields =>
  value === undefined || value === null ? {} : { [name]: value }

const outputOf = ({ state, output, errorText }: Fields): Fields => {
  if (state === "output-error") return { type: "error-json", value: errorText ?? "" }
  return typeof output === "string"
    ? { type: "text", value: output }
    : { type: "json", value: output ?? null }
}

const result = (part: Fields, toolCallId: string, toolName: string): ReadonlyArray<AiSdkPart> =>
  part.state === "output-available" || part.state === "output-error"
    ? [
        {
          type: "tool-result",
          toolCallId,
          toolName,
          output: outputOf(part),
          ...optional("providerOptions", part.resultProviderMetadata ?? part.callProviderMetadata),
        },
      ]
    : []

/** A call of the provider with all that belongs to it, as the SDK's own conversion gives it; null for other parts. */
export const fromUi = (opaque: OpaquePart): FromUi | null => {
  const part = opaqueValue(opaque, UI)
  const toolName = part === undefined ? null : toolNameOf(part)
  if (part === undefined || toolName === null || part.providerExecuted !== true) return null
  if (part.state === "input-streaming") return null
  const toolCallId = stringIn(part, "toolCallId")
  const { approval, input, rawInput } = part
  const isError = part.state === "output-error"
  const metadata = part.callProviderMetadata ?? (isError ? part.resultProviderMetadata : undefined)
  const call = {
    type: "tool-call",
    toolCallId,
    toolName,
    input: isError ? (input ?? rawInput) : input,
    providerExecuted: true,
    ...optional("providerOptions", metadata),
  }
  if (!isFields(approval)) return { parts: [call, ...result(part, toolCallId, toolName)], answers: [] }
  const approvalId = stringIn(approval, "id")
  const request = {
    type: "tool-approval-request",
    approvalId,
    toolCallId,
    ...optional("inputSchemaInput", approval.inputSchemaInput),
    ...optional("signature", approval.signature),
  }
  const response = {
    type: "tool-approval-response",
    approvalId,
    approved: approval.approved,
    ...optional("reason", approval.reason),
    providerExecuted: true,
  }
  return {
    parts: [call, request, ...result(part, toolCallId, toolName)],
    answers: typeof approval.approved === "boolean" ? [response] : [],
  }
}
