/**
 * From Anthropic's messages to those of a thread.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  TextPart,
  ToolResultPart,
} from "../../thread/Message.ts"
import { argumentsText } from "../format/Arguments.ts"
import { isFields } from "../format/Fields.ts"
import { sidesOf } from "../format/ImageSize.ts"
import { opaque } from "../format/Opaque.ts"
import { type AnthropicBlock, type AnthropicMessage, blocksOf } from "./Wire.ts"

const NAME = "anthropic"

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The medium of a block, when its source is one that other formats know too. */
const mediaOf = (block: AnthropicBlock): MediaPart | null => {
  const { source } = block
  if (!isFields(source) || (block.type !== "image" && block.type !== "document")) return null
  const otherwise = block.type === "image" ? "image/*" : "application/pdf"
  const named = typeof block.title === "string" ? { name: block.title } : {}
  if (source.type === "url" && typeof source.url === "string")
    return { type: "media", mediaType: otherwise, data: source.url, ...named }
  const { data, media_type: mediaType } = source
  if (source.type !== "base64" || typeof data !== "string" || typeof mediaType !== "string") return null
  const sides = block.type === "image" ? sidesOf(data) : {}
  return { type: "media", mediaType, data, ...sides, ...named }
}

const contentOf = (block: AnthropicBlock): TextPart | MediaPart | OpaquePart =>
  block.type === "text"
    ? { type: "text", text: stringOf(block.text) }
    : (mediaOf(block) ?? opaque(NAME, block))

const resultOf = (block: AnthropicBlock): ToolResultPart => {
  const { content } = block
  const parts: ReadonlyArray<AnthropicBlock> = Array.isArray(content)
    ? content
    : typeof content === "string" && content !== ""
      ? [{ type: "text", text: content }]
      : []
  return {
    type: "tool-result",
    call: stringOf(block.tool_use_id),
    status: block.is_error === true ? "error" : "ok",
    content: parts.map(contentOf),
  }
}

/** Results are a message of their own; what else the user said follows them. */
const readUser = (message: AnthropicMessage): ReadonlyArray<Message> => {
  const blocks = blocksOf(message)
  const results = blocks.filter(({ type }) => type === "tool_result").map(resultOf)
  const said = blocks.filter(({ type }) => type !== "tool_result").map(contentOf)
  return [
    ...(results.length === 0 ? [] : [{ role: "tool", parts: results } as const]),
    ...(said.length === 0 && results.length > 0 ? [] : [{ role: "user", parts: said } as const]),
  ]
}

const readBlock = (block: AnthropicBlock): AssistantMessage["parts"][number] => {
  switch (block.type) {
    case "thinking": {
      const signature = stringOf(block.signature)
      const signed = signature === "" ? {} : { signature }
      return { type: "reasoning", text: stringOf(block.thinking), ...signed }
    }
    case "redacted_thinking":
      return { type: "reasoning", text: "", signature: stringOf(block.data), redacted: true }
    case "tool_use":
      return {
        type: "tool-call",
        id: stringOf(block.id),
        name: stringOf(block.name),
        arguments: argumentsText(block.input),
      }
    case "tool_result":
      return opaque(NAME, block)
    default:
      return contentOf(block)
  }
}

const isSigned = (part: AssistantMessage["parts"][number]): boolean =>
  part.type === "reasoning" && part.signature !== undefined

const readResponse = (messages: ReadonlyArray<AnthropicMessage>): AssistantMessage => {
  const parts = messages.flatMap((message) => blocksOf(message).map(readBlock))
  const signed = parts.some(isSigned) ? { format: NAME } : {}
  return { role: "assistant", parts, ...signed }
}

/** A system message among the others is read as a user's, and its words as a program's. */
const readMessage = (message: AnthropicMessage): ReadonlyArray<Message> =>
  readUser(message).map((read) =>
    message.role === "system" && read.role === "user" ? { ...read, synthetic: true } : read,
  )

/**
 * Number of messages that are read together: responses side by side are one, as the provider reads them. A response
 * that was paused and what it went on with are so, and the lines of a recorded one.
 */
export const spanOf = (messages: ReadonlyArray<AnthropicMessage>, at: number): number => {
  let end = at
  while (messages[end]?.role === "assistant") end += 1
  return Math.max(1, end - at)
}

/** Whether messages are what is read together. */
export const isUnit = (messages: ReadonlyArray<AnthropicMessage>): boolean =>
  messages.length > 0 && spanOf(messages, 0) === messages.length

/** Reads the messages of a unit. */
export const readUnit = (unit: ReadonlyArray<AnthropicMessage>): ReadonlyArray<Message> =>
  unit[0]?.role === "assistant" ? [readResponse(unit)] : unit.flatMap(readMessage)
