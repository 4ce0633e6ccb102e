/**
 * From the messages of a thread to Anthropic's.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  ReasoningPart,
  TextPart,
  ToolMessage,
  ToolResultPart,
} from "../../thread/Message.ts"
import { argumentsObject } from "../format/Arguments.ts"
import type { Loss } from "../format/Conversation.ts"
import { base64Of, isAddress, mediaPlaceholder, mediaTypeOf, opaquePlaceholder } from "../format/Media.ts"
import { opaqueValue } from "../format/Opaque.ts"
import type { Written } from "../format/Units.ts"
import type { AnthropicBlock, AnthropicMessage } from "./Wire.ts"

const NAME = "anthropic"

/** Collects what cannot be said, for one message. */
type Note = (kind: Loss["kind"], what: string, why: string) => void

const isBlank = (text: string): boolean => text.trim() === ""

const text = (value: string): AnthropicBlock => ({ type: "text", text: value })

const sourceOf = ({ data, mediaType }: MediaPart): AnthropicBlock =>
  isAddress(data)
    ? { type: "url", url: data }
    : { type: "base64", media_type: mediaTypeOf(data, mediaType), data: base64Of(data) }

const writeMedia = (media: MediaPart, note: Note): AnthropicBlock => {
  const isImage = media.mediaType.startsWith("image/")
  const named = media.name === undefined ? {} : { title: media.name }
  if (base64Of(media.data) !== "") {
    if (isImage) return { type: "image", source: sourceOf(media) }
    if (media.mediaType === "application/pdf") return { type: "document", source: sourceOf(media), ...named }
  }
  note("changed", media.mediaType, "only images and PDF documents with data can be sent")
  return text(mediaPlaceholder(media, "cannot be sent here"))
}

/** What a user or a result says; blank texts are none. */
const writeContent = (
  parts: ReadonlyArray<TextPart | MediaPart | OpaquePart>,
  note: Note,
): ReadonlyArray<AnthropicBlock> =>
  parts.flatMap((part): ReadonlyArray<AnthropicBlock> => {
    if (part.type === "media") return [writeMedia(part, note)]
    if (part.type === "text") return isBlank(part.text) ? [] : [text(part.text)]
    const own = opaqueValue(part, NAME)
    if (typeof own?.type === "string") return [{ ...own, type: own.type }]
    note("changed", `a part of ${part.format}`, "only its own format can carry it")
    return [text(opaquePlaceholder(part))]
  })

/** One text is a string; everything else a list. */
const asContent = (blocks: ReadonlyArray<AnthropicBlock>): AnthropicMessage["content"] => {
  const [first] = blocks
  const isOne = blocks.length === 1 && first?.type === "text" && Object.keys(first).length === 2
  return isOne && typeof first.text === "string" ? first.text : blocks
}

const writeResult = (result: ToolResultPart, note: Note): AnthropicBlock => {
  const blocks = writeContent(result.content, note)
  return {
    type: "tool_result",
    tool_use_id: result.call,
    content: blocks.length === 0 ? "(no output)" : asContent(blocks),
    ...(result.status === "ok" ? {} : { is_error: true }),
  }
}

const writeResults = (message: ToolMessage, note: Note): ReadonlyArray<AnthropicBlock> =>
  message.parts.flatMap((part) => {
    if (part.type === "tool-result") return [writeResult(part, note)]
    note("dropped", "an approval", "the format has no place for it")
    return []
  })

/** Reasoning goes back to the provider that signed it, unaltered, or not at all. */
const writeReasoning = (
  { text: thinking, signature, redacted }: ReasoningPart,
  format: string | undefined,
  note: Note,
): ReadonlyArray<AnthropicBlock> => {
  if (signature === undefined || signature === "" || format !== NAME) {
    note("dropped", "reasoning", "it has no signature of this provider")
    return []
  }
  return redacted === true
    ? [{ type: "redacted_thinking", data: signature }]
    : [{ type: "thinking", thinking, signature }]
}

const writePart = (
  part: AssistantMessage["parts"][number],
  { format }: AssistantMessage,
  note: Note,
): ReadonlyArray<AnthropicBlock> => {
  switch (part.type) {
    case "reasoning":
      return writeReasoning(part, format, note)
    case "tool-call": {
      const { value, isWrapped } = argumentsObject(part.arguments)
      if (isWrapped) note("changed", `the arguments of the call ${part.id}`, "they are no JSON object")
      return [{ type: "tool_use", id: part.id, name: part.name, input: value }]
    }
    case "text":
      return isBlank(part.text) ? [] : [text(part.text)]
    case "media": {
      note("changed", part.mediaType, "a response cannot carry media")
      return [text(mediaPlaceholder(part, "cannot be sent here"))]
    }
    case "opaque": {
      const own = opaqueValue(part, NAME)
      if (typeof own?.type === "string") return [{ ...own, type: own.type }]
      note("dropped", `a part of ${part.format}`, "only its own format can carry it")
      return []
    }
  }
}

const isThinking = ({ type }: AnthropicBlock): boolean => type === "thinking" || type === "redacted_thinking"

const writeAssistant = (message: AssistantMessage, note: Note): ReadonlyArray<AnthropicBlock> => {
  const blocks = message.parts.flatMap((part) => writePart(part, message, note))
  if (!blocks.every(isThinking)) return blocks
  if (blocks.length > 0) note("dropped", "a response", "it holds reasoning only")
  return []
}

interface Turn {
  readonly role: "user" | "assistant"
  readonly blocks: ReadonlyArray<AnthropicBlock>
  readonly from: Message["role"]
}

const writeTurn = (message: Message, note: Note): Turn => {
  if (message.role !== "tool" && message.name !== undefined)
    note("dropped", "the name of a speaker", "the format has no place for it")
  switch (message.role) {
    case "assistant":
      return { role: "assistant", from: "assistant", blocks: writeAssistant(message, note) }
    case "tool":
      return { role: "user", from: "tool", blocks: writeResults(message, note) }
    case "user": {
      const blocks = writeContent(message.parts, note)
      return { role: "user", from: "user", blocks: blocks.length === 0 ? [text("(blank)")] : blocks }
    }
  }
}

/**
 * Writes messages: neighbours of one role become one message, results first in it.
 */
export const writeMessages = (messages: ReadonlyArray<Message>): Written<AnthropicMessage> => {
  const losses: Array<Loss> = []
  const turns = messages.map((message, index) =>
    writeTurn(message, (kind, what, why) => losses.push({ kind, message: index, what, why })),
  )
  const wire: Array<{ role: Turn["role"]; blocks: ReadonlyArray<AnthropicBlock>; from: Turn["from"] }> = []
  for (const turn of turns) {
    if (turn.blocks.length === 0) continue
    const last = wire.at(-1)
    // Results that follow what a user said answer a call before it: they are no part of the same message.
    const joins = last?.role === turn.role && !(last.from === "user" && turn.from === "tool")
    if (last !== undefined && joins) {
      last.blocks = [...last.blocks, ...turn.blocks]
      last.from = turn.from
    } else wire.push({ ...turn })
  }
  return { wire: wire.map(({ role, blocks }) => ({ role, content: asContent(blocks) })), losses }
}
