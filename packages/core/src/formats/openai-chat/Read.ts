/**
 * From Chat Completions messages to those of a thread.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  Message,
  OpaquePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "../../thread/Message.ts"
import { argumentsText } from "../format/Arguments.ts"
import { writeExact } from "../format/ExactJson.ts"
import { isFields } from "../format/Fields.ts"
import { opaque } from "../format/Opaque.ts"
import { readMedia } from "./Media.ts"
import {
  callsOf,
  customIn,
  functionIn,
  isText,
  type OpenAiAssistantMessage,
  type OpenAiMessage,
  type OpenAiPart,
  type OpenAiToolCall,
  type OpenAiToolMessage,
  OTHER_KIND,
  partsOf,
  WHOLE_FIELDS,
} from "./Wire.ts"

const NAME = "openai-chat"

type UserPart = UserMessage["parts"][number]

const textPart = (text: string): TextPart => ({ type: "text", text })

const readPart = (part: OpenAiPart): UserPart => {
  if (isText(part)) return textPart(part.text)
  if (part.type === "refusal" && typeof part.refusal === "string") return textPart(part.refusal)
  return readMedia(part) ?? opaque(NAME, part)
}

const named = ({ name }: OpenAiMessage): { readonly name?: string } =>
  typeof name === "string" ? { name } : {}

const readUser = (message: Exclude<OpenAiMessage, OpenAiAssistantMessage | OpenAiToolMessage>): Message => {
  const parts = partsOf(message.content).map(readPart)
  return {
    role: "user",
    parts: parts.length === 0 ? [textPart("")] : parts,
    ...named(message),
    ...(message.role === "user" ? {} : { synthetic: true }),
  }
}

/** A call of a kind that is not known here: its fields are its arguments. */
const readOther = ({ id, type, ...fields }: OpenAiToolCall): ToolCallPart => ({
  type: "tool-call",
  id,
  name: type ?? "",
  arguments: writeExact(fields) ?? "{}",
  kind: `${OTHER_KIND}${type ?? ""}`,
})

const readCall = (call: OpenAiToolCall): ToolCallPart => {
  const { id } = call
  const [own, custom] = [functionIn(call), customIn(call)]
  if (custom !== undefined)
    return { type: "tool-call", id, name: custom.name, arguments: custom.input, kind: "custom" }
  if (own === undefined) return readOther(call)
  const text = typeof own.arguments === "string" ? own.arguments : argumentsText(own.arguments)
  return { type: "tool-call", id, name: own.name, arguments: text }
}

/** The texts of the entries that OpenRouter and others list: whole thoughts, or summaries of them. */
const detailTexts = (details: unknown): ReadonlyArray<string> =>
  Array.isArray(details)
    ? details.flatMap((detail) => {
        const text = isFields(detail) ? (detail.text ?? detail.summary) : undefined
        return typeof text === "string" && text !== "" ? [text] : []
      })
    : []

/** Reasoning has no official field; these are what compatible servers use. */
const reasoningIn = (message: OpenAiAssistantMessage): ReadonlyArray<ReasoningPart> => {
  const own = message.reasoning_content ?? message.reasoning
  const text = typeof own === "string" ? own : detailTexts(message.reasoning_details).join("\n")
  return text === "" ? [] : [{ type: "reasoning", text }]
}

/** Fields that hold something, each kept as it came. */
const wholeFields = (message: OpenAiAssistantMessage): ReadonlyArray<OpaquePart> =>
  WHOLE_FIELDS.flatMap((field) => {
    const value = message[field]
    return isFields(value) || (Array.isArray(value) && value.length > 0)
      ? [opaque(NAME, { [field]: value })]
      : []
  })

const readAssistant = (message: OpenAiAssistantMessage): AssistantMessage => {
  const { refusal } = message
  return {
    role: "assistant",
    parts: [
      ...reasoningIn(message),
      ...partsOf(message.content).map(readPart),
      ...(typeof refusal === "string" && refusal !== "" ? [textPart(refusal)] : []),
      ...wholeFields(message),
      ...callsOf(message).map(readCall),
    ],
    ...named(message),
  }
}

const readTool = (message: OpenAiToolMessage): ToolMessage => ({
  role: "tool",
  parts: [
    {
      type: "tool-result",
      call: message.tool_call_id,
      ...named(message),
      status: "ok",
      content: partsOf(message.content).map(readPart),
    },
  ],
})

/** Reads one message. */
export const readMessage = (message: OpenAiMessage): Message => {
  switch (message.role) {
    case "assistant":
      return readAssistant(message)
    case "tool":
      return readTool(message)
    default:
      return readUser(message)
  }
}

/** The text of a system prompt: that of its parts, when all of them are texts. */
export const readSystem = (value: unknown): string | null => {
  if (!isFields(value)) return null
  const { content } = value
  if (typeof content === "string") return content
  if (content === null || content === undefined) return ""
  const texts = Array.isArray(content)
    ? content.map((part) => (isFields(part) && typeof part.text === "string" ? part.text : null))
    : [null]
  return texts.includes(null) ? null : texts.join("\n")
}
