/**
 * A language model behind any server that speaks OpenAI's chat completions.
 *
 * @since 0.1.0
 */
import { Config, Effect, Layer, Stream } from "effect"
import { IdGenerator, LanguageModel, type Response, Telemetry } from "effect/ai"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import { HttpClient } from "effect/http"
import { exchange, type OpenAiServer } from "./OpenAiExchange.ts"
import { Completion, finishOf, partsOf, requestBody, usageOf } from "./OpenAiWire.ts"

/**
 * Where the server is, which model to use, and how patient to be.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiChatOptions extends OpenAiServer {
  readonly model: string
  /** Whether the server must hold to the JSON schema; true by default. Answers are decoded in any case. */
  readonly strict?: boolean
  /** More fields of the request body, such as `{ temperature: 0, max_completion_tokens: 8000 }`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

const ENDPOINT = {
  module: "OpenAiChat",
  method: "generateText",
  path: "chat/completions",
  answer: "chat completion",
}

const annotate = (
  options: LanguageModel.ProviderOptions,
  model: string,
  completion: typeof Completion.Type,
) => {
  const usage = usageOf(completion)
  Telemetry.addGenAIAnnotations(options.span, {
    operation: { name: "chat" },
    request: { model },
    response: { id: completion.id, model: completion.model, finishReasons: [finishOf(completion)] },
    usage: { inputTokens: usage.inputTokens.total, outputTokens: usage.outputTokens.total },
  })
}

const generate = (client: HttpClient.HttpClient, settings: OpenAiChatOptions) =>
  Effect.fnUntraced(function* (options: LanguageModel.ProviderOptions) {
    const body = yield* requestBody(settings.model, settings.strict ?? true, settings.extra ?? {}, options)
    const completion = yield* exchange(client, settings, ENDPOINT, Completion, body)
    annotate(options, settings.model, completion)
    return yield* partsOf(completion)
  })

/** The parts of a finished text, as a stream that comes in one piece. */
const inOnePiece = (parts: ReadonlyArray<Response.PartEncoded>, id: string) =>
  Stream.fromIterable(
    parts.flatMap(
      (part): ReadonlyArray<Response.StreamPartEncoded> =>
        part.type === "text"
          ? [
              { type: "text-start", id },
              { type: "text-delta", id, delta: part.text },
              { type: "text-end", id },
            ]
          : part.type === "finish"
            ? [part]
            : [],
    ),
  )

const make = Effect.fnUntraced(function* (settings: OpenAiChatOptions) {
  const client = yield* HttpClient.HttpClient
  const generateText = generate(client, settings)
  return yield* LanguageModel.make({
    generateText,
    streamText: (options) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const { generateId } = yield* IdGenerator.IdGenerator
          return inOnePiece(yield* generateText(options), yield* generateId())
        }),
      ),
    codecTransformer: toCodecOpenAI,
  })
})

/**
 * Provides a language model over an OpenAI-compatible server.
 *
 * A refused or reset connection, a body that is cut, a garbage answer, 408, 409, 425, 429 and 5xx are tried again,
 * after the wait that the server asks for, within the deadline; 401, 403 and other rejections are not. Text only:
 * prompts with tools or files are refused, and `streamText` gives the whole text in one piece.
 *
 * **Gotchas**
 *
 * The key is in no error, log or span of this layer. It is sent to `url` and nowhere else, so check that address.
 *
 * @category layers
 * @since 0.1.0
 */
export const openAiChat = (
  options: OpenAiChatOptions,
): Layer.Layer<LanguageModel.LanguageModel, never, HttpClient.HttpClient> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))

const fromEnvironment = Config.all({
  url: Config.String("PALIMPSEST_LLM_URL"),
  key: Config.option(Config.Redacted("PALIMPSEST_LLM_KEY")),
  model: Config.String("PALIMPSEST_LLM_MODEL"),
})

/**
 * Provides the same from configuration: `PALIMPSEST_LLM_URL`, `PALIMPSEST_LLM_MODEL`, and `PALIMPSEST_LLM_KEY`
 * when the server wants one.
 *
 * @category layers
 * @since 0.1.0
 */
export const openAiChatConfig = (
  options: Omit<OpenAiChatOptions, "url" | "key" | "model"> = {},
): Layer.Layer<LanguageModel.LanguageModel, Config.ConfigError, HttpClient.HttpClient> =>
  Layer.unwrap(
    Effect.map(fromEnvironment, ({ url, key, model }) =>
      openAiChat({ ...options, url, model, ...(key._tag === "Some" ? { key: key.value } : {}) }),
    ),
  )
