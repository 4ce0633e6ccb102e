/**
 * Texts without the fences in them: what may be remembered of a message.
 *
 * @since 0.1.0
 */
import { findTags, type Tag } from "./Tag.ts"

/** The rest of a tag behind its name, to its `>` or what stands for one. It does not go over what was left out. */
const REST =
  /(?![\p{L}\p{N}_-])[^<>\n\r…]{0,200}?(?:[>\u02c3\u203a\u2265\u232a\u276d\u276f\u27e9\u3009\ufe65\uff1e]|&(?:gt|#0{0,6}62|#x0{0,6}3e);?|\\u003e)/iuy

/** How the note of each fence begins. */
const NOTE_OPENING = "This block is reference data"

/** What may stand between an opener and its note: white space, also as JSON writes it, and marks of a quotation. */
const BLANK = /(?:[\s>|]|\\[nrt]){0,64}/uy

/** A whole tag. */
interface Bounds extends Tag {
  readonly past: number
}

const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found === null ? -1 : at + found[0].length
}

const QUOTES = "`\"'“”«»‘’"

/** A tag between quotation marks is spoken of: it opens and closes nothing. */
const isMentioned = (text: string, { start, past }: Bounds): boolean =>
  start > 0 &&
  past < text.length &&
  QUOTES.includes(text.charAt(start - 1)) &&
  QUOTES.includes(text.charAt(past))

const tagsOf = (text: string): ReadonlyArray<Bounds> =>
  findTags(text)
    .map((tag) => ({ ...tag, past: endOf(REST, text, tag.end) }))
    .filter((tag) => tag.past >= 0 && !isMentioned(text, tag))

/** For each opener the closer of the same name and as many backslashes; one more when its `/` was escaped as in JSON. */
const closersOf = (tags: ReadonlyArray<Bounds>): ReadonlyMap<Bounds, Bounds> => {
  const next = new Map<string, Bounds>()
  const closers = new Map<Bounds, Bounds>()
  for (const tag of tags.toReversed()) {
    const closer = next.get(`${tag.name} ${tag.escapes}`) ?? next.get(`${tag.name} ${tag.escapes + 1}`)
    if (tag.isCloser) next.set(`${tag.name} ${tag.escapes}`, tag)
    else if (closer !== undefined) closers.set(tag, closer)
  }
  return closers
}

/** A block of this library that was cut off: its note follows the opener, and no closer comes. */
const hasNote = (text: string, { past }: Bounds): boolean =>
  text.startsWith(NOTE_OPENING, endOf(BLANK, text, past))

/** What stands where a fence was: a line break between lines, else a mark that something is left out. */
const joint = (before: string, after: string): string =>
  /[\n\r][^\S\n\r]*$/.test(before.slice(-64)) || /^[^\S\n\r]*[\n\r]/.test(after.slice(0, 64)) ? "\n" : " … "

/** Joins what is left, without the white space around what was taken out. */
const join = (pieces: ReadonlyArray<string>): string => {
  const last = pieces.length - 1
  let out = ""
  let before: string | null = null
  pieces.forEach((piece, i) => {
    if (piece.trim() === "") return
    const start = i === 0 ? piece : piece.trimStart()
    out += (before === null ? "" : joint(before, piece)) + (i === last ? start : start.trimEnd())
    before = piece
  })
  return out
}

/**
 * Removes from a text each fence of this library, whole or cut off, wherever it stands and however its tags are written:
 * quoted in a tool's JSON, indented, escaped in another fence. So nothing that was injected is remembered as something
 * that was said. A tag alone, and one between quotation marks, is text.
 *
 * **Gotchas**
 *
 * This is for what is remembered, where rather too much is left out than too little. What is shown goes through
 * `scrub`, which removes nothing but whole blocks.
 *
 * **Example** (A reply that repeats a memory)
 *
 * ```ts
 * import { withoutFences } from "@palimpsest/core"
 *
 * withoutFences("Sure.\n<memory-context>\nLikes tea.\n</memory-context>\nBooked.") // => "Sure.\nBooked."
 * withoutFences("Notes stand in `<memory-context>` blocks.") // => "Notes stand in `<memory-context>` blocks."
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const withoutFences = (text: string): string => {
  const tags = tagsOf(text)
  const closers = closersOf(tags)
  const pieces: Array<string> = []
  let done = 0
  for (const tag of tags) {
    if (tag.start < done || tag.isCloser) continue
    const past = closers.get(tag)?.past ?? (hasNote(text, tag) ? text.length : -1)
    if (past < 0) continue
    pieces.push(text.slice(done, tag.start))
    done = past
  }
  return pieces.length === 0 ? text : join([...pieces, text.slice(done)])
}
