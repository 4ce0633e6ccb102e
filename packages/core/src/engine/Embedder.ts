/**
 * The port to what turns texts into vectors.
 *
 * @since 0.1.0
 */
import { Context, type Effect, Schema } from "effect"

/**
 * The embedder gave nothing that can be used.
 *
 * @category errors
 * @since 0.1.0
 */
export class EmbedderError extends Schema.TaggedError<EmbedderError>("@palimpsest/core/EmbedderError")(
  "EmbedderError",
  {
    embedder: Schema.String,
    /** Such as `Timeout`, `RateLimited`, `Unreachable`, `TooLong`, `Refused`, `BadVectors`, `Defect`. */
    reason: Schema.String,
    isRetryable: Schema.Boolean,
    detail: Schema.String,
  },
) {
  override get message() {
    return `${this.embedder}: ${this.reason}: ${this.detail}`
  }
}

/**
 * Turns texts into vectors. Vectors of one name can be compared with each other, and with no others: a change of the
 * model or of the number of dimensions is another name.
 *
 * @category services
 * @since 0.1.0
 */
export class Embedder extends Context.Service<
  Embedder,
  {
    /** Name of the model and its dimensions, such as `text-embedding-3-small/512`. */
    readonly name: string
    /** Numbers in each vector. */
    readonly dimensions: number
    /**
     * How much its order counts beside the order by words when both are fused: 1 for a model that knows meaning, less for
     * one that knows words alone.
     */
    readonly weight: number
    /** Most texts that one request takes. */
    readonly batch: number
    /**
     * Gives one vector of finite numbers for each text, in order. Documents are searched for, queries search: some models
     * tell them apart.
     */
    readonly embed: (
      texts: ReadonlyArray<string>,
      as: "document" | "query",
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<number>>, EmbedderError>
  }
>()("@palimpsest/core/Embedder") {}
