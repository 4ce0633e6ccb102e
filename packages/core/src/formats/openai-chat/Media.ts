/**
 * Images, sounds and files, between a thread and Chat Completions.
 *
 * @since 0.1.0
 */
import type { MediaPart } from "../../thread/Message.ts"
import { type Fields, isFields } from "./Reading.ts"
import type { OpenAiUserPart } from "./Wire.ts"

const AUDIO: Record<string, "wav" | "mp3"> = {
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
}

const isDataUrl = (data: string): boolean => data.startsWith("data:")

/** Whether `data` is an address: a scheme and two slashes, which base64 cannot hold. */
const isAddress = (data: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(data)

const dataUrl = (media: MediaPart): string =>
  isDataUrl(media.data) || isAddress(media.data) ? media.data : `data:${media.mediaType};base64,${media.data}`

/** The base64 of a media part, without the head of a data URL. */
const base64 = (data: string): string => (isDataUrl(data) ? data.slice(data.indexOf(",") + 1) : data)

/** What stands in the text for a medium that is not there: its type, and its name where it has one. */
export const mediaPlaceholder = (media: MediaPart, where: string): string => {
  const name = media.name === undefined ? "" : ` ${JSON.stringify(media.name)}`
  return `[${media.mediaType}${name}: ${where}]`
}

/**
 * The wire form of a medium in a user message. What Chat Completions cannot carry (no data, a file or a sound
 * known only by its address) becomes a placeholder, for a request must not fail because of it.
 */
export const encodeMedia = (media: MediaPart): OpenAiUserPart => {
  if (base64(media.data) === "") return { type: "text", text: mediaPlaceholder(media, "no data") }
  if (media.mediaType.startsWith("image/")) {
    const detail = media.detail === undefined ? {} : { detail: media.detail }
    return { type: "image_url", image_url: { url: dataUrl(media), ...detail } }
  }
  if (isAddress(media.data)) return { type: "text", text: mediaPlaceholder(media, media.data) }
  const format = AUDIO[media.mediaType]
  if (format !== undefined) return { type: "input_audio", input_audio: { data: base64(media.data), format } }
  const filename = media.name === undefined ? {} : { filename: media.name }
  return { type: "file", file: { file_data: dataUrl(media), ...filename } }
}

/** The media type that a data URL names, or `otherwise`. */
const mediaTypeOf = (data: string, otherwise: string): string => {
  const named = isDataUrl(data) ? data.slice(5).split(/[;,]/, 1)[0] : undefined
  return named === undefined || named === "" ? otherwise : named
}

const detailOf = (json: unknown): Pick<MediaPart, "detail"> =>
  json === "low" || json === "high" || json === "auto" ? { detail: json } : {}

/** The medium of a wire part, or undefined when it is none that is known here. */
export const mediaPart = (part: Fields): MediaPart | undefined => {
  const body = typeof part.type === "string" ? part[part.type] : undefined
  if (!isFields(body)) return undefined
  const { url, data, format, file_data: file, filename } = body
  if (part.type === "image_url" && typeof url === "string") {
    return { type: "media", mediaType: mediaTypeOf(url, "image/*"), data: url, ...detailOf(body.detail) }
  }
  if (part.type === "input_audio" && typeof data === "string" && (format === "wav" || format === "mp3")) {
    return { type: "media", mediaType: format === "wav" ? "audio/wav" : "audio/mpeg", data }
  }
  if (part.type === "file" && typeof file === "string") {
    const name = typeof filename === "string" ? { name: filename } : {}
    return { type: "media", mediaType: mediaTypeOf(file, "application/octet-stream"), data: file, ...name }
  }
  return undefined
}
