/** Text by the columns that it takes on a terminal. */

const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" })

const INVISIBLE = /^[\p{M}\p{Cf}]$/u

/** East Asian letters and signs, and pictographs: two columns each. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u

const columnsOfLetter = (letter: string): number => (INVISIBLE.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1)

/**
 * Columns that a text without control characters takes. A pictograph joined of several counts as all of them, since
 * some terminals show them so.
 */
export const columns = (text: string): number => {
  let sum = 0
  for (const letter of text) sum += columnsOfLetter(letter)
  return sum
}

/**
 * One harmless line: white space becomes single blanks, and what could steer a terminal (escapes, changes of writing
 * direction) is left out.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .replace(/\p{Cs}/gu, "\ufffd")
    .trim()

/** Shortens a line to a width, with an ellipsis where it is cut; letters stay whole. */
export const fit = (text: string, width: number): string => {
  let kept = ""
  let taken = 0
  for (const { segment } of SEGMENTS.segment(text)) {
    taken += columns(segment)
    if (taken > width) return width < 1 ? "" : `${kept}…`
    if (taken < width) kept += segment
  }
  return text
}

/** Fills a line with blanks at its end up to a width. */
export const padEnd = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - columns(text)))

/** Fills a line with blanks at its start up to a width. */
export const padStart = (text: string, width: number): string =>
  " ".repeat(Math.max(0, width - columns(text))) + text

/** A number with commas between thousands. */
export const thousands = (n: number): string => {
  const [whole = "", rest] = String(n).split(".")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",")
  return rest === undefined ? grouped : `${grouped}.${rest}`
}

/** How many there are of a thing: `1 chat`, `1,200 chats`. */
export const many = (n: number, one: string): string => `${thousands(n)} ${one}${n === 1 ? "" : "s"}`
