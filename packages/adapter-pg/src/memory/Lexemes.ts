/**
 * Words as the full-text types of Postgres keep them: each with a sign of whose memory it is in.
 *
 * One index serves all tenants. A word without that sign would be looked up among the words of all of them.
 *
 * @since 0.1.0
 */
import { canonicalJson, sha256, termsOf } from "@palimpsest/core"
import type { OwnerKey } from "@palimpsest/core/engine"
import { encodeText } from "../Text.ts"

/** Hex digits of the sign: two owners that share one cost a look at each other's rows, and nothing else. */
const SIGN_DIGITS = 6

/** Most occurrences of one word that a document can count. */
const MOST_COUNTED = 255

/**
 * Most words of a query that are looked for.
 *
 * @category constants
 * @since 0.1.0
 */
export const MOST_ASKED = 64

const signOf = ({ tenant, owner }: OwnerKey): string =>
  sha256(canonicalJson([tenant, owner])).slice(0, SIGN_DIGITS)

const lexemeOf = (sign: string, word: string): string => encodeText(`${sign}${word}`)

const quoted = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, "$&$&")}'`

/**
 * A word that is asked for: as it is kept, and as a query for it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Asked {
  readonly lexeme: string
  readonly query: string
}

/**
 * Finds the words of a query, each once, in the memory of an owner.
 *
 * @category constructors
 * @since 0.1.0
 */
export const askedIn = (key: OwnerKey, query: string): ReadonlyArray<Asked> => {
  const sign = signOf(key)
  return [...new Set(termsOf(query))].slice(0, MOST_ASKED).map((word) => {
    const lexeme = lexemeOf(sign, word)
    return { lexeme, query: quoted(lexeme) }
  })
}

/**
 * Writes the words of documents as texts of the type `tsvector`: each word with as many places as it occurs.
 *
 * @category codecs
 * @since 0.1.0
 */
export const vectorTexts = (key: OwnerKey) => {
  const sign = signOf(key)
  return (counts: Iterable<readonly [word: string, count: number]>): string =>
    [...counts]
      .map(([word, count]) => {
        const places = Array.from({ length: Math.min(count, MOST_COUNTED) }, (_, i) => i + 1)
        return `${quoted(lexemeOf(sign, word))}:${places.join(",")}`
      })
      .join(" ")
}
