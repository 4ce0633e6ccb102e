/**
 * Shortening of texts that damages no character.
 *
 * Lengths are in UTF-16 units, as `String.length` counts them.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"

const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * Replaces each half of a surrogate pair that stands alone by U+FFFD. The rest, and the length, stay equal.
 *
 * **Example** (Output of a binary tool)
 *
 * ```ts
 * import { wellFormed } from "@palimpsest/core"
 *
 * wellFormed("ok \udc00 end") // => "ok \ufffd end"
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const wellFormed = (text: string): string => text.replace(LONE, "\ufffd")

/**
 * Tells whether a text holds no half of a surrogate pair.
 *
 * @category guards
 * @since 0.1.0
 */
export const isWellFormed = (text: string): boolean => text.search(LONE) < 0

/** How far back a cut looks for the start of a joined sequence, in units. Longer ones are cut inside. */
const REACH = 64

const ZWJ = 0x200d
const EXTENDS = /^(?:\u200d|[\p{M}\p{Emoji_Modifier}\u{e0020}-\u{e007f}])/u
const FLAGS_BEFORE = /[\u{1f1e6}-\u{1f1ff}]+$/u
const FLAG_AFTER = /^[\u{1f1e6}-\u{1f1ff}]/u

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** True when a cut at `index` would part a surrogate pair. */
const partsPair = (text: string, index: number): boolean =>
  isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index))

/** True when a cut at `index` would part the two letters of a flag. */
const partsFlag = (text: string, index: number): boolean => {
  if (!FLAG_AFTER.test(text.slice(index, index + 2))) return false
  const before = FLAGS_BEFORE.exec(text.slice(Math.max(0, index - REACH), index))
  return before !== null && before[0].length % 4 === 2
}

/** True when a cut at `index` would part what is seen as one character. */
const partsCharacter = (text: string, index: number): boolean =>
  partsPair(text, index) ||
  text.charCodeAt(index - 1) === ZWJ ||
  EXTENDS.test(text.slice(index, index + 2)) ||
  partsFlag(text, index)

/** The nearest index from `index` on, in steps of `step`, at which the text may be cut. */
const boundary = (text: string, index: number, step: 1 | -1): number => {
  for (let i = index, tried = 0; i > 0 && i < text.length; i += step, tried++) {
    if (tried === REACH) return partsPair(text, index) ? index + step : index
    if (!partsCharacter(text, i)) return i
  }
  return step === 1 ? text.length : 0
}

const wholeUnits = (units: number): number => (units > 0 ? Math.floor(units) : 0)

/**
 * Returns the longest start of a text with at most `units` UTF-16 units that parts no surrogate pair, no joined emoji,
 * no flag and no letter from its marks.
 *
 * **Gotchas**
 *
 * A joined sequence of more than 64 units is parted between two of its code points.
 *
 * **Example** (An emoji at the cut)
 *
 * ```ts
 * import { takeStart } from "@palimpsest/core"
 *
 * takeStart("go 🚀", 4) // => "go "
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const takeStart = (text: string, units: number): string => {
  const size = wholeUnits(units)
  return size >= text.length ? text : text.slice(0, boundary(text, size, -1))
}

/**
 * Returns the longest end of a text with at most `units` UTF-16 units, under the same rules as `takeStart`.
 *
 * **Example** (An emoji at the cut)
 *
 * ```ts
 * import { takeEnd } from "@palimpsest/core"
 *
 * takeEnd("🚀 go", 4) // => " go"
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const takeEnd = (text: string, units: number): string => {
  const size = wholeUnits(units)
  return size >= text.length ? text : text.slice(boundary(text, text.length - size, 1))
}

const defaultMarker = (omitted: number): string => `\n[… ${omitted} characters omitted …]\n`

/**
 * Shortens a text to at most `units` UTF-16 units: its head and its tail, about two to one, with a marker between
 * that says how many units are missing. A text that is short enough is returned unchanged.
 *
 * **Gotchas**
 *
 * Where the marker alone does not fit, the result is the head without a marker.
 *
 * **Example** (Head and tail of a log)
 *
 * ```ts
 * import { shorten } from "@palimpsest/core"
 *
 * shorten("0123456789", 8, (omitted) => `<${omitted}>`) // => "012<6>9"
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const shorten = (
  text: string,
  units: number,
  marker: (omitted: number) => string = defaultMarker,
): string => {
  const size = wholeUnits(units)
  if (text.length <= size) return text
  for (let room = size - wellFormed(marker(text.length)).length; room >= 0; ) {
    const head = takeStart(text, Math.ceil((room * 2) / 3))
    const tail = takeEnd(text, room - head.length)
    const between = wellFormed(marker(text.length - head.length - tail.length))
    const excess = head.length + between.length + tail.length - size
    if (excess <= 0) return head + between + tail
    room -= excess
  }
  return takeStart(text, size)
}

/** The first size, doubling from `size`, whose start of the text counts more than `max`; or the whole length. */
const tooLong = (text: string, max: number, counter: TokenCounter): number => {
  let size = Math.max(64, max * 4)
  while (size < text.length && counter.count(takeStart(text, size)) <= max) size *= 2
  return Math.min(size, text.length)
}

/**
 * Returns the longest start of a text that counts at most `max` tokens, cut as `takeStart` cuts.
 *
 * The cost follows the length of the result, not of the text. It searches by halves, so that with a counter under which a longer
 * text may count less, a slightly longer start may exist.
 *
 * **Example** (A counter of words)
 *
 * ```ts
 * import { fitTokens } from "@palimpsest/core"
 *
 * const words = { name: "words", count: (text: string) => text.split(" ").filter(Boolean).length }
 * fitTokens("one two three", 2, words) // => "one two "
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const fitTokens = (text: string, max: number, counter: TokenCounter): string => {
  if (!(max > 0)) return ""
  let bad = tooLong(text, max, counter)
  if (bad === text.length && counter.count(text) <= max) return text
  let good = 0
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (counter.count(takeStart(text, middle)) <= max) good = middle
    else bad = middle
  }
  return takeStart(text, good)
}
