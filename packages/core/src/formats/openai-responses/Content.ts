/**
 * What messages and outputs hold: texts, images and files, between a thread and the Responses API.
 *
 * @since 0.1.0
 */
import type { MediaPart, OpaquePart, TextPart } from "../../thread/Message.ts"
import type { Loss } from "../format/Conversation.ts"
import { sidesOf } from "../format/ImageSize.ts"
import {
  base64Of,
  isAddress,
  mediaPlaceholder,
  mediaTypeOf,
  opaquePlaceholder,
  urlOf,
} from "../format/Media.ts"
import { opaque, opaqueValue } from "../format/Opaque.ts"
import { isBlank, type ResponsesPart } from "./Wire.ts"

/** The name of the format. */
export const NAME = "openai-responses"

/** Collects what cannot be said, for one message. */
export type Note = (kind: Loss["kind"], what: string, why: string) => void

const detailOf = (detail: unknown): Pick<MediaPart, "detail"> =>
  detail === "low" || detail === "high" || detail === "auto" ? { detail } : {}

const readImage = ({ image_url: url, detail }: ResponsesPart): MediaPart | null =>
  typeof url === "string"
    ? {
        type: "media",
        mediaType: mediaTypeOf(url, "image/*"),
        data: url,
        ...sidesOf(url),
        ...detailOf(detail),
      }
    : null

const readFile = ({ file_data: data, file_url: url, filename }: ResponsesPart): MediaPart | null => {
  const at = typeof data === "string" ? data : url
  const named = typeof filename === "string" ? { name: filename } : {}
  return typeof at === "string"
    ? { type: "media", mediaType: mediaTypeOf(at, "application/octet-stream"), data: at, ...named }
    : null
}

/** Reads a part; the text of a refusal is a text. */
export const readPart = (part: ResponsesPart): TextPart | MediaPart | OpaquePart => {
  const said = part.type === "refusal" ? part.refusal : part.text
  const isText = part.type === "refusal" || part.type === "input_text" || part.type === "output_text"
  if (isText && typeof said === "string") return { type: "text", text: said }
  const medium =
    part.type === "input_image" ? readImage(part) : part.type === "input_file" ? readFile(part) : null
  return medium ?? opaque(NAME, part)
}

export const textPart = (text: string): ResponsesPart => ({ type: "input_text", text })

/** The part of a medium; null for one that the API does not take: no data, a sound, a film. */
const mediaPart = (media: MediaPart): ResponsesPart | null => {
  const { mediaType, data, name, detail = "auto" } = media
  if (base64Of(data) === "" || /^(?:audio|video)\//.test(mediaType)) return null
  if (mediaType.startsWith("image/")) return { type: "input_image", image_url: urlOf(media), detail }
  if (isAddress(data))
    return { type: "input_file", file_url: data, ...(name === undefined ? {} : { filename: name }) }
  return { type: "input_file", filename: name ?? "file", file_data: urlOf(media) }
}

const writeMedia = (media: MediaPart, note: Note): ResponsesPart => {
  const part = mediaPart(media)
  if (part === null) {
    note("changed", media.mediaType, "only images and files with data can be sent")
    return textPart(mediaPlaceholder(media, "cannot be sent here"))
  }
  if (part.type === "input_image" && media.name !== undefined)
    note("dropped", "the name of an image", "the format has no place for it")
  return part
}

/** Writes what a user or an output says; blank texts are none. */
export const writeParts = (
  parts: ReadonlyArray<TextPart | MediaPart | OpaquePart>,
  note: Note,
): ReadonlyArray<ResponsesPart> =>
  parts.flatMap((part): ReadonlyArray<ResponsesPart> => {
    if (part.type === "text") return isBlank(part.text) ? [] : [textPart(part.text)]
    if (part.type === "media") return [writeMedia(part, note)]
    const own = opaqueValue(part, NAME)
    if (typeof own?.type === "string") return [{ ...own, type: own.type }]
    note("changed", `a part of ${part.format}`, "only its own format can carry it")
    return [textPart(opaquePlaceholder(part))]
  })

/** Parts in their plain form: one text is a string, everything else a list; nothing is what stands for it. */
export const asContent = (
  parts: ReadonlyArray<ResponsesPart>,
  nothing: string,
): string | ReadonlyArray<ResponsesPart> => {
  const [first] = parts
  if (first === undefined) return nothing
  const isOne = parts.length === 1 && first.type === "input_text" && Object.keys(first).length === 2
  return isOne && typeof first.text === "string" ? first.text : parts
}
