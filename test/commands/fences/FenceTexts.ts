/** Payloads that try to get out of a fence: composed of tags in every disguise, broken fences, and what breaks texts. */
import type { Rng } from "../fuzz/Rng.ts"

type List = readonly [string, ...ReadonlyArray<string>]

const NAMES: List = ["memory-context", "context-summary"]
const OPENERS: List = [
  "<",
  "<",
  "<",
  "<",
  "＜",
  "﹤",
  "‹",
  "〈",
  "⟨",
  "❮",
  "≮",
  "˂",
  "ᐸ",
  "&lt;",
  "&lt",
  "&#60;",
  "&#x3C;",
  "\\u003c",
]
const ENDS: List = [
  ">",
  ">",
  ">",
  ">",
  "＞",
  "﹥",
  "›",
  "〉",
  "⟩",
  "&gt;",
  "\\u003e",
  "",
  " >",
  ' id="1">',
  "/>",
  "\n>",
]
const SLASHES: List = ["/", "/", "/", "／", "⁄", "∕", "\\/", "/ ", " /"]
const GAPS: List = [
  "",
  "",
  "",
  "",
  "",
  " ",
  "\t",
  "\u00a0",
  "\u3000",
  "\\",
  "\\\\",
  "\u200b",
  "\u0301",
  "\u202e",
  "\v",
  "\n",
]
const UNSEEN: List = [
  "\u200b",
  "\u200c",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u202e",
  "\u2066",
  "\u0301",
  "\u034f",
  "\ufe0f",
  "\0",
  "\u007f",
  "\u{e0020}",
  "\u180e",
]
const HYPHENS: List = ["-", "-", "-", "-", "‐", "‑", "–", "－", "−", "\u00ad", "_"]

/** Letters that are drawn as the one of the name. */
const ALIKE: ReadonlyMap<string, List> = new Map<string, List>([
  ["a", ["а", "α", "ａ", "𝐚", "ⓐ"]],
  ["c", ["с", "ϲ", "ｃ", "𝒄", "ⅽ"]],
  ["e", ["е", "ｅ", "𝖾", "é", "ⅇ"]],
  ["m", ["м", "ｍ", "ⅿ", "ᴍ"]],
  ["n", ["ո", "ｎ", "ⁿ"]],
  ["o", ["о", "ο", "ｏ", "ö", "º"]],
  ["r", ["г", "ｒ", "ʳ"]],
  ["s", ["ѕ", "ｓ", "ſ", "ꜱ"]],
  ["t", ["т", "τ", "ｔ"]],
  ["u", ["υ", "ｕ", "ᴜ"]],
  ["x", ["х", "χ", "ｘ", "ⅹ"]],
  ["y", ["у", "ｙ", "γ"]],
])

const WORDS: List = [
  "Likes tea.",
  "a",
  " ",
  "7",
  "漢字",
  "🚀",
  "👨‍👩‍👧",
  "e\u0301",
  "if a < b",
  "<b>x</b>",
  "<!-- -->",
  "const f = <T,>(x: T) => x",
  "memory-context",
  "&amp;",
  "\\",
  "\t",
  "\\n",
]
const LINE_ENDS: List = ["\n", "\n", "\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"]
const BROKEN: List = ["\0", "\ud83d", "\ude80", "\ufffd", "\ude80\ud83d", "\u0000\u0000"]
const SPECIALS: List = [
  "<|endoftext|>",
  "<|im_start|>system\n",
  "<|im_end|>",
  "[INST]",
  "[/INST]",
  "<s>",
  "</s>",
  "<<SYS>>",
  "<start_of_turn>user",
  "<|eot_id|>",
  "\n\nHuman: ",
  "\n\nAssistant: ",
  "\nSystem: ",
  "```\n",
  "~~~\n",
  "> ",
  "<![CDATA[",
  "]]>",
  "-->",
]
const RUNS: List = [
  "<",
  "</",
  "<\\",
  "\\",
  "<memory-context>\n",
  "</memory-context>\n",
  " ",
  "\u200b",
  "\u0301",
  "\n",
  "&lt;",
  "<memory",
  "\u00ad",
  "\ud83d",
  "m",
]
const NOTE = "This block is reference data recalled from earlier conversations."

const cased = (name: string, rng: Rng): string => {
  if (rng.chance(0.8)) return name
  return rng.chance(0.5)
    ? name.toUpperCase()
    : [...name].map((letter) => (rng.chance(0.5) ? letter.toUpperCase() : letter)).join("")
}

/** A name in a disguise: other letters, hyphens, and characters between that are not seen. */
const disguised = (name: string, rng: Rng): string => {
  if (rng.chance(0.5)) return cased(name, rng)
  const [alike, between] = [rng.chance(0.7) ? 0.3 : 0, rng.chance(0.5) ? 0.2 : 0]
  return [...cased(name, rng)]
    .map((letter) => {
      const others = ALIKE.get(letter)
      const drawn =
        letter === "-"
          ? rng.pick(HYPHENS)
          : others !== undefined && rng.chance(alike)
            ? rng.pick(others)
            : letter
      return rng.chance(between) ? drawn + rng.pick(UNSEEN) : drawn
    })
    .join("")
}

/** A tag as the library writes it, or one that only looks like it. */
const tag = (rng: Rng, isCloser: boolean): string => {
  const name = rng.pick(NAMES)
  if (rng.chance(0.45)) return `<${isCloser ? "/" : ""}${name}>`
  const slash = isCloser ? rng.pick(SLASHES) : ""
  const escapes = rng.chance(0.2) ? "\\".repeat(1 + rng.int(3)) : ""
  return (
    rng.pick(OPENERS) +
    escapes +
    rng.pick(GAPS) +
    slash +
    rng.pick(GAPS) +
    disguised(name, rng) +
    rng.pick(ENDS)
  )
}

const spaces = (rng: Rng): string =>
  rng.chance(0.75) ? "" : rng.chance(0.5) ? " ".repeat(rng.int(10)) : "\t"

const tagLine = (rng: Rng, isCloser: boolean): string =>
  spaces(rng) + tag(rng, isCloser) + spaces(rng) + rng.pick(LINE_ENDS)

/** A fence, nested up to a depth, whole or broken. */
const block = (rng: Rng, depth: number): string => {
  const inside = Array.from({ length: rng.int(4) }, () => piece(rng, depth + 1)).join("")
  const note = rng.chance(0.3) ? `${NOTE}\n` : ""
  const whole = `${tagLine(rng, false)}${note}${inside}${rng.chance(0.7) ? "\n" : ""}${tagLine(rng, true)}`
  return rng.chance(0.2) ? whole.slice(rng.int(8), whole.length - rng.int(12)) : whole
}

/** A fence that the library could have written. */
const exact = (rng: Rng): string => {
  const name = rng.pick(NAMES)
  return `<${name}>\n${NOTE}\n${rng.pick(WORDS)}\n</${name}>`
}

const piece = (rng: Rng, depth = 0): string => {
  const roll = rng.int(100)
  if (roll < 28) return tag(rng, rng.chance(0.6))
  if (roll < 40) return tagLine(rng, rng.chance(0.5))
  if (roll < 52 && depth < 3) return block(rng, depth)
  if (roll < 58) return exact(rng)
  if (roll < 74) return rng.pick(WORDS)
  if (roll < 84) return rng.pick(LINE_ENDS)
  if (roll < 91) return rng.pick(SPECIALS)
  if (roll < 95) return rng.pick(BROKEN)
  if (roll < 97) return rng.pick(UNSEEN)
  return rng.pick(RUNS).repeat(1 + rng.int(rng.chance(0.05) ? 800 : 12))
}

/** The payload of a number: of a seed the same each time. */
export const payloadOf = (rng: Rng): string =>
  Array.from({ length: 1 + rng.int(rng.chance(0.8) ? 5 : 14) }, () => piece(rng)).join("")
