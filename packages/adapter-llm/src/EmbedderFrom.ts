/**
 * An embedder made of the host's own function.
 *
 * @since 0.1.0
 */
import type { Embedder } from "@palimpsest/core/engine"
import { Effect, type Layer } from "effect"
import { type EmbedderOptions, type EmbedFault, embedderLayer } from "./EmbedderLayer.ts"
import { kindOf } from "./FromFunction.ts"

/**
 * A function that embeds, with its name and limits.
 *
 * @category models
 * @since 0.1.0
 */
export interface EmbedderFunction extends EmbedderOptions {
  /**
   * Returns one vector for each text, in order; it is checked, not trusted, and may throw or reject with anything. The
   * signal is aborted when the caller is interrupted or the time is over.
   */
  readonly embed: (
    texts: ReadonlyArray<string>,
    as: "document" | "query",
    signal: AbortSignal,
  ) => Promise<ReadonlyArray<ReadonlyArray<number> | Float32Array | Float64Array>>
}

/** Lists of numbers, also where the host's client gives typed arrays; the rest is for the check to refuse. */
const plain = (vectors: unknown): ReadonlyArray<unknown> | null =>
  Array.isArray(vectors)
    ? vectors.map((vector) =>
        vector instanceof Float32Array || vector instanceof Float64Array ? [...vector] : vector,
      )
    : null

/**
 * Makes an embedder of a function: bring your own model client.
 *
 * **Example** (A client of your own)
 *
 * ```ts
 * import { embedderFrom } from "@palimpsest/adapter-llm"
 *
 * const layer = embedderFrom({
 *   name: "mine",
 *   dimensions: 2,
 *   embed: async (texts) => texts.map((text) => [text.length, 1]),
 * })
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const embedderFrom = (host: EmbedderFunction): Layer.Layer<Embedder> =>
  embedderLayer(host, (texts, as) =>
    Effect.tryPromise({
      try: async (signal) => ({ vectors: plain(await host.embed(texts, as, signal)) }),
      catch: (thrown): EmbedFault => ({
        reason: "Failed",
        isRetryable: false,
        detail: `the function failed with ${kindOf(thrown)}`,
      }),
    }),
  )
