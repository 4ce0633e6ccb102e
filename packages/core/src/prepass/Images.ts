/**
 * Stale images, and the placeholders that stand for them.
 *
 * @since 0.1.0
 */
import { sizeOfData } from "../text/ValueReference.ts"
import { mediaOf } from "../thread/Media.ts"
import type { MediaPart, Message } from "../thread/Message.ts"
import { applyPatches } from "../thread/Patch.ts"
import type { MessageRow } from "../thread/Row.ts"
import { oneLine } from "./Facts.ts"
import { recallHint } from "./StubRule.ts"

/**
 * Tells whether a message holds an image or a file, in its parts or in a result.
 *
 * @category guards
 * @since 0.1.0
 */
export const hasMedia = (message: Message): boolean => mediaOf(message).length > 0

/**
 * Returns the ids of the newest `keep` rows that are sent with an image or a file: theirs are fresh, older ones are
 * stale.
 *
 * @category getters
 * @since 0.1.0
 */
export const freshMedia = (rows: ReadonlyArray<MessageRow>, keep: number): ReadonlySet<string> => {
  const bearing = rows.filter(({ message, cap }) => hasMedia(applyPatches(message, cap ?? [])))
  return new Set(bearing.slice(Math.max(0, bearing.length - Math.max(0, keep))).map(({ id }) => id))
}

/** Kilobytes of the decoded data, or the address where the data is one. */
const weightOf = (data: string): string =>
  /^https?:/i.test(data) ? oneLine(data, 120) : `${Math.ceil((sizeOfData(data).encoded * 3) / 4 / 1024)} KB`

/**
 * Describes an image or a file in a few words, without reading its data: its name, type and size.
 *
 * **Example** (A screenshot)
 *
 * ```ts
 * import { describeMedia } from "@palimpsest/core"
 *
 * describeMedia({ type: "media", mediaType: "image/png", data: "aGVs", width: 640, height: 480, name: "login" })
 * // => 'image "login", image/png, 640x480, 1 KB'
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const describeMedia = (media: MediaPart): string => {
  const kind = media.mediaType.startsWith("image/") ? "image" : "file"
  const named = media.name === undefined ? kind : `${kind} "${oneLine(media.name, 60)}"`
  const sides =
    media.width !== undefined && media.height !== undefined ? [`${media.width}x${media.height}`] : []
  return [named, oneLine(media.mediaType, 60), ...sides, weightOf(media.data)].join(", ")
}

/**
 * Renders the placeholder of a stale image or file: its name, type, size, and how to recall its row.
 *
 * **Example** (A screenshot)
 *
 * ```ts
 * import { placeholder } from "@palimpsest/core"
 *
 * placeholder("m4", { type: "media", mediaType: "image/png", data: "aGVs", width: 640, height: 480, name: "login" })
 * // => '[image "login", image/png, 640x480, 1 KB; recall("m4")]'
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const placeholder = (row: string, media: MediaPart): string =>
  `[${describeMedia(media)}; ${recallHint(row)}]`
