/**
 * Tags of fences in a text, and what a reader could take for one.
 *
 * A model reads `＜/memory-context＞`, a tag with a zero-width space inside, or one in Cyrillic letters, as the tag. So a
 * tag is found by what it looks like: each character is folded to the ASCII letter that it is drawn as, and what is not
 * drawn is passed over. The time is linear: a tag ends before the next character that could open one.
 *
 * @since 0.1.0
 */

/**
 * The names of the fences.
 *
 * @category models
 * @since 0.1.0
 */
export type FenceName = "memory-context" | "context-summary"

/**
 * The names of the fences, as a list.
 *
 * @category constants
 * @since 0.1.0
 */
export const fenceNames: ReadonlyArray<FenceName> = ["memory-context", "context-summary"]

/** A tag, from what opens it to the end of its name. What follows the name is not looked at. */
export interface Tag {
  readonly name: FenceName
  readonly isCloser: boolean
  /** Where it begins. */
  readonly start: number
  /** Behind its `<`, or what stands for one: the place of the backslashes that escape it. */
  readonly opened: number
  /** Behind its name. */
  readonly end: number
  /** Backslashes that stand directly behind its `<`. */
  readonly escapes: number
}

/** `<`, characters drawn like it, and how HTML and JSON write it. */
const OPEN =
  /[<\u02c2\u1438\u16b2\u2039\u226a\u226e\u2276\u2329\u276c\u276e\u2770\u27e8\u29fc\u3008\u300a\ufe64\uff1c\u{1d236}]|&(?:lt|#0{0,6}60|#x0{0,6}3c);?|\\u003c/giu

/** Not drawn, or drawn on the character before. Line breaks are none of them: no tag goes over two lines. */
const UNSEEN =
  /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\0-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/u

const SPACE = /[^\S\n\r\u2028\u2029]/u

/** Letters of other scripts, by the letter of the names that they are drawn as. */
const DRAWN_AS: ReadonlyArray<readonly [string, string]> = [
  ["a", "\u0430\u0251\u03b1\u237a\u1d00"],
  ["c", "\u0441\u03f2\u1d04\u2ca5"],
  ["e", "\u0435\u0454\u04bd\u03b5\u1d07\u212e"],
  ["m", "\u043c\u03bc\u1d0d"],
  ["n", "\u0578\u057c\u0274\u03b7\u03bd"],
  ["o", "\u043e\u03bf\u03c3\u0585\u1d0f"],
  ["r", "\u0433\u1d26\u0280"],
  ["s", "\u0455\ua731"],
  ["t", "\u0442\u03c4\u1d1b"],
  ["u", "\u03c5\u057d\u1d1c\u028b"],
  ["x", "\u0445\u03c7\u00d7"],
  ["y", "\u0443\u04af\u03b3\u028f"],
  ["/", "\u2044\u2215\u2571\u29f8"],
  ["-", "\u02d7\u2043\u2212\u2500\u30fc"],
]

const LETTERS: ReadonlyMap<string, string> = new Map(
  DRAWN_AS.flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
)

const DASH = /\p{Pd}/u

/** What a character is drawn as, in small ASCII letters where there are any; empty when it is not drawn. */
const drawn = (character: string): string => {
  if (character >= " " && character <= "~") return character === "_" ? "-" : character.toLowerCase()
  let out = ""
  for (const part of character.normalize("NFKD").toLowerCase())
    if (!UNSEEN.test(part)) out += LETTERS.get(part) ?? (DASH.test(part) ? "-" : part)
  return out
}

const characterAt = (text: string, at: number): string => {
  const point = text.codePointAt(at)
  return point === undefined ? "" : String.fromCodePoint(point)
}

/** Where a name ends that begins at a place; -1 when it does not stand there. A soft hyphen may be its hyphen, and several are one. */
const nameEnd = (text: string, from: number, name: string): number => {
  let seen = ""
  let at = from
  while (seen.length < name.length) {
    const character = characterAt(text, at)
    const letters = drawn(character)
    const isSecond = letters === "-" && seen.endsWith("-")
    if (character === "" || !(isSecond || name.startsWith(seen + letters))) return -1
    const isHyphen = letters === "" && name[seen.length] === "-" && character === "\u00ad"
    seen += isSecond ? "" : isHyphen ? "-" : letters
    at += character.length
  }
  return at
}

/** The tag that something opens, if it is one. */
const tagAt = (text: string, start: number, opened: number): Tag | null => {
  let at = opened
  let escapes = 0
  let isCloser = false
  let first = ""
  for (;;) {
    const character = characterAt(text, at)
    const letters = drawn(character)
    if (character === "") return null
    if (character === "\\") escapes += at === opened + escapes ? 1 : 0
    else if (letters === "/" && !isCloser) isCloser = true
    else if (letters !== "" && !SPACE.test(letters)) {
      first = letters
      break
    }
    at += character.length
  }
  for (const name of fenceNames) {
    if (!name.startsWith(first)) continue
    const end = nameEnd(text, at, name)
    if (end >= 0) return { name, isCloser, start, opened, end, escapes }
  }
  return null
}

/** Finds the tags of fences in a text, and all that looks like one, in order. No two overlap. */
export const findTags = (text: string): ReadonlyArray<Tag> => {
  const tags: Array<Tag> = []
  for (const open of text.matchAll(OPEN)) {
    const tag = tagAt(text, open.index, open.index + open[0].length)
    if (tag !== null) tags.push(tag)
  }
  return tags
}
