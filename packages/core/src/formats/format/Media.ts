/**
 * Images and files between a thread and the wire: base64, data URLs and addresses.
 *
 * @since 0.1.0
 */
import type { MediaPart, OpaquePart } from "../../thread/Message.ts"

/** Whether the data is an address: a scheme and two slashes, which base64 cannot hold. */
export const isAddress = (data: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(data)

const isDataUrl = (data: string): boolean => data.startsWith("data:")

/** The base64 of a medium, without the head of a data URL; an address as it is. */
export const base64Of = (data: string): string => (isDataUrl(data) ? data.slice(data.indexOf(",") + 1) : data)

/** A medium as an address or a data URL. */
export const urlOf = ({ data, mediaType }: MediaPart): string =>
  isDataUrl(data) || isAddress(data) ? data : `data:${mediaType};base64,${data}`

/** The media type that a data URL names, or `otherwise`. */
export const mediaTypeOf = (data: string, otherwise: string): string => {
  const named = isDataUrl(data) ? data.slice(5, 205).split(/[;,]/, 1)[0] : undefined
  return named === undefined || named === "" ? otherwise : named
}

/** What stands in a text for a medium that cannot be there: its type, and its name where it has one. */
export const mediaPlaceholder = (media: MediaPart, where: string): string => {
  const name = media.name === undefined ? "" : ` ${JSON.stringify(media.name)}`
  return `[${media.mediaType}${name}: ${where}]`
}

/** What stands in a text for a part that only another format understands. */
export const opaquePlaceholder = ({ format }: OpaquePart): string =>
  `[a part of ${format} that cannot be sent here]`
