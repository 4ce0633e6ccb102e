/**
 * Texts in pieces that are short enough to be found and shown whole.
 *
 * @since 0.1.0
 */
import { takeStart } from "../text/Unicode.ts"

/**
 * Longest piece, in UTF-16 units: about 300 tokens of English, so that a recalled one leaves room for others.
 *
 * @category constants
 * @since 0.1.0
 */
export const PIECE_UNITS = 1200

/**
 * Most pieces of one text: what comes after them is found by the number of its row alone.
 *
 * @category constants
 * @since 0.1.0
 */
export const MOST_PIECES = 64

/** Where a text is divided, the best place first. */
const BREAKS: ReadonlyArray<RegExp> = [/\n\s*\n/g, /\n/g, /[.!?…。！？]["')\]”’»]*(?=\s|$)|[。！？]/g, /\s/g]

/** The end of the last break in the second half of a text, or null. */
const lastBreak = (text: string, pattern: RegExp): number | null => {
  const found = [...text.matchAll(pattern)].at(-1)
  if (found === undefined) return null
  const end = found.index + found[0].length
  return end >= text.length / 2 ? end : null
}

const endOf = (text: string, from: number): number => {
  if (text.length - from <= PIECE_UNITS) return text.length
  const most = text.slice(from, from + PIECE_UNITS)
  for (const pattern of BREAKS) {
    const end = lastBreak(most, pattern)
    if (end !== null) return from + end
  }
  return from + (takeStart(text.slice(from, from + PIECE_UNITS + 2), PIECE_UNITS).length || PIECE_UNITS)
}

/**
 * Divides a text at its paragraphs, lines, sentences or words, into pieces without blanks at their ends; none is blank.
 *
 * **Example** (A short text)
 *
 * ```ts
 * import { piecesOf } from "@palimpsest/core"
 *
 * piecesOf(" It left this morning. ") // => ["It left this morning."]
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const piecesOf = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let from = 0; from < text.length && pieces.length < MOST_PIECES; ) {
    const end = endOf(text, from)
    const piece = text.slice(from, end).trim()
    if (piece !== "") pieces.push(piece)
    from = end
  }
  return pieces
}
