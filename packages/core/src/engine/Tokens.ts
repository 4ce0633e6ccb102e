/**
 * The port to a token counter.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer } from "effect"
import { estimateCounter } from "../count/Estimate.ts"
import { safeCounter } from "../count/SafeCounter.ts"
import type { TokenCounter } from "../count/TokenCounter.ts"
import { loadO200k } from "../o200k.ts"

/**
 * Counts tokens. Whatever is given is made total by `safeCounter`.
 *
 * @category services
 * @since 0.1.0
 */
export class Tokens extends Context.Service<Tokens, TokenCounter>()("@palimpsest/core/Tokens") {
  /** The default: o200k_base, loaded when the layer is built. */
  static readonly layer: Layer.Layer<Tokens> = Layer.effect(Tokens, Effect.promise(loadO200k))

  /** A counter of the host's. */
  static readonly layerFrom = (counter: TokenCounter): Layer.Layer<Tokens> =>
    Layer.succeed(Tokens, safeCounter(counter))

  /** The estimate by classes of characters: nothing to load, and no exact counts. */
  static readonly layerEstimate: Layer.Layer<Tokens> = Layer.succeed(Tokens, estimateCounter)
}
