/**
 * What a document is found by: its own words, and with less weight those that were said around it.
 *
 * @since 0.1.0
 */
import type { MemoryDocument } from "./Document.ts"
import { termsOf } from "./Terms.ts"

/**
 * Weights of a word by how far away it was said: in the document itself, in the one before or after it, and so on. An
 * answer such as "Yes, yesterday" is found by its question. On recorded dialogues with known evidence (LoCoMo, five of
 * them, 785 questions) the neighbours raised the share of questions all of whose evidence is among the first ten
 * documents from 55 % to 67 %; `npm run -s recall` measures it.
 *
 * @category constants
 * @since 0.1.0
 */
export const nearWeights: readonly [number, number, number, number] = [1, 0.5, 0.25, 0.12]

/**
 * How many neighbours on each side lend their words.
 *
 * @category constants
 * @since 0.1.0
 */
export const NEIGHBOURS = nearWeights.length - 1

/** Documents that lie farther apart in time belong to different conversations: milliseconds. */
const APART = 3_600_000

/**
 * How often a word was said in a document, and in those one, two and three places away.
 *
 * @category models
 * @since 0.1.0
 */
export type TermCounts = readonly [own: number, one: number, two: number, three: number]

/**
 * A document, and the words it is found by.
 *
 * @category models
 * @since 0.1.0
 */
export interface WeighedDocument {
  readonly document: MemoryDocument
  readonly terms: ReadonlyMap<string, TermCounts>
  /** Sum of the weights of all its words. */
  readonly length: number
}

/**
 * Sums the weights of a word.
 *
 * @category getters
 * @since 0.1.0
 */
export const weightOf = (counts: TermCounts): number =>
  counts.reduce((sum, count, i) => sum + count * (nearWeights[i] ?? 0), 0)

const isTalk = ({ role }: MemoryDocument): boolean => role !== "tool"

const isNear = (a: MemoryDocument, b: MemoryDocument): boolean =>
  a.at === 0 || b.at === 0 || Math.abs(a.at - b.at) <= APART

const NOTHING: TermCounts = [0, 0, 0, 0]

const counted = (terms: Map<string, TermCounts>, words: ReadonlyArray<string>, distance: number): void => {
  for (const word of words) {
    const before = terms.get(word) ?? NOTHING
    const [own, one, two, three] = before.map((count, i) => (i === distance ? count + 1 : count))
    terms.set(word, [own ?? 0, one ?? 0, two ?? 0, three ?? 0])
  }
}

const lengthOf = (terms: ReadonlyMap<string, TermCounts>): number =>
  [...terms.values()].reduce((sum, counts) => sum + weightOf(counts), 0)

/**
 * Weighs consecutive documents of one chat, in order. What people and models say lends its words to what is said around
 * it; what tools give stands for itself.
 *
 * @category constructors
 * @since 0.1.0
 */
export const weigh = (documents: ReadonlyArray<MemoryDocument>): ReadonlyArray<WeighedDocument> => {
  const words = new Map(documents.map((document) => [document, termsOf(document.text)]))
  const talk = documents.filter(isTalk)
  const places = new Map(talk.map((document, place) => [document, place]))
  return documents.map((document) => {
    const terms = new Map<string, TermCounts>()
    counted(terms, words.get(document) ?? [], 0)
    const place = places.get(document)
    for (let distance = 1; place !== undefined && distance <= NEIGHBOURS; distance++)
      for (const other of [talk[place - distance], talk[place + distance]])
        if (other !== undefined && isNear(document, other)) counted(terms, words.get(other) ?? [], distance)
    return { document, terms, length: lengthOf(terms) }
  })
}
