/**
 * Large values of messages: put out of them, and back.
 *
 * What is large is the data of images and files. Texts, arguments and opaque parts stay where they are: their count
 * follows from what they say.
 *
 * @since 0.1.0
 */
import { isWellFormed } from "../text/Unicode.ts"
import { readReference, referTo } from "../text/ValueReference.ts"
import { canonicalJson, sha256 } from "./Id.ts"
import { mapMedia, mediaOf } from "./Media.ts"
import type { MediaPart, Message, TextPart } from "./Message.ts"

/**
 * A message with references, and the values that they stand for, by their ids.
 *
 * @category models
 * @since 0.1.0
 */
export interface Referring {
  readonly message: Message
  readonly values: ReadonlyMap<string, string>
}

/** An address is no value: it is sent as it is, and may be looked at. */
const isAddress = (data: string): boolean => /^(?:https?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(data)

/** UTF-8, of which ids are hashes, has no halves of surrogate pairs; nor has anything that is encoded. */
const isLarge = (data: string, above: number): boolean =>
  data.length > above && readReference(data) === null && !isAddress(data) && isWellFormed(data)

/**
 * Puts references in the place of large values: the inline data of images and files of more than `above` UTF-16 units.
 * Everything else stays, the size in pixels and the name included, so that the message counts the same.
 *
 * **Example** (A screenshot)
 *
 * ```ts
 * import { withReferences, withValues } from "@palimpsest/core"
 *
 * const image = { type: "media", mediaType: "image/png", data: "iVBORw0K".repeat(9000), width: 640, height: 480 } as const
 * const { message, values } = withReferences({ role: "user", parts: [image] }, 8192)
 * JSON.stringify(message).length < 300 // => true
 * values.size // => 1
 * withValues(message, values).parts[0] // => image
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const withReferences = (message: Message, above: number): Referring => {
  const values = new Map<string, string>()
  const refer = (media: MediaPart): MediaPart => {
    if (!isLarge(media.data, above)) return media
    const id = sha256(media.data)
    values.set(id, media.data)
    return { ...media, data: referTo(id, media.data) }
  }
  return { message: mapMedia(message, refer), values }
}

/**
 * Lists the ids of the values that a message refers to, each once.
 *
 * @category getters
 * @since 0.1.0
 */
export const referencesIn = (message: Message): ReadonlyArray<string> => [
  ...new Set(mediaOf(message).flatMap(({ data }) => readReference(data)?.id ?? [])),
]

/**
 * Puts values back in the place of their references. A reference whose value is not given, or is not as long as it
 * says, stays: `referencesIn` names it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withValues = (message: Message, values: ReadonlyMap<string, string>): Message =>
  mapMedia(message, (media) => {
    const reference = readReference(media.data)
    const data = reference === null ? undefined : values.get(reference.id)
    return data === undefined || data.length !== reference?.length ? media : { ...media, data }
  })

/**
 * Puts a text in the place of each reference: a value that is not there is said, and never sent for what it is not.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withoutReferences = (message: Message, line: (media: MediaPart) => string): Message =>
  mapMedia(message, (media): MediaPart | TextPart =>
    readReference(media.data) === null ? media : { type: "text", text: line(media) },
  )

/**
 * Tells whether two messages have the same content, wherever their large values are.
 *
 * @category guards
 * @since 0.1.0
 */
export const sameContent = (a: Message, b: Message): boolean => {
  const told = [a, b].map((message) => canonicalJson(withReferences(message, 0).message))
  return told[0] === told[1]
}
