/**
 * Asking an embedder, and looking at what it gave.
 *
 * @since 0.1.0
 */
import { type Embedder, EmbedderError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"

type Service = Embedder["Service"]
type Vector = ReadonlyArray<number>

const faultOf = (vector: Vector | undefined, dimensions: number): string | null => {
  if (vector === undefined) return "it gave fewer vectors than texts"
  if (vector.length !== dimensions)
    return `it gave a vector of ${vector.length} numbers, and says that it has ${dimensions} dimensions: name it with those that it gives`
  return vector.every(Number.isFinite) ? null : "it gave a vector with a number that is not finite"
}

const lengthOf = (vector: Vector): number => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))

/** As text, of length 1: whatever its numbers are, they fit into the column. Null for one without a direction. */
const textOf = (vector: Vector): string | null => {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (largest === 0) return null
  const scaled = vector.map((value) => value / largest)
  const length = lengthOf(scaled)
  return `[${scaled.map((value) => (value / length).toFixed(7)).join(",")}]`
}

/**
 * Embeds texts: one vector for each as the text of one of length 1, null for one without a direction. Whatever goes wrong is an
 * `EmbedderError`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const embedTexts = (
  embedder: Service,
  texts: ReadonlyArray<string>,
  as: "document" | "query",
): Effect.Effect<ReadonlyArray<string | null>, EmbedderError> => {
  const fail = (reason: string, detail: string) =>
    Effect.fail(new EmbedderError({ embedder: embedder.name, reason, isRetryable: false, detail }))
  return Effect.suspend(() => embedder.embed(texts, as)).pipe(
    Effect.catchDefect((defect) => fail("Defect", String(defect))),
    Effect.flatMap((vectors) => {
      const fault = texts
        .map((_, i) => faultOf(vectors[i], embedder.dimensions))
        .find((found) => found !== null)
      return fault === undefined ? Effect.succeed(vectors.map(textOf)) : fail("BadVectors", fault)
    }),
  )
}
