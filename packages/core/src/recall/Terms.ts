/**
 * The words of a text as they are searched for, in any language.
 *
 * @since 0.1.0
 */
import { stemmer } from "stemmer"
import { stopWords } from "./StopWords.ts"

/** Scripts that put no space between words, or many endings behind each: they are searched for by pairs of letters. */
const PAIRED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー"

const WORD = new RegExp(`[${PAIRED}]+|(?:(?![${PAIRED}])[\\p{L}\\p{M}\\p{N}])+`, "gu")

const IS_PAIRED = new RegExp(`^[${PAIRED}]`, "u")

/** Accents of Latin, Greek and Cyrillic letters. */
const ACCENTS = /[\u0300-\u036f]/g

/** Longest word, in UTF-16 units: what is longer is data, and its start tells it from others. */
const LONGEST = 64

/** Lengths of the beginnings by which inflected words of one stem meet, and the least length of words that have them. */
const BEGINNINGS: ReadonlyArray<readonly [take: number, from: number]> = [
  [4, 5],
  [6, 7],
]

const fold = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFD").replace(ACCENTS, "").normalize("NFC")

const pairsOf = (run: string): ReadonlyArray<string> => {
  const letters = [...run]
  return letters.length < 2 ? letters : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`)
}

/** An English word by its stem. A word of other letters as it is, and by its beginnings: no stemmer is needed for it. */
const formsOf = (word: string): ReadonlyArray<string> => {
  if (/^[a-z]+$/.test(word)) return [stemmer(word)]
  if (!/^\p{L}+$/u.test(word)) return [word]
  const letters = [...word]
  const beginnings = BEGINNINGS.filter(([, from]) => letters.length >= from).map(
    ([take]) => `${letters.slice(0, take).join("")}-`,
  )
  return [word, ...beginnings]
}

/**
 * Finds the words of a text that can be searched for, in order and as often as they occur: folded in case, width and
 * accents; English ones stemmed, inflected ones of other alphabets also by their beginnings, and pairs of letters where
 * words are not set apart. Words that say nothing are left out.
 *
 * **Example** (Three languages)
 *
 * ```ts
 * import { termsOf } from "@palimpsest/core"
 *
 * termsOf("The parcels arrived") // => ["parcel", "arriv"]
 * termsOf("книгою") // => ["книгою", "книг-"]
 * termsOf("我住在北京") // => ["我住", "住在", "在北", "北京"]
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const termsOf = (text: string): ReadonlyArray<string> =>
  (fold(text).match(WORD) ?? []).flatMap((found) => {
    if (IS_PAIRED.test(found)) return pairsOf(found)
    return stopWords.has(found) ? [] : formsOf(found.slice(0, LONGEST))
  })
