/**
 * Which sentences say the most: exact strings, numbers, and words that are rare in the span.
 *
 * @since 0.1.0
 */
import { identifiers } from "./Identifiers.ts"

/** A sentence of a row, with the place of the row in the span. */
export interface Sentence {
  readonly text: string
  readonly row: number
  /** Added to its score by what is known of its row. */
  readonly bonus: number
}

/** A sentence with its score. Whole numbers: they compare alike in each engine. */
export interface Scored extends Sentence {
  readonly score: number
}

/** More than everything else together: what the host wants to be kept comes first. */
const FOCUS = 50

const WORD = /[\p{L}\p{N}_]{2,40}/gu
const NUMBER = /\d+/g

/** Questions and announcements say less than the answer or the list that follows. */
const OPEN_END = /[?？؟:：]["')\]*]{0,3}$/
const OPEN_END_COST = 4

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(WORD) ?? [])

const frequencies = (all: ReadonlyArray<ReadonlySet<string>>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const words of all) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const scoreOf = (
  sentence: Sentence,
  words: ReadonlySet<string>,
  seen: ReadonlyMap<string, number>,
  focus: ReadonlySet<string>,
): number => {
  const rare = [...words].filter((word) => word.length > 3 && (seen.get(word) ?? 0) <= 2).length
  const wanted = [...words].filter((word) => focus.has(word)).length
  return (
    4 * Math.min(identifiers(sentence.text).length, 4) +
    2 * Math.min(sentence.text.match(NUMBER)?.length ?? 0, 3) +
    Math.min(rare, 4) +
    FOCUS * wanted +
    sentence.bonus -
    (OPEN_END.test(sentence.text) ? OPEN_END_COST : 0) -
    Math.floor(sentence.text.length / 200)
  )
}

/** Scores sentences against each other; words of the focus weigh most. */
export const score = (all: ReadonlyArray<Sentence>, focus: string): ReadonlyArray<Scored> => {
  const words = all.map((sentence) => wordsOf(sentence.text))
  const seen = frequencies(words)
  const wanted = wordsOf(focus)
  return all.map((sentence, i) => ({
    ...sentence,
    score: scoreOf(sentence, words[i] ?? new Set(), seen, wanted),
  }))
}
