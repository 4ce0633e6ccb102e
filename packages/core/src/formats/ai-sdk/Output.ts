/**
 * The output of a tool: what the AI SDK sends to the model as a text, as JSON, or as a list of texts and media.
 *
 * @since 0.1.0
 */
import type { MediaPart, OpaquePart, TextPart, ToolResultPart } from "../../thread/Message.ts"
import type { Loss } from "../format/Conversation.ts"
import { readExact, writeExact } from "../format/ExactJson.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { base64Of, isAddress, mediaPlaceholder, mediaTypeOf, opaquePlaceholder } from "../format/Media.ts"
import { opaque, opaqueValue } from "../format/Opaque.ts"
import { wellFormedDeep } from "../format/WellFormed.ts"
import { isSendable } from "./Media.ts"
import { type AiSdkPart, fieldsIn, NAME, stringIn } from "./Wire.ts"

/** Collects what cannot be said, for one message. */
export type Note = (kind: Loss["kind"], what: string, why: string) => void

export const isBlank = (text: string): boolean => text.trim() === ""

/** What stands where a tool said nothing. */
export const NO_OUTPUT = "(no output)"

/**
 * The object or list that a text is, when it is written as this very text again: then a provider is sent the same
 * bytes. Undefined for every other text.
 */
export const valueOfText = (text: string): unknown => {
  if (!/^[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    const isSame = JSON.stringify(value) === text && wellFormedDeep(value) === value
    return isSame && readExact(text) !== undefined ? value : undefined
  } catch {
    return undefined
  }
}

/** The text that a value is for a model. */
export const textOfValue = (value: unknown): string =>
  typeof value === "string" ? value : (writeExact(value) ?? "")

/** A text, or nothing where it is empty. */
export const textParts = (text: string): ReadonlyArray<TextPart> =>
  text === "" ? [] : [{ type: "text", text }]

/** What an item of a result says. */
export const readItem = (item: AiSdkPart): TextPart | MediaPart | OpaquePart => {
  const name = stringIn(item, "filename")
  const named = name === "" ? {} : { name }
  switch (item.type) {
    case "text":
      return { type: "text", text: stringIn(item, "text") }
    case "media":
    case "image-data":
    case "file-data":
      return { type: "media", mediaType: stringIn(item, "mediaType"), data: stringIn(item, "data"), ...named }
    case "image-url":
      return { type: "media", mediaType: "image/*", data: stringIn(item, "url") }
    case "file-url": {
      const mediaType = stringIn(item, "mediaType")
      return {
        type: "media",
        mediaType: mediaType || "application/octet-stream",
        data: stringIn(item, "url"),
      }
    }
    default:
      return opaque(NAME, item)
  }
}

/** Whether a value may be a part: it says its type. */
export const isPart = (value: unknown): value is AiSdkPart =>
  isFields(value) && typeof value.type === "string"

/** The status and the content of a result. */
export const readOutput = (result: AiSdkPart): Pick<ToolResultPart, "status" | "content"> => {
  const output = fieldsIn(result, "output")
  switch (output.type) {
    case "text":
    case "json":
      return { status: "ok", content: textParts(textOfValue(output.value)) }
    case "error-text":
    case "error-json":
      return { status: "error", content: textParts(textOfValue(output.value)) }
    case "execution-denied":
      return { status: "denied", content: textParts(stringIn(output, "reason")) }
    case "content": {
      const items: ReadonlyArray<unknown> = Array.isArray(output.value) ? output.value : []
      return { status: "ok", content: items.filter(isPart).map(readItem) }
    }
    default:
      return { status: "ok", content: [opaque(NAME, output)] }
  }
}

const writeMedia = (media: MediaPart, note: Note): AiSdkPart => {
  const { data, mediaType, name } = media
  const isImage = mediaType.startsWith("image/")
  if (!isSendable(media)) {
    note("changed", mediaType, "it has no data that can be sent")
    return { type: "text", text: mediaPlaceholder(media, "cannot be sent here") }
  }
  if (isAddress(data)) {
    if (isImage && mediaType !== "image/*")
      note("changed", mediaType, "the address of an image is sent without its type")
    return isImage ? { type: "image-url", url: data } : { type: "file-url", url: data, mediaType }
  }
  const type = mediaTypeOf(data, mediaType)
  if (isImage) return { type: "image-data", data: base64Of(data), mediaType: type }
  const named = name === undefined ? {} : { filename: name }
  return { type: "file-data", data: base64Of(data), mediaType: type, ...named }
}

const writeItem = (part: ToolResultPart["content"][number], note: Note): ReadonlyArray<AiSdkPart> => {
  if (part.type === "media") return [writeMedia(part, note)]
  if (part.type === "text") return isBlank(part.text) ? [] : [{ type: "text", text: part.text }]
  const own = opaqueValue(part, NAME)
  if (isPart(own)) return [own]
  note("changed", `a part of ${part.format}`, "only its own format can carry it")
  return [{ type: "text", text: opaquePlaceholder(part) }]
}

/** The content of a result as one text; `where` says why media cannot be in it. */
export const textOfContent = (content: ToolResultPart["content"], where: string, note: Note): string =>
  content
    .map((part) => {
      if (part.type === "text") return part.text
      note("changed", part.type === "media" ? part.mediaType : `a part of ${part.format}`, where)
      return part.type === "media" ? mediaPlaceholder(part, where) : opaquePlaceholder(part)
    })
    .filter((text) => !isBlank(text))
    .join("\n")

const asValue = (text: string, kind: "" | "error-"): Fields => {
  const value = valueOfText(text)
  return value === undefined ? { type: `${kind}text`, value: text } : { type: `${kind}json`, value }
}

/** The output of a result. */
export const writeOutput = ({ status, content }: ToolResultPart, note: Note): Fields => {
  if (status === "denied") {
    const reason = textOfContent(content, "a reason is a text", note)
    return { type: "execution-denied", ...(reason === "" ? {} : { reason }) }
  }
  if (status === "error")
    return asValue(textOfContent(content, "an error is a text", note) || NO_OUTPUT, "error-")
  const items = content.flatMap((part) => writeItem(part, note))
  const [first] = items
  if (first === undefined) return { type: "text", value: NO_OUTPUT }
  const isText = items.length === 1 && first.type === "text" && Object.keys(first).length === 2
  return isText ? asValue(stringIn(first, "text"), "") : { type: "content", value: items }
}
