/**
 * A count without a tokenizer.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "./TokenCounter.ts"

// The bounds keep the regex engine's own stack small.
const PIECE =
  /([\p{Script=Latin}\p{Nd}]{1,256})|([\p{L}\p{M}]{1,256})|(\s{1,256})|([^\s\p{L}\p{M}\p{Nd}]{1,256})/gu
const WORD_PART = /\p{Lu}?[^\p{Lu}\p{Nd}]+|\p{Lu}+|\p{Nd}+/gu
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const BEYOND_ASCII = /[^\0-\x7f]/gu

/** Characters to a token of text without words, such as base64, hexadecimal and identifiers. */
const DENSE = 1.45
/** Characters to a token of letters in one row, such as a key of lower-case letters. */
const WORDLESS = 1.8

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** A part of a word: digits by three, letters by six, and letters that are no word by less. */
const partTokens = (part: string): number => {
  if (/^\p{Nd}/u.test(part)) return Math.ceil(part.length / 3)
  return part.length > 20 ? part.length / WORDLESS : 1 + Math.floor((part.length - 1) / 6)
}

/** Letters and digits in a row: a word or several (`getUserName`), or a dense string whose parts are short. */
const wordTokens = (word: string): number => {
  const parts = word.match(WORD_PART) ?? []
  const mixed = parts.length > 1 && word.length / parts.length < 3.5
  return mixed ? word.length / DENSE : parts.reduce((sum, part) => sum + partTokens(part), 0)
}

/** Letters of other scripts: a token for each ideograph, one for two letters of an alphabet. */
const scriptTokens = (letters: string): number => {
  const ideographs = countOf(letters, IDEOGRAPHS)
  return ideographs + (letters.length - ideographs) / 2
}

/** A single space belongs to the word after it. */
const spaceTokens = (space: string): number => (space === " " ? 0 : 1)

/** Symbols: half a token each after the first, two more for each that is not ASCII, such as an emoji. */
const symbolTokens = (symbols: string): number =>
  (symbols.length + 1) / 2 + 1.5 * countOf(symbols, BEYOND_ASCII)

/**
 * Estimates tokens from classes of characters, without a vocabulary: words, dense strings (base64, hexadecimal),
 * ideographs, other letters, symbols, space. It leans to the high side, and is deterministic and linear.
 *
 * **Example** (A sentence)
 *
 * ```ts
 * import { estimateCounter } from "@palimpsest/core"
 *
 * estimateCounter.count("Where is my order?") // => 5
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const estimateCounter: TokenCounter = {
  name: "estimate",
  count: (text) => {
    let sum = 0
    for (const [piece, word, letters, space] of text.matchAll(PIECE)) {
      if (word !== undefined) sum += wordTokens(word)
      else if (letters !== undefined) sum += scriptTokens(letters)
      else sum += space === undefined ? symbolTokens(piece) : spaceTokens(space)
    }
    return Math.ceil(sum)
  },
}
