/**
 * The protocol of embeddings: what is sent, and what comes back.
 *
 * @since 0.1.0
 */
import { Result, Schema } from "effect"
import { Base64 } from "effect/encoding"

const count = Schema.optional(Schema.NullOr(Schema.Finite))

/** Numbers are looked at where they are used: thousands of lists of thousands are not walked twice. */
const Vector = Schema.declare(
  (given: unknown): given is ReadonlyArray<unknown> | string =>
    Array.isArray(given) || typeof given === "string",
)

/**
 * Decodes an answer, as loosely as servers write it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Embeddings = Schema.Struct({
  model: Schema.optional(Schema.NullOr(Schema.String)),
  data: Schema.Array(Schema.Struct({ index: count, embedding: Vector })),
  usage: Schema.optional(Schema.NullOr(Schema.Struct({ prompt_tokens: count, total_tokens: count }))),
})

type Embeddings = typeof Embeddings.Type

/** Bytes of one number: IEEE 754, single precision, little-endian. */
const WIDTH = 4

const fromBase64 = (text: string): ReadonlyArray<number> | null => {
  const bytes = Base64.decode(text)
  if (Result.isFailure(bytes) || bytes.success.length % WIDTH !== 0) return null
  const view = new DataView(bytes.success.buffer, bytes.success.byteOffset, bytes.success.byteLength)
  return Array.from({ length: view.byteLength / WIDTH }, (_, i) => view.getFloat32(i * WIDTH, true))
}

const isNumber = (x: unknown): x is number => Number.isFinite(x)

const numbersOf = (embedding: ReadonlyArray<unknown> | string): ReadonlyArray<number> | null => {
  const numbers = typeof embedding === "string" ? fromBase64(embedding) : embedding
  return numbers?.every(isNumber) === true ? numbers : null
}

/**
 * Reads the vectors in the order of the texts: servers may answer in another one, and say by `index` which is whose.
 * A text is returned that says what is wrong with them.
 *
 * @category getters
 * @since 0.1.0
 */
export const vectorsOf = ({ data }: Embeddings, texts: number): Array<Array<number>> | string => {
  if (data.length !== texts) return `${data.length} vectors for ${texts} texts`
  const vectors: Array<Array<number>> = []
  for (const [at, { index, embedding }] of data.entries()) {
    const place = index ?? at
    const numbers = numbersOf(embedding)
    if (numbers === null) return "a vector that is no list of finite numbers"
    if (!Number.isInteger(place) || place < 0 || place >= texts || vectors[place] !== undefined)
      return `an index, ${place}, that is none of a text or is there twice`
    vectors[place] = [...numbers]
  }
  return vectors
}

/**
 * Reads the tokens that the texts took, as far as the server tells.
 *
 * @category getters
 * @since 0.1.0
 */
export const inputTokensOf = ({ usage }: Embeddings): number | undefined =>
  usage?.prompt_tokens ?? usage?.total_tokens ?? undefined
