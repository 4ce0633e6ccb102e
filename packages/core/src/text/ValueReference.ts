/**
 * References: the short texts that stand in a row for a large value that is kept beside it.
 *
 * @since 0.1.0
 */

/**
 * What a reference tells of its value without reading it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ValueReference {
  /** SHA-256 of the value, hexadecimal: under this name it is kept. */
  readonly id: string
  /** Length of the value in UTF-16 units. */
  readonly length: number
  /** Length of what is encoded in it: without the head of a data URL. */
  readonly encoded: number
}

/** No base64, no data URL and no address that a provider takes begins like this. */
const SCHEME = "palimpsest-value"

const REFERENCE = new RegExp(`^${SCHEME}:([0-9a-f]{64}):(0|[1-9][0-9]{0,14}):(0|[1-9][0-9]{0,14})$`)

/** The longest reference. A value that is no longer is never put away: nothing would be gained. */
export const LONGEST_REFERENCE = `${SCHEME}:`.length + 64 + 2 * (1 + 15)

/** How far the comma that ends the head of a data URL is looked for. */
const HEAD = 200

/** Units of a medium's data without the head of a data URL. */
const encodedIn = (data: string): number =>
  data.length - (data.startsWith("data:") ? data.slice(0, HEAD).indexOf(",") + 1 : 0)

/**
 * Writes the reference to a value.
 *
 * **Example** (A value of five characters)
 *
 * ```ts
 * import { readReference, referTo } from "@palimpsest/core"
 *
 * const id = "ab".repeat(32)
 * readReference(referTo(id, "aGVs=")) // => { id, length: 5, encoded: 5 }
 * readReference("aGVs=") // => null
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const referTo = (id: string, value: string): string =>
  `${SCHEME}:${id}:${value.length}:${encodedIn(value)}`

/**
 * Reads a reference; null for any other text.
 *
 * @category encoding
 * @since 0.1.0
 */
export const readReference = (text: string): ValueReference | null => {
  if (text.length > LONGEST_REFERENCE) return null
  const [, id, length, encoded] = REFERENCE.exec(text) ?? []
  return id === undefined ? null : { id, length: Number(length), encoded: Number(encoded) }
}

const FOUND = new RegExp(`${SCHEME}:[0-9a-f]{64}:[0-9]+:[0-9]+`, "g")

/** Whether a text may hold a reference, told without reading it closely. */
export const mayRefer = (text: string): boolean => text.includes(`${SCHEME}:`)

/** Puts values in the place of the references that stand in a text; one without a value stays. */
export const replaceReferences = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(FOUND, (found) => values.get(readReference(found)?.id ?? "") ?? found)

/**
 * Measures the data of a medium, which may be a reference to it: the units of all of it, and of what is encoded.
 *
 * @category getters
 * @since 0.1.0
 */
export const sizeOfData = (data: string): Pick<ValueReference, "length" | "encoded"> =>
  readReference(data) ?? { length: data.length, encoded: encodedIn(data) }
