/**
 * Random usage: one request as each provider and framework would report it, and objects that look like usage.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { UsageDialect } from "../../count/UsageDialect.ts"

/**
 * What a request really cost, each token in one place.
 *
 * @category models
 * @since 0.1.0
 */
export interface Spent {
  /** Of the prompt: neither read from a cache nor written to one. */
  readonly fresh: number
  readonly read: number
  readonly written: number
  /** Of the answer: without its reasoning. */
  readonly said: number
  readonly thought: number
}

const few = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.nat(200_000) })

/**
 * Makes requests that had a prompt.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitrarySpent: fc.Arbitrary<Spent> = fc.record({
  fresh: fc.integer({ min: 1, max: 200_000 }),
  read: few,
  written: few,
  said: few,
  thought: few,
})

type Report = (spent: Spent) => object

const prompt = ({ fresh, read, written }: Spent): number => fresh + read + written
const answer = ({ said, thought }: Spent): number => said + thought

/**
 * How each dialect reports a request, in the fields that its provider documents.
 *
 * @category testing
 * @since 0.1.0
 */
export const USAGE_REPORTS: Readonly<
  Record<string, { readonly dialect: UsageDialect; readonly report: Report }>
> = {
  anthropic: {
    dialect: "anthropic",
    report: (spent) => ({
      input_tokens: spent.fresh,
      cache_read_input_tokens: spent.read,
      cache_creation_input_tokens: spent.written,
      cache_creation: { ephemeral_5m_input_tokens: spent.written, ephemeral_1h_input_tokens: 0 },
      output_tokens: answer(spent),
      server_tool_use: null,
      service_tier: "standard",
    }),
  },
  "openai chat": {
    dialect: "openai-chat",
    report: (spent) => ({
      prompt_tokens: prompt(spent),
      completion_tokens: answer(spent),
      total_tokens: prompt(spent) + answer(spent),
      prompt_tokens_details: { cached_tokens: spent.read, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: spent.thought, accepted_prediction_tokens: 0 },
    }),
  },
  "openai responses": {
    dialect: "openai-responses",
    report: (spent) => ({
      input_tokens: prompt(spent),
      input_tokens_details: { cached_tokens: spent.read },
      output_tokens: answer(spent),
      output_tokens_details: { reasoning_tokens: spent.thought },
      total_tokens: prompt(spent) + answer(spent),
    }),
  },
  gemini: {
    dialect: "gemini",
    report: (spent) => ({
      promptTokenCount: prompt(spent),
      cachedContentTokenCount: spent.read,
      candidatesTokenCount: spent.said,
      thoughtsTokenCount: spent.thought,
      totalTokenCount: prompt(spent) + answer(spent),
      promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt(spent) }],
    }),
  },
  "ai sdk": {
    dialect: "ai-sdk",
    report: (spent) => ({
      inputTokens: prompt(spent),
      inputTokenDetails: {
        noCacheTokens: spent.fresh,
        cacheReadTokens: spent.read,
        cacheWriteTokens: spent.written,
      },
      outputTokens: answer(spent),
      outputTokenDetails: { textTokens: spent.said, reasoningTokens: spent.thought },
      totalTokens: prompt(spent) + answer(spent),
      reasoningTokens: spent.thought,
      cachedInputTokens: spent.read,
    }),
  },
  "effect/ai": {
    dialect: "ai-sdk",
    report: (spent) => ({
      inputTokens: {
        uncached: spent.fresh,
        total: prompt(spent),
        cacheRead: spent.read,
        cacheWrite: spent.written,
      },
      outputTokens: { total: answer(spent), text: spent.said, reasoning: spent.thought },
    }),
  },
  langchain: {
    dialect: "langchain",
    report: (spent) => ({
      input_tokens: prompt(spent),
      output_tokens: answer(spent),
      total_tokens: prompt(spent) + answer(spent),
      input_token_details: { cache_read: spent.read, cache_creation: spent.written },
      output_token_details: { reasoning: spent.thought },
    }),
  },
  "disjoint parts": {
    dialect: "parts",
    report: (spent) => ({
      input: spent.fresh,
      cacheRead: spent.read,
      cacheWrite: spent.written,
      output: spent.said,
      reasoning: spent.thought,
      totalTokens: prompt(spent) + answer(spent),
    }),
  },
}

const NAMES = [
  "input_tokens",
  "output_tokens",
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "input_tokens_details",
  "cached_tokens",
  "promptTokenCount",
  "thoughtsTokenCount",
  "totalTokenCount",
  "inputTokens",
  "outputTokens",
  "inputTokenDetails",
  "total",
  "input",
  "output",
  "cacheRead",
  "iterations",
  "type",
  "__proto__",
]

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.nat(1_000_000) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      undefined,
      0,
      -1,
      0.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1e300,
      Number.MAX_SAFE_INTEGER,
      "12",
      "message",
      true,
      12n,
    ),
  },
)

const fields = fc.constantFrom(...NAMES)

const oddValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: leaf },
    { weight: 2, arbitrary: fc.dictionary(fields, tie("value"), { maxKeys: 6 }) },
    { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
  ),
})).value

const oddFields = fc.dictionary(fields, oddValue, { maxKeys: 5 })

/** A real report of which some fields became something else. */
const damagedReport = fc
  .tuple(fc.constantFrom(...Object.values(USAGE_REPORTS)), arbitrarySpent, oddFields)
  .map(([{ report }, spent, odd]): unknown => ({ ...report(spent), ...odd }))

/**
 * Makes values that look like usage and may be none: known names with anything under them.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const oddUsage: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: oddValue },
  { weight: 2, arbitrary: oddFields },
  { weight: 3, arbitrary: damagedReport },
)
