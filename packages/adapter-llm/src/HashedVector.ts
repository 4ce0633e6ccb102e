/**
 * Texts as vectors without a model: hashed features. It is lexical: it knows letters, and no meaning.
 *
 * Feature hashing after Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (ICML 2009), with a sign
 * for each feature. Only exactly specified arithmetic is used, so that every engine gives the same bits.
 *
 * @since 0.1.0
 */
import { type Feature, featuresOf } from "./TextFeatures.ts"

/** How often a feature occurs, and its weights together: those of a group differ from word to word. */
interface Count {
  times: number
  weight: number
}

const counted = (features: Iterable<Feature>): ReadonlyMap<number, Count> => {
  const counts = new Map<number, Count>()
  for (const { hash, weight } of features) {
    const count = counts.get(hash)
    if (count === undefined) counts.set(hash, { times: 1, weight })
    else {
      count.times++
      count.weight += weight
    }
  }
  return counts
}

/** The direction of a text in which there is nothing to read: a cosine needs one. */
const nowhere = (dimensions: number): ReadonlyArray<number> =>
  Array.from({ length: dimensions }, (_, i) => (i === 0 ? 1 : 0))

/**
 * Gives a vector its length of one. A vector without a direction gets that of the first axis.
 *
 * @category combinators
 * @since 0.1.0
 */
export const unitVector = (vector: ReadonlyArray<number>): ReadonlyArray<number> => {
  const largest = vector.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  if (largest === 0) return nowhere(vector.length)
  const length = Math.sqrt(vector.reduce((sum, x) => sum + (x / largest) ** 2, 0))
  return vector.map((x) => Math.fround(x / largest / length))
}

/**
 * Makes the vector of a text: its words, the groups of 3 to 5 letters in them, and pairs of characters in scripts without
 * spaces; a feature that occurs n times counts √n times. The vector has the length one; a text without a letter or a
 * digit has that of the first axis. The time is linear in the text.
 *
 * **Gotchas**
 *
 * Lexical: forms of one word are near each other, and words that mean the same are not.
 *
 * **Example** (Two forms of a word)
 *
 * ```ts
 * import { hashedVector } from "@palimpsest/adapter-llm"
 *
 * const near = (a: string, b: string) => {
 *   const other = hashedVector(b, 384)
 *   return hashedVector(a, 384).reduce((sum, x, i) => sum + x * (other[i] ?? 0), 0)
 * }
 * near("книга", "книги") > near("книга", "собака") // => true
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const hashedVector = (text: string, dimensions: number): ReadonlyArray<number> => {
  const sums = Array.from({ length: dimensions }, () => 0)
  for (const [hash, { weight, times }] of counted(featuresOf(text))) {
    const value = weight / Math.sqrt(times)
    const at = hash % dimensions
    sums[at] = (sums[at] ?? 0) + (signOf(hash) ? value : -value)
  }
  return unitVector(sums)
}

/** A bit that does not depend on the place: of all the bits of the hash, mixed once more. */
const signOf = (hash: number): boolean => ((Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 12) & 1) === 1
