/**
 * Images, sounds and files, between a thread and Chat Completions.
 *
 * @since 0.1.0
 */
import type { MediaPart } from "../../thread/Message.ts"
import type { Loss } from "../format/Conversation.ts"
import { isFields } from "../format/Fields.ts"
import { sidesOf } from "../format/ImageSize.ts"
import { base64Of, isAddress, mediaPlaceholder, mediaTypeOf, urlOf } from "../format/Media.ts"
import type { OpenAiPart } from "./Wire.ts"

const SOUNDS: ReadonlyMap<string, "wav" | "mp3"> = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/mpeg", "mp3"],
  ["audio/mp3", "mp3"],
])

/** The part of a medium; null for what Chat Completions cannot carry: no data, a file or a sound at an address. */
const mediaAsPart = (media: MediaPart): OpenAiPart | null => {
  if (base64Of(media.data) === "") return null
  if (media.mediaType.startsWith("image/")) {
    const detail = media.detail === undefined ? {} : { detail: media.detail }
    return { type: "image_url", image_url: { url: urlOf(media), ...detail } }
  }
  if (isAddress(media.data)) return null
  const format = SOUNDS.get(media.mediaType)
  if (format !== undefined)
    return { type: "input_audio", input_audio: { data: base64Of(media.data), format } }
  const filename = media.name === undefined ? {} : { filename: media.name }
  return { type: "file", file: { file_data: urlOf(media), ...filename } }
}

/** The wire form of a medium in a user message, or a line for one that cannot be sent: no request fails for it. */
export const writeMedia = (
  media: MediaPart,
  note: (kind: Loss["kind"], what: string, why: string) => void,
): OpenAiPart => {
  const part = mediaAsPart(media)
  if (part !== null) {
    if (part.type !== "file" && media.name !== undefined)
      note("dropped", "the name of a medium", "the format has no place for it")
    return part
  }
  note("changed", media.mediaType, "it has no data that can be sent")
  return { type: "text", text: mediaPlaceholder(media, base64Of(media.data) === "" ? "no data" : media.data) }
}

const detailOf = (json: unknown): Pick<MediaPart, "detail"> =>
  json === "low" || json === "high" || json === "auto" ? { detail: json } : {}

/** The medium of a wire part, or undefined when it is none that is known here. */
export const readMedia = (part: OpenAiPart): MediaPart | undefined => {
  const body = part[part.type]
  if (!isFields(body)) return undefined
  const { url, data, format, file_data: file, filename } = body
  if (part.type === "image_url" && typeof url === "string")
    return {
      type: "media",
      mediaType: mediaTypeOf(url, "image/*"),
      data: url,
      ...sidesOf(url),
      ...detailOf(body.detail),
    }
  if (part.type === "input_audio" && typeof data === "string" && (format === "wav" || format === "mp3"))
    return { type: "media", mediaType: format === "wav" ? "audio/wav" : "audio/mpeg", data }
  if (part.type !== "file" || typeof file !== "string") return undefined
  const name = typeof filename === "string" ? { name: filename } : {}
  return { type: "media", mediaType: mediaTypeOf(file, "application/octet-stream"), data: file, ...name }
}
