/**
 * Segmentation of a text in any language, by its punctuation and line breaks.
 *
 * @since 0.1.0
 */
import { takeEnd, takeStart } from "../text/Unicode.ts"
import { oneLine } from "./ItemText.ts"

const BREAK = /(?<=[.!?…]["')\]”’»]{0,2})\s+|(?<=[。！？｡؟।])\s*|[\r\n\u0085\u2028\u2029]+/

/** What opens a line of a list, a heading or a quotation. */
const BULLET = /^(?:[-*•>|]\s{1,4}|#{1,6}\s{1,4}|\d{1,3}[.)]\s{1,4}){1,4}/

/** What is read of one text, UTF-16 units: its head and its tail, where most texts say what they are about. */
const HEAD = 12_000
const TAIL = 4000

const ends = (text: string): string =>
  text.length <= HEAD + TAIL ? text : `${takeStart(text, HEAD)}\n${takeEnd(text, TAIL)}`

/**
 * Splits a text into sentences, each on one line and a piece of it. Of a long text the head and the tail are read.
 *
 * **Example** (Two scripts)
 *
 * ```ts
 * import { sentences } from "@palimpsest/core"
 *
 * sentences("Open src/a.ts now. 不要删除。好的") // => ["Open src/a.ts now.", "不要删除。", "好的"]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const sentences = (text: string): ReadonlyArray<string> =>
  ends(text)
    .split(BREAK)
    .map((piece) => oneLine(piece).replace(BULLET, ""))
    .filter((piece) => piece !== "")
