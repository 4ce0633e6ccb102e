/**
 * The order in which documents are found: by their words, and fused with their order by vectors.
 *
 * @since 0.1.0
 */
import type { MemoryDocument } from "./Document.ts"
import { type TermCounts, type WeighedDocument, weightOf } from "./Weigh.ts"

/**
 * Constants of BM25: how soon a word that is said again counts no more, and how much a long document is set back
 * (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
 *
 * @category constants
 * @since 0.1.0
 */
export const bm25 = { k1: 1.2, b: 0.75 } as const

/**
 * Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009).
 *
 * @category constants
 * @since 0.1.0
 */
export const RANK_CONSTANT = 60

/**
 * Documents of each order that are fused.
 *
 * @category constants
 * @since 0.1.0
 */
export const FUSED = 100

/**
 * How many documents of an owner there are, and the sum of their lengths.
 *
 * @category models
 * @since 0.1.0
 */
export interface Extent {
  readonly documents: number
  readonly length: number
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Orders documents of equal score: the newest first.
 *
 * @category ordering
 * @since 0.1.0
 */
export const newestFirst = (a: MemoryDocument, b: MemoryDocument): number =>
  b.at - a.at || compare(a.chat, b.chat) || b.position - a.position || a.piece - b.piece

/**
 * Returns how rare a word is that `frequency` of `documents` documents hold themselves.
 *
 * @category getters
 * @since 0.1.0
 */
export const rarity = (frequency: number, documents: number): number =>
  Math.log(1 + (Math.max(0, documents - frequency) + 0.5) / (frequency + 0.5))

/** Digits of a score that count: sums of the same numbers in another order are equal. */
const PRECISION = 1e6

const isOwn = (counts: TermCounts | undefined): boolean => counts !== undefined && counts[0] > 0

/**
 * Scores documents by the words of a query (BM25); those that have none of them are left out. Best first, and of equal
 * ones the newest.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rankByWords = (
  documents: ReadonlyArray<WeighedDocument>,
  query: ReadonlyArray<string>,
  extent: Extent,
): ReadonlyArray<{ readonly document: MemoryDocument; readonly score: number }> => {
  const words = [...new Set(query)].map((word) => {
    const frequency = documents.filter(({ terms }) => isOwn(terms.get(word))).length
    return [word, rarity(frequency, extent.documents)] as const
  })
  const average = extent.documents === 0 ? 1 : extent.length / extent.documents || 1
  const scoreOf = ({ terms, length }: WeighedDocument): number =>
    words.reduce((sum, [word, rare]) => {
      const counts = terms.get(word)
      const weight = counts === undefined ? 0 : weightOf(counts)
      return (
        sum +
        (rare * weight * (bm25.k1 + 1)) / (weight + bm25.k1 * (1 - bm25.b + (bm25.b * length) / average))
      )
    }, 0)
  return documents
    .map((one) => ({ document: one.document, score: Math.round(scoreOf(one) * PRECISION) / PRECISION }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || newestFirst(a.document, b.document))
}

/**
 * A document in the fused order, with its ranks.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ranked {
  readonly document: MemoryDocument
  readonly score: number
  readonly words: number | null
  readonly vectors: number | null
}

/**
 * Fuses two orders by reciprocal rank. The one by vectors counts by `weight`: 1 for a model that knows meaning.
 *
 * @category combinators
 * @since 0.1.0
 */
export const fuse = (
  words: ReadonlyArray<MemoryDocument>,
  vectors: ReadonlyArray<MemoryDocument>,
  weight = 1,
): ReadonlyArray<Ranked> => {
  const ranks = new Map<MemoryDocument, { words: number | null; vectors: number | null }>()
  for (const [i, document] of words.slice(0, FUSED).entries())
    ranks.set(document, { words: i + 1, vectors: null })
  for (const [i, document] of vectors.slice(0, FUSED).entries())
    ranks.set(document, { words: ranks.get(document)?.words ?? null, vectors: i + 1 })
  const share = (rank: number | null): number => (rank === null ? 0 : 1 / (RANK_CONSTANT + rank))
  return [...ranks]
    .map(([document, rank]) => ({
      document,
      score: share(rank.words) + weight * share(rank.vectors),
      ...rank,
    }))
    .sort((a, b) => b.score - a.score || newestFirst(a.document, b.document))
}
