import {
  type ModelSummariserOptions,
  modelSummariser,
  type OpenAiChatOptions,
  openAiChat,
  type ProposedFact,
} from "@palimpsest/adapter-llm"
import { type Delta, emptySummary, type MessageRow, type Summary, user } from "@palimpsest/core"
import { Summariser, SummariserError, type SummaryRequest } from "@palimpsest/core/engine"
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"

export const KEY = "sk-test-very-secret-0123456789"

export const messageRow = (id: string, position: number, message: MessageRow["message"]): MessageRow => ({
  kind: "message",
  id,
  position,
  message,
  tokens: 10,
  tokenizer: "test",
})

export const requestOf = (
  transcript: string,
  previous: Summary = emptySummary,
  focus?: string,
): SummaryRequest => ({
  previous,
  transcript,
  rows: ["m1", "m2"],
  messages: [messageRow("m1", 1, user("the row in full, with a password"))],
  maxTokens: 2_000,
  ...(focus === undefined ? {} : { focus }),
})

export const transcript = `[row m1 user] Audit the repository, and never touch prod.
[row m2 assistant] I'll audit now. [row m2] The audit is finished.`

export const delta: Delta = {
  add: [
    { kind: "resolved", text: "Audit of the repository is finished", sources: ["m1", "m2"] },
    { kind: "constraint", text: "never touch prod", sources: ["m1"] },
  ],
  resolve: [],
  drop: [],
}

export const model = (url: string, options: Partial<OpenAiChatOptions> = {}) =>
  openAiChat({
    url,
    key: Redacted.make(KEY),
    model: "tiny",
    timeout: 10_000,
    deadline: 20_000,
    retries: 2,
    backoff: 1,
    ...options,
  }).pipe(Layer.provide(FetchHttpClient.layer))

export const summariser = (
  url: string,
  options: Partial<OpenAiChatOptions> = {},
  own: Partial<ModelSummariserOptions> = {},
) =>
  modelSummariser({ name: "tiny", window: 8_000, retries: 0, ...own }).pipe(
    Layer.provide(model(url, options)),
  )

/** The outcome of one summary as a value. */
export const outcomeOf = (
  layer: Layer.Layer<Summariser>,
  request: SummaryRequest = requestOf(transcript),
): Promise<Delta | SummariserError> =>
  Effect.flatMap(Summariser, ({ summarise }) => summarise(request)).pipe(
    Effect.catch((error) => Effect.succeed(error)),
    Effect.provide(layer),
    Effect.runPromise,
  )

export const reasonOf = (outcome: Delta | SummariserError): string =>
  outcome instanceof SummariserError ? outcome.reason : "none"

/** A fact that an extractor may propose. */
export const fact = (change: Partial<ProposedFact> = {}): ProposedFact => ({
  subject: "user",
  attribute: "name",
  value: "Ana",
  quote: "My name is Ana",
  row: "m1",
  ...change,
})
