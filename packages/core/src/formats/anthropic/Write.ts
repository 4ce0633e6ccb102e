/**
 * From the messages of a thread to Anthropic's.
 *
 * @since 0.1.0
 */

import { isWellFormed } from "../../text/Unicode.ts"
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
import { noteRefusal } from "../format/Refusal.ts"
import type { Written } from "../format/Units.ts"
import { asContent, BLANK, isBlank, isThinking, NO_OUTPUT, textBlock } from "./Kinds.ts"
import type { AnthropicBlock, AnthropicMessage } from "./Wire.ts"

const NAME = "anthropic"

/** Collects what cannot be said, for one message. */
type Note = (kind: Loss["kind"], what: string, why: string) => void

/** The types of images that the API takes as data, some by another name. */
const IMAGES: ReadonlyMap<string, string> = new Map([
  ["image/jpeg", "image/jpeg"],
  ["image/jpg", "image/jpeg"],
  ["image/png", "image/png"],
  ["image/gif", "image/gif"],
  ["image/webp", "image/webp"],
])

const PDF = "application/pdf"

const isWebAddress = (data: string): boolean => /^https?:/i.test(data)

/** The block of a medium; null for one that the API does not take. */
const mediaBlock = ({ data, mediaType, name }: MediaPart): AnthropicBlock | null => {
  const type = mediaType.startsWith("image/") ? "image" : mediaType === PDF ? "document" : null
  if (type === null || base64Of(data) === "") return null
  const named = name === undefined || type === "image" ? {} : { title: name }
  if (isAddress(data))
    return isWebAddress(data) ? { type, source: { type: "url", url: data }, ...named } : null
  const dataType = mediaTypeOf(data, mediaType)
  const media_type = type === "image" ? IMAGES.get(dataType) : dataType === PDF ? PDF : undefined
  return media_type === undefined
    ? null
    : { type, source: { type: "base64", media_type, data: base64Of(data) }, ...named }
}

const writeMedia = (media: MediaPart, note: Note): AnthropicBlock => {
  const block = mediaBlock(media)
  if (block === null) {
    note("changed", media.mediaType, "only images and PDF documents with data can be sent")
    return textBlock(mediaPlaceholder(media, "cannot be sent here"))
  }
  if (media.detail !== undefined) note("dropped", "the detail of an image", "the format has no place for it")
  if (media.name !== undefined && block.type === "image")
    note("dropped", "the name of an image", "the format has no place for it")
  return block
}

/** What a user or a result says; blank texts are none. */
const writeContent = (
  parts: ReadonlyArray<TextPart | MediaPart | OpaquePart>,
  note: Note,
): ReadonlyArray<AnthropicBlock> =>
  parts.flatMap((part): ReadonlyArray<AnthropicBlock> => {
    if (part.type === "media") return [writeMedia(part, note)]
    if (part.type === "text") return isBlank(part.text) ? [] : [textBlock(part.text)]
    const own = opaqueValue(part, NAME)
    if (typeof own?.type === "string") return [{ ...own, type: own.type }]
    note("changed", `a part of ${part.format}`, "only its own format can carry it")
    return [textBlock(opaquePlaceholder(part))]
  })

/** An error holds text only. */
const errorContent = (parts: ToolResultPart["content"], note: Note): ReadonlyArray<AnthropicBlock> =>
  writeContent(
    parts.map((part) => {
      if (part.type !== "media") return part
      note("changed", part.mediaType, "an error holds text only")
      return { type: "text", text: mediaPlaceholder(part, "an error holds text only") }
    }),
    note,
  )

const writeResult = (result: ToolResultPart, note: Note): AnthropicBlock => {
  const isError = result.status !== "ok"
  noteRefusal(result, note)
  const blocks = (isError ? errorContent : writeContent)(result.content, note)
  return {
    type: "tool_result",
    tool_use_id: result.call,
    content: blocks.length === 0 ? NO_OUTPUT : asContent(blocks),
    ...(isError ? { is_error: true } : {}),
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
  if (!isWellFormed(thinking) || !isWellFormed(signature)) {
    note("dropped", "reasoning", "it holds half of a character, and is sent unaltered or not at all")
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
      if (part.signature !== undefined)
        note("dropped", `the signature of the call ${part.id}`, "the format has no place for it")
      return [{ type: "tool_use", id: part.id, name: part.name, input: value }]
    }
    case "text":
      return isBlank(part.text) ? [] : [textBlock(part.text)]
    case "media": {
      note("changed", part.mediaType, "a response cannot carry media")
      return [textBlock(mediaPlaceholder(part, "cannot be sent here"))]
    }
    case "opaque": {
      const own = opaqueValue(part, NAME)
      if (typeof own?.type === "string") return [{ ...own, type: own.type }]
      note("dropped", `a part of ${part.format}`, "only its own format can carry it")
      return []
    }
  }
}

/** A response does not end with thinking, and thinking alone is none. */
const writeAssistant = (message: AssistantMessage, note: Note): ReadonlyArray<AnthropicBlock> => {
  const blocks = message.parts.flatMap((part) => writePart(part, message, note))
  const said = blocks.findLastIndex((block) => !isThinking(block)) + 1
  if (said < blocks.length) note("dropped", "reasoning", "nothing follows it in the response")
  return blocks.slice(0, said)
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
      return { role: "user", from: "user", blocks: blocks.length === 0 ? [textBlock(BLANK)] : blocks }
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
