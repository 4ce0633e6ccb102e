/**
 * An embedding model behind any server that speaks OpenAI's embeddings.
 *
 * @since 0.1.0
 */
import type { Embedder } from "@palimpsest/core/engine"
import { Effect, Layer, Option } from "effect"
import { AiError, EmbeddingModel, Telemetry } from "effect/ai"
import { HttpClient } from "effect/http"
import { batchesOf } from "./EmbedTexts.ts"
import { type ModelEmbedderOptions, modelEmbedder } from "./ModelEmbedder.ts"
import { exchange, type OpenAiServer } from "./OpenAiExchange.ts"
import { Embeddings, inputTokensOf, vectorsOf } from "./OpenAiVectors.ts"

/**
 * Where the server is, which model to use, and how patient to be.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiEmbeddingsOptions extends OpenAiServer {
  readonly model: string
  /** Asks for vectors of so many numbers. Not sent by default: many servers refuse it. */
  readonly dimensions?: number
  /** How vectors travel: `base64` is a quarter of the bytes, where the server knows it; not sent by default. */
  readonly encoding?: "float" | "base64"
  /** More fields of the request body, such as `{ user: "7" }`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

const ENDPOINT = {
  module: "OpenAiEmbeddings",
  method: "embedMany",
  path: "embeddings",
  answer: "list of embeddings",
}

/** Limits of OpenAI's own server for one request: texts, and characters where no character is more than a token. */
const MOST_TEXTS = 2_048
const MOST_CHARACTERS = 300_000

const failed = (reason: AiError.AiErrorReason) =>
  AiError.make({ module: ENDPOINT.module, method: ENDPOINT.method, reason })

const bodyOf = (
  { model, dimensions, encoding, extra }: OpenAiEmbeddingsOptions,
  input: ReadonlyArray<string>,
) => ({
  ...extra,
  model,
  input,
  ...(dimensions === undefined ? {} : { dimensions }),
  ...(encoding === undefined ? {} : { encoding_format: encoding }),
})

const annotate = (model: string, answer: typeof Embeddings.Type) =>
  Effect.map(Effect.option(Effect.currentSpan), (span) => {
    if (Option.isNone(span)) return
    Telemetry.addGenAIAnnotations(span.value, {
      operation: { name: "embeddings" },
      request: { model },
      response: { model: answer.model ?? undefined },
      usage: { inputTokens: inputTokensOf(answer) },
    })
  })

const embedBatch = (client: HttpClient.HttpClient, settings: OpenAiEmbeddingsOptions) =>
  Effect.fn("OpenAiEmbeddings.request")(function* (texts: ReadonlyArray<string>) {
    const answer = yield* exchange(client, settings, ENDPOINT, Embeddings, bodyOf(settings, texts))
    yield* annotate(settings.model, answer)
    const vectors = vectorsOf(answer, texts.length)
    if (typeof vectors === "string")
      return yield* failed(new AiError.InvalidOutputError({ description: `the server gave ${vectors}` }))
    return { vectors, inputTokens: inputTokensOf(answer) }
  })

const sum = (counts: ReadonlyArray<number | undefined>): number | undefined =>
  counts.every((tokens) => tokens === undefined)
    ? undefined
    : counts.reduce<number>((total, tokens) => total + (tokens ?? 0), 0)

const make = Effect.fnUntraced(function* (settings: OpenAiEmbeddingsOptions) {
  const ask = embedBatch(yield* HttpClient.HttpClient, settings)
  return yield* EmbeddingModel.make({
    embedMany: Effect.fnUntraced(function* ({ inputs }) {
      if (inputs.some((text) => text === ""))
        return yield* failed(
          new AiError.InvalidRequestError({ description: "a text is empty: leave it out" }),
        )
      const made = yield* Effect.forEach(batchesOf(inputs, MOST_TEXTS, MOST_CHARACTERS), ask)
      return {
        results: made.flatMap(({ vectors }) => vectors),
        usage: { inputTokens: sum(made.map(({ inputTokens }) => inputTokens)) },
      }
    }),
  })
})

/**
 * Provides an embedding model over an OpenAI-compatible server.
 *
 * Failures are tried again as `openAiChat` does it, after the wait that the server asks for. Texts go in requests of at
 * most 2,048, and vectors come back in the order of the texts, whatever the order of the answer.
 *
 * **Gotchas**
 *
 * The key is in no error, log or span of this layer. It is sent to `url` and nowhere else, so check that address.
 *
 * @category layers
 * @since 0.1.0
 */
export const openAiEmbeddings = (
  options: OpenAiEmbeddingsOptions,
): Layer.Layer<EmbeddingModel.EmbeddingModel, never, HttpClient.HttpClient> =>
  Layer.effect(EmbeddingModel.EmbeddingModel, make(options))

/**
 * What an embedder over such a server is told.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiEmbedderOptions
  extends Omit<OpenAiEmbeddingsOptions, "dimensions" | "timeout" | "retries">,
    Omit<ModelEmbedderOptions, "name" | "retries" | "timeout"> {
  /** Names the vectors, with the dimensions; the model's name by default. */
  readonly name?: string
  /** Whether the server is asked for so many dimensions; false by default, when they are what its model gives. */
  readonly askDimensions?: boolean
  /** Milliseconds for one try; 60,000 by default. `deadline` bounds all of them. */
  readonly timeout?: number
  /** Tries after the first; 3 by default. */
  readonly retries?: number
}

/**
 * Embeds with a model behind an OpenAI-compatible server: `modelEmbedder` over `openAiEmbeddings`.
 *
 * **Example** (A local server)
 *
 * ```ts
 * import { openAiEmbedder } from "@palimpsest/adapter-llm"
 * import { Layer } from "effect"
 * import { FetchHttpClient } from "effect/http"
 *
 * const embedder = openAiEmbedder({
 *   url: "http://127.0.0.1:11434/v1",
 *   model: "nomic-embed-text",
 *   dimensions: 768,
 * }).pipe(Layer.provide(FetchHttpClient.layer))
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const openAiEmbedder = (
  options: OpenAiEmbedderOptions,
): Layer.Layer<Embedder, never, HttpClient.HttpClient> => {
  const { dimensions, askDimensions, batch, characters, requestCharacters, prefix, name, ...server } = options
  const own = { batch, characters, requestCharacters, prefix }
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  return modelEmbedder({
    ...given,
    name: name ?? options.model,
    dimensions,
    // The layer below has its own bounds; this one ends what they do not.
    timeout: (options.deadline ?? 120_000) + 1_000,
  }).pipe(Layer.provide(openAiEmbeddings({ ...server, ...(askDimensions === true ? { dimensions } : {}) })))
}
