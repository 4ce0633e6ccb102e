/**
 * Whether what a model gave are the vectors that were asked for.
 *
 * @since 0.1.0
 */

type Vector = ReadonlyArray<number>

const isNumber = (x: unknown): x is number => Number.isFinite(x)

const wrongLength = (given: number, declared: number): string =>
  `it gave ${given} numbers for a text, and ${declared} are declared: declare \`dimensions: ${given}\`, which is another name and a migration of the index, or have the model asked for ${declared}`

const checkVector = (vector: unknown, dimensions: number): Vector | string => {
  if (!Array.isArray(vector)) return "it gave something that is no list of numbers"
  if (vector.length !== dimensions) return wrongLength(vector.length, dimensions)
  // A copy has no holes: those are no numbers either.
  const numbers: ReadonlyArray<unknown> = Array.from(vector)
  if (!numbers.every(isNumber)) return "it gave something that is no finite number"
  return numbers.every((x) => x === 0) ? "it gave a vector of zeros, which has no direction" : numbers
}

/**
 * Gives the vectors back when they can be used, and else says what is wrong with them and what to do.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkVectors = (
  vectors: unknown,
  texts: number,
  dimensions: number,
): ReadonlyArray<Vector> | string => {
  if (!Array.isArray(vectors)) return "it gave no list of vectors"
  if (vectors.length !== texts)
    return `it gave ${vectors.length} vectors for ${texts} texts: it must give one for each, in order; a smaller \`batch\` may help`
  const checked: Array<Vector> = []
  for (const vector of vectors) {
    const one = checkVector(vector, dimensions)
    if (typeof one === "string") return one
    checked.push(one)
  }
  return checked
}
