/**
 * Images, sounds and files, between a thread and LangChain.
 *
 * LangChain has four forms: its standard blocks of version 1, those of version 0 with a `source_type`, and what OpenAI
 * and Anthropic say themselves. All are read. Written are standard blocks, the one form that every converter of
 * LangChain 1 takes, with the mark that says so on the message.
 *
 * @since 0.1.0
 */
import type { MediaPart } from "../../thread/Message.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { base64Of, isAddress, mediaTypeOf } from "../format/Media.ts"
import { type Block, fieldsIn, textIn } from "./Wire.ts"

/** What a message with standard blocks says of itself. */
export const STANDARD = { output_version: "v1" } as const

const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ["image", "image/*"],
  ["audio", "audio/*"],
  ["video", "video/*"],
  ["file", "application/octet-stream"],
  ["document", "application/pdf"],
  ["media", "application/octet-stream"],
])

const firstText = (fields: Fields, keys: ReadonlyArray<string>): string | undefined =>
  keys.map((key) => textIn(fields, key)).find((text) => text !== "")

const detailOf = (value: unknown): Pick<MediaPart, "detail"> =>
  value === "low" || value === "high" || value === "auto" ? { detail: value } : {}

const named = (name: string | undefined): Pick<MediaPart, "name"> => (name === undefined ? {} : { name })

/** An image as OpenAI says it. */
const imageUrl = (value: unknown): MediaPart | null => {
  const url = isFields(value) ? value.url : value
  if (typeof url !== "string") return null
  const detail = isFields(value) ? detailOf(value.detail) : {}
  return { type: "media", mediaType: mediaTypeOf(url, "image/*"), data: url, ...detail }
}

/** A sound or a file as OpenAI says it. */
const ofOpenAi = (block: Block): MediaPart | null => {
  const sound = fieldsIn(block, "input_audio")
  if (block.type === "input_audio" && typeof sound.data === "string")
    return { type: "media", mediaType: `audio/${textIn(sound, "format")}`, data: sound.data }
  const file = fieldsIn(block, "file")
  if (block.type !== "file" || typeof file.file_data !== "string") return null
  const mediaType = mediaTypeOf(file.file_data, "application/octet-stream")
  return { type: "media", mediaType, data: file.file_data, ...named(firstText(file, ["filename"])) }
}

/** The medium of a block; null when it is none, or one that only its provider can read. */
export const mediaOf = (block: Block): MediaPart | null => {
  if (block.type === "image_url") return imageUrl(block.image_url)
  const own = ofOpenAi(block)
  const otherwise = OTHERWISE.get(block.type ?? "")
  if (own !== null || otherwise === undefined) return own
  const source = isFields(block.source) ? block.source : block
  const data = firstText(source, ["data", "url"])
  if (data === undefined) return null
  const metadata = fieldsIn(block, "metadata")
  const mediaType = firstText(source, ["mimeType", "mime_type", "media_type"]) ?? otherwise
  const name = firstText(metadata, ["filename", "name", "title"]) ?? firstText(block, ["title"])
  return {
    type: "media",
    mediaType: mediaTypeOf(data, mediaType),
    data,
    ...detailOf(metadata.detail),
    ...named(name),
  }
}

const kindOf = (mediaType: string): string =>
  ["image", "audio", "video"].find((kind) => mediaType.startsWith(`${kind}/`)) ?? "file"

/** The standard block of a medium. OpenAI wants a name for each file. */
export const mediaBlock = (media: MediaPart): Block => {
  const type = kindOf(media.mediaType)
  const filename = media.name ?? (type === "file" ? "file" : undefined)
  const metadata = {
    ...(filename === undefined ? {} : { filename }),
    ...(media.detail === undefined ? {} : { detail: media.detail }),
  }
  const mimeType = mediaTypeOf(media.data, media.mediaType)
  return {
    type,
    ...(mimeType.endsWith("/*") ? {} : { mimeType }),
    ...(isAddress(media.data) ? { url: media.data } : { data: base64Of(media.data) }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}
