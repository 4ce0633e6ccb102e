/**
 * An embedder that needs no model. It is lexical, and says so by its name.
 *
 * @since 0.1.0
 */
import type { Embedder } from "@palimpsest/core/engine"
import { Effect, type Layer } from "effect"
import { embedderLayer } from "./EmbedderLayer.ts"
import { hashedVector } from "./HashedVector.ts"

/**
 * It adds little to the order by words, which knows how rare each is: on the recorded dialogues of `npm run -s recall` more
 * weight than this found less evidence. It is there for what has no word in common.
 */
const WEIGHT = 0.1

/**
 * Embeds by hashed features, in the process: deterministic, free and without a network. See `hashedVector`.
 *
 * **Gotchas**
 *
 * It finds other forms of the same words, and misspelt ones, in any script; what means the same in other words it does not
 * find. 384 dimensions by default.
 *
 * @category layers
 * @since 0.1.0
 */
export const offlineEmbedder = (options: { readonly dimensions?: number } = {}): Layer.Layer<Embedder> => {
  const { dimensions = 384 } = options
  const name = "hashed-features-1"
  return embedderLayer({ name, dimensions, weight: WEIGHT, characters: 100_000 }, (texts) =>
    Effect.sync(() => ({ vectors: texts.map((text) => hashedVector(text, dimensions)) })),
  )
}
