/**
 * The shapes in which providers and frameworks report usage, as data: which field holds what, and what includes what.
 *
 * @since 0.1.0
 */

/**
 * Names a shape. `parts` is that of agents which keep disjoint parts (`input`, `cacheRead`, `cacheWrite`, `output`).
 *
 * @category models
 * @since 0.1.0
 */
export type UsageDialect =
  | "anthropic"
  | "langchain"
  | "openai-responses"
  | "openai-chat"
  | "gemini"
  | "ai-sdk"
  | "parts"

/** Paths of fields: each list holds names of one and the same number, of which the first that is there counts. */
export interface UsageFields {
  readonly dialect: UsageDialect
  /** Any of these tells the dialect; the dialects are tried in order. */
  readonly signs: ReadonlyArray<string>
  /** Input tokens. */
  readonly input: ReadonlyArray<string>
  /** Input that was neither read from a cache nor written to one, where the dialect gives it beside `input`. */
  readonly uncached: ReadonlyArray<string>
  /** Input read from a cache, and written to one. */
  readonly read: ReadonlyArray<string>
  readonly written: ReadonlyArray<string>
  /** Whether `input` holds what is cached. */
  readonly holdsCached: boolean
  readonly output: ReadonlyArray<string>
  readonly reasoning: ReadonlyArray<string>
  /** Whether `output` holds the reasoning. */
  readonly holdsReasoning: boolean
  /** Tokens that the provider added to the context by itself, such as results of its own tools. */
  readonly added: ReadonlyArray<string>
  readonly total: ReadonlyArray<string>
}

/**
 * Sources: the type declarations of `@anthropic-ai/sdk` (`Usage`, `BetaUsage`), `openai` (`CompletionUsage`,
 * `ResponseUsage`), `@google/generative-ai` (`UsageMetadata`), `ai` 6 (`LanguageModelUsage`) and `@langchain/core`
 * (`UsageMetadata`). Gemini's own reference counts thoughts and prompts of tools apart from the candidates.
 */
export const USAGE_FIELDS: ReadonlyArray<UsageFields> = [
  {
    dialect: "anthropic",
    signs: ["cache_read_input_tokens", "cache_creation_input_tokens", "cache_creation", "iterations"],
    input: ["input_tokens"],
    uncached: [],
    read: ["cache_read_input_tokens"],
    written: ["cache_creation_input_tokens"],
    holdsCached: false,
    output: ["output_tokens"],
    reasoning: [],
    holdsReasoning: true,
    added: [],
    total: [],
  },
  {
    dialect: "langchain",
    signs: ["input_token_details", "output_token_details"],
    input: ["input_tokens"],
    uncached: [],
    read: ["input_token_details.cache_read"],
    written: ["input_token_details.cache_creation"],
    holdsCached: true,
    output: ["output_tokens"],
    reasoning: ["output_token_details.reasoning"],
    holdsReasoning: true,
    added: [],
    total: ["total_tokens"],
  },
  {
    dialect: "openai-responses",
    signs: ["input_tokens", "input_tokens_details"],
    input: ["input_tokens"],
    uncached: [],
    read: ["input_tokens_details.cached_tokens", "cached_input_tokens"],
    written: ["input_tokens_details.cache_write_tokens", "cache_write_input_tokens"],
    holdsCached: true,
    output: ["output_tokens"],
    reasoning: ["output_tokens_details.reasoning_tokens", "reasoning_output_tokens"],
    holdsReasoning: true,
    added: [],
    total: ["total_tokens"],
  },
  {
    dialect: "openai-chat",
    signs: ["prompt_tokens", "prompt_tokens_details"],
    input: ["prompt_tokens"],
    uncached: [],
    read: ["prompt_tokens_details.cached_tokens"],
    written: ["prompt_tokens_details.cache_write_tokens"],
    holdsCached: true,
    output: ["completion_tokens"],
    reasoning: ["completion_tokens_details.reasoning_tokens"],
    holdsReasoning: true,
    added: [],
    total: ["total_tokens"],
  },
  {
    dialect: "gemini",
    // The short names are those of the sessions that Gemini CLI keeps.
    signs: ["promptTokenCount", "cachedContentTokenCount", "thoughtsTokenCount", "cached", "thoughts"],
    input: ["promptTokenCount", "input"],
    uncached: [],
    read: ["cachedContentTokenCount", "cached"],
    written: [],
    holdsCached: true,
    output: ["candidatesTokenCount", "output"],
    reasoning: ["thoughtsTokenCount", "thoughts"],
    holdsReasoning: false,
    added: ["toolUsePromptTokenCount", "tool"],
    total: ["totalTokenCount", "total"],
  },
  {
    dialect: "ai-sdk",
    // The nested names are those between a provider and its framework; `uncached` is that of `effect/ai`, and
    // `promptTokens` that of `ai` 4 and of LangChain's record of a call.
    signs: ["inputTokens", "inputTokenDetails", "promptTokens"],
    input: ["inputTokens.total", "inputTokens", "promptTokens"],
    uncached: ["inputTokenDetails.noCacheTokens", "inputTokens.noCache", "inputTokens.uncached"],
    read: ["inputTokenDetails.cacheReadTokens", "inputTokens.cacheRead", "cachedInputTokens"],
    written: ["inputTokenDetails.cacheWriteTokens", "inputTokens.cacheWrite"],
    holdsCached: true,
    output: ["outputTokens.total", "outputTokens", "completionTokens"],
    reasoning: ["outputTokenDetails.reasoningTokens", "outputTokens.reasoning", "reasoningTokens"],
    holdsReasoning: true,
    added: [],
    total: ["totalTokens"],
  },
  {
    dialect: "parts",
    signs: ["input", "inputOther", "cacheRead", "inputCacheRead"],
    input: ["input", "inputOther"],
    uncached: [],
    read: ["cacheRead", "inputCacheRead", "cache.read"],
    written: ["cacheWrite", "inputCacheCreation", "cache.write"],
    holdsCached: false,
    output: ["output"],
    reasoning: ["reasoning"],
    holdsReasoning: false,
    added: [],
    total: ["totalTokens", "total"],
  },
]

/** What a value holds at a path; undefined where there is nothing. */
export const fieldAt = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
          ? Reflect.get(inner, key)
          : undefined,
      value,
    )

/** The fields of the dialect of a usage object; undefined when it is of none. */
export const usageFieldsOf = (usage: unknown): UsageFields | undefined =>
  USAGE_FIELDS.find(({ signs }) => signs.some((sign) => fieldAt(usage, sign) !== undefined))

/**
 * Tells the dialect of a usage object by its fields; null when none of them is known.
 *
 * **Example** (Cached tokens beside the input)
 *
 * ```ts
 * import { usageDialectOf } from "@palimpsest/core"
 *
 * usageDialectOf({ input_tokens: 200, cache_read_input_tokens: 98_000, output_tokens: 100 }) // => "anthropic"
 * usageDialectOf({ prompt_tokens: 40_000, completion_tokens: 900 }) // => "openai-chat"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const usageDialectOf = (usage: unknown): UsageDialect | null => usageFieldsOf(usage)?.dialect ?? null
