/**
 * From the AI SDK's UI messages to those of a thread: each step is a response, and its results a message after it.
 *
 * @since 0.1.0
 */
import type {
  ApprovalPart,
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  TextPart,
  ToolMessage,
  ToolResultPart,
} from "../../thread/Message.ts"
import { toolNameOf, UI } from "../ai-sdk/FromUi.ts"
import { textOfValue, textParts } from "../ai-sdk/Output.ts"
import { contentOf, readParts } from "../ai-sdk/Read.ts"
import { type AiSdkPart, fieldsIn, NAME, stringIn } from "../ai-sdk/Wire.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { opaque } from "../format/Opaque.ts"
import { isClientTool, stepsOf, type UiMessage, type UiPart } from "./Wire.ts"

const optional = (name: string, value: unknown): Fields => (value === undefined ? {} : { [name]: value })

/** The question to a person about a call, as a part of a model message. */
const requestOf = ({ toolCallId, approval }: UiPart): ReadonlyArray<AiSdkPart> => {
  if (!isFields(approval)) return []
  const { id, approved: _, reason: __, ...others } = approval
  return [
    { type: "tool-approval-request", approvalId: typeof id === "string" ? id : "", toolCallId, ...others },
  ]
}

/** What a call is given, as the SDK's conversion finds it. */
export const inputOf = ({ state, input, rawInput }: UiPart): unknown =>
  state === "output-error" ? (input ?? rawInput) : input

/** Options of a call, as the SDK's conversion finds them: with a failed call alone, those of its result may be meant. */
const callOptionsIn = ({ state, callProviderMetadata, resultProviderMetadata }: UiPart): unknown =>
  callProviderMetadata ?? (state === "output-error" ? resultProviderMetadata : undefined)

/** A part as the SDK's conversion makes it; what reaches no model, and what the provider runs, is kept as it is. */
const modelParts = (part: UiPart): ReadonlyArray<AiSdkPart> => {
  const { type, text, mediaType, filename, url, providerMetadata } = part
  const options = optional("providerOptions", providerMetadata)
  if (type === "text" || type === "reasoning") return [{ type, text, ...options }]
  if (type === "file") return [{ type, mediaType, filename, data: url, ...options }]
  if (!isClientTool(part)) return [{ type: UI, part }]
  const call: AiSdkPart = {
    type: "tool-call",
    toolCallId: part.toolCallId,
    toolName: toolNameOf(part) ?? "",
    input: inputOf(part),
    ...optional("providerOptions", callOptionsIn(part)),
  }
  return [call, ...requestOf(part)]
}

/** A question to a person is kept as model messages have it: both formats find it there. */
const keep = (part: AiSdkPart): OpaquePart => (part.type === UI ? opaque(UI, part.part) : opaque(NAME, part))

const resultIn = (part: UiPart): Pick<ToolResultPart, "status" | "content"> | null => {
  switch (part.state) {
    case "output-available":
      return { status: "ok", content: textParts(textOfValue(part.output ?? null)) }
    case "output-error":
      return { status: "error", content: textParts(stringIn(part, "errorText")) }
    case "output-denied":
      return { status: "denied", content: textParts(stringIn(fieldsIn(part, "approval"), "reason")) }
    default:
      return null
  }
}

const answersOf = (part: UiPart): ReadonlyArray<ToolResultPart | ApprovalPart> => {
  const call = stringIn(part, "toolCallId")
  const { id, approved, reason } = fieldsIn(part, "approval")
  const approval: ReadonlyArray<ApprovalPart> =
    typeof approved === "boolean"
      ? [
          {
            type: "approval",
            call,
            ...(typeof id === "string" ? { id } : {}),
            approved,
            ...(typeof reason === "string" ? { reason } : {}),
          },
        ]
      : []
  const result = resultIn(part)
  if (result === null) return approval
  return [...approval, { type: "tool-result", call, name: toolNameOf(part) ?? "", ...result }]
}

const readStep = (step: ReadonlyArray<UiPart>): ReadonlyArray<AssistantMessage | ToolMessage> => {
  const { parts, format } = readParts(step.flatMap(modelParts), keep)
  const answers = step.filter(isClientTool).flatMap(answersOf)
  const response: AssistantMessage = { role: "assistant", parts, ...(format === null ? {} : { format }) }
  return answers.length === 0 ? [response] : [response, { role: "tool", parts: answers }]
}

/** What a part of a user, or a file of anyone, says. */
export const readContent = (part: UiPart): TextPart | MediaPart | OpaquePart => {
  const [made] = part.type === "text" || part.type === "file" ? modelParts(part) : []
  return made === undefined ? opaque(UI, part) : contentOf(made, keep)
}

/** Reads a message. */
export const readMessage = (message: UiMessage): ReadonlyArray<Message> => {
  switch (message.role) {
    case "system":
      return [{ role: "user", synthetic: true, parts: message.parts.map(readContent) }]
    case "user":
      return [{ role: "user", parts: message.parts.map(readContent) }]
    case "assistant": {
      const read = stepsOf(message).flatMap(readStep)
      return read.length === 0 ? [{ role: "assistant", parts: [] }] : read
    }
  }
}
