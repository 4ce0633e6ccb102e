/**
 * Texts as a request takes them: cut where they are too long, and in batches.
 *
 * @since 0.1.0
 */
import { takeStart, wellFormed } from "@palimpsest/core"

/**
 * Cuts a text at its end to at most so many UTF-16 units. The result is well formed: no surrogate pair is split.
 *
 * @category combinators
 * @since 0.1.0
 */
export const cutText = (text: string, units: number): string => wellFormed(takeStart(text, units))

/**
 * Parts texts, in order, into batches of at most so many texts and characters. A text that has more alone is a batch.
 *
 * @category combinators
 * @since 0.1.0
 */
export const batchesOf = (
  texts: ReadonlyArray<string>,
  most: number,
  characters: number,
): ReadonlyArray<ReadonlyArray<string>> => {
  const batches: Array<Array<string>> = []
  let open: Array<string> = []
  let room = 0
  for (const text of texts) {
    if (open.length === 0 || open.length >= most || text.length > room) {
      open = []
      batches.push(open)
      room = characters
    }
    open.push(text)
    room -= text.length
  }
  return batches
}
