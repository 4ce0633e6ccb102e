/**
 * An embedder over any embedding model.
 *
 * @since 0.1.0
 */
import type { Embedder } from "@palimpsest/core/engine"
import { Effect, Layer, Schedule, SchemaIssue } from "effect"
import type { AiError } from "effect/ai"
import { EmbeddingModel } from "effect/ai"
import { type EmbedderOptions, type EmbedFault, embedderLayer } from "./EmbedderLayer.ts"
import { ofAiError } from "./Reason.ts"

/**
 * What the embedder is called, and how patient it is.
 *
 * @category models
 * @since 0.1.0
 */
export interface ModelEmbedderOptions extends EmbedderOptions {
  /**
   * How often to ask again after a failure that may pass; 0 by default, since layers such as `openAiEmbeddings` do so
   * themselves. Within the time for one request.
   */
  readonly retries?: number
}

const badVectors = (detail: string): EmbedFault => ({ reason: "BadVectors", isRetryable: false, detail })

/** What `EmbeddingModel` itself finds wrong is a number of vectors. */
const ofError = (error: AiError.AiError): EmbedFault =>
  error.module === "EmbeddingModel" && error.reason._tag === "InvalidOutputError"
    ? badVectors("it gave another number of vectors than texts: it must give one for each, in order")
    : ofAiError(error)

/** `EmbeddingModel` dies of what is no finite number. */
const isNoNumber = (defect: unknown): boolean => defect instanceof Error && SchemaIssue.isIssue(defect.cause)

const ofDefect = (defect: unknown): EmbedFault =>
  isNoNumber(defect)
    ? badVectors("it gave something that is no finite number: look at what its layer makes of the answer")
    : { reason: "Defect", isRetryable: false, detail: "the embedding model's layer died" }

/**
 * Embeds with the embedding model of the context.
 *
 * **Example** (Over a model of any provider)
 *
 * ```ts
 * import { modelEmbedder } from "@palimpsest/adapter-llm"
 * import { Effect, Layer } from "effect"
 * import { EmbeddingModel } from "effect/ai"
 *
 * const model = Layer.effect(
 *   EmbeddingModel.EmbeddingModel,
 *   EmbeddingModel.make({
 *     embedMany: ({ inputs }) =>
 *       Effect.succeed({ results: inputs.map((text) => [text.length, 1]), usage: { inputTokens: inputs.length } }),
 *   }),
 * )
 * const layer = modelEmbedder({ name: "tiny", dimensions: 2 }).pipe(Layer.provide(model))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const modelEmbedder = (
  options: ModelEmbedderOptions,
): Layer.Layer<Embedder, never, EmbeddingModel.EmbeddingModel> =>
  Layer.unwrap(
    Effect.map(EmbeddingModel.EmbeddingModel, (model) =>
      embedderLayer(options, (texts) =>
        model.embedMany(texts).pipe(
          Effect.mapError(ofError),
          Effect.catchDefect((defect) => Effect.fail(ofDefect(defect))),
          Effect.retry({
            times: options.retries ?? 0,
            schedule: Schedule.exponential(500),
            while: (fault: EmbedFault) => fault.isRetryable,
          }),
          Effect.map(({ embeddings, usage }) => ({
            vectors: embeddings.map(({ vector }) => vector),
            inputTokens: usage.inputTokens,
          })),
        ),
      ),
    ),
  )
