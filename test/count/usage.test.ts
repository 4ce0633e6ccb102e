import { readUsage, type Usage, usageDialectOf } from "@palimpsest/core"
import { assert, describe, it } from "vitest"

type Numbers = Pick<Extract<Usage, { _tag: "Measured" }>, "input" | "cached" | "output" | "context">

/** What each provider or framework sends for a request, field by field as its types declare them. */
const payloads: ReadonlyArray<
  readonly [string, unknown, Usage extends { dialect: infer D } ? D : string, Numbers]
> = [
  [
    "OpenAI Chat Completions, cached and reasoned",
    {
      prompt_tokens: 12_050,
      completion_tokens: 640,
      total_tokens: 12_690,
      prompt_tokens_details: { cached_tokens: 11_904, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 512,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    "openai-chat",
    { input: 12_050, cached: 11_904, output: 640, context: 12_690 },
  ],
  [
    "a compatible server that reports the least",
    { prompt_tokens: 31, completion_tokens: 7, total_tokens: 38 },
    "openai-chat",
    { input: 31, cached: 0, output: 7, context: 38 },
  ],
  [
    "a compatible server with nulls for details",
    { prompt_tokens: 31, completion_tokens: 7, prompt_tokens_details: null, completion_tokens_details: null },
    "openai-chat",
    { input: 31, cached: 0, output: 7, context: 38 },
  ],
  [
    "OpenAI Responses",
    {
      input_tokens: 8_200,
      input_tokens_details: { cached_tokens: 7_168 },
      output_tokens: 300,
      output_tokens_details: { reasoning_tokens: 192 },
      total_tokens: 8_500,
    },
    "openai-responses",
    { input: 8_200, cached: 7_168, output: 300, context: 8_500 },
  ],
  [
    "an agent's log of the last request of the Responses API",
    {
      input_tokens: 16_000,
      cached_input_tokens: 3_584,
      output_tokens: 80,
      reasoning_output_tokens: 64,
      total_tokens: 16_080,
    },
    "openai-responses",
    { input: 16_000, cached: 3_584, output: 80, context: 16_080 },
  ],
  [
    "Anthropic, read from the cache and written to it",
    {
      input_tokens: 4,
      cache_creation_input_tokens: 947,
      cache_read_input_tokens: 67_226,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 947 },
      output_tokens: 134,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: "standard",
    },
    "anthropic",
    { input: 68_177, cached: 68_173, output: 134, context: 68_311 },
  ],
  [
    "Anthropic, everything from the cache",
    { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 5_000, output_tokens: 9 },
    "anthropic",
    { input: 5_000, cached: 5_000, output: 9, context: 5_009 },
  ],
  [
    "Anthropic, without a cache",
    {
      input_tokens: 210,
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      output_tokens: 12,
    },
    "anthropic",
    { input: 210, cached: 0, output: 12, context: 222 },
  ],
  [
    "Gemini with thoughts, whose candidates do not hold them",
    {
      promptTokenCount: 1_500,
      cachedContentTokenCount: 1_024,
      candidatesTokenCount: 40,
      thoughtsTokenCount: 260,
      totalTokenCount: 1_800,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 1_500 }],
    },
    "gemini",
    { input: 1_500, cached: 1_024, output: 300, context: 1_800 },
  ],
  [
    "Gemini with results of its own tools",
    {
      promptTokenCount: 90,
      candidatesTokenCount: 50,
      toolUsePromptTokenCount: 700,
      totalTokenCount: 840,
    },
    "gemini",
    { input: 90, cached: 0, output: 50, context: 840 },
  ],
  [
    "a session of Gemini CLI",
    { input: 9_000, output: 30, cached: 8_000, thoughts: 70, tool: 0, total: 9_100 },
    "gemini",
    { input: 9_000, cached: 8_000, output: 100, context: 9_100 },
  ],
  [
    "AI SDK 6",
    {
      inputTokens: 3_000,
      inputTokenDetails: { noCacheTokens: 500, cacheReadTokens: 2_000, cacheWriteTokens: 500 },
      outputTokens: 90,
      outputTokenDetails: { textTokens: 30, reasoningTokens: 60 },
      totalTokens: 3_090,
      reasoningTokens: 60,
      cachedInputTokens: 2_000,
    },
    "ai-sdk",
    { input: 3_000, cached: 2_500, output: 90, context: 3_090 },
  ],
  [
    "AI SDK 5",
    {
      inputTokens: 3_000,
      outputTokens: 90,
      totalTokens: 3_090,
      reasoningTokens: 60,
      cachedInputTokens: 2_000,
    },
    "ai-sdk",
    { input: 3_000, cached: 2_000, output: 90, context: 3_090 },
  ],
  [
    "AI SDK 4, and LangChain's own record of a call",
    { promptTokens: 3_000, completionTokens: 90, totalTokens: 3_090 },
    "ai-sdk",
    { input: 3_000, cached: 0, output: 90, context: 3_090 },
  ],
  [
    "a provider of the AI SDK, before the SDK reads it",
    {
      inputTokens: { total: 3_000, noCache: 1_000, cacheRead: 2_000, cacheWrite: undefined },
      outputTokens: { total: 90, text: 30, reasoning: 60 },
    },
    "ai-sdk",
    { input: 3_000, cached: 2_000, output: 90, context: 3_090 },
  ],
  [
    "Effect's AI packages",
    {
      inputTokens: { uncached: 1_000, total: 3_000, cacheRead: 2_000, cacheWrite: 0 },
      outputTokens: { total: 90, text: 90, reasoning: undefined },
    },
    "ai-sdk",
    { input: 3_000, cached: 2_000, output: 90, context: 3_090 },
  ],
  [
    "LangChain's usage_metadata",
    {
      input_tokens: 350,
      output_tokens: 240,
      total_tokens: 590,
      input_token_details: { audio: 10, cache_creation: 200, cache_read: 100 },
      output_token_details: { audio: 10, reasoning: 200 },
    },
    "langchain",
    { input: 350, cached: 300, output: 240, context: 590 },
  ],
  [
    "an agent that keeps disjoint parts",
    { input: 7, output: 231, cacheRead: 1_684, cacheWrite: 9_518, cost: { input: 0.00002, total: 0.04 } },
    "parts",
    { input: 11_209, cached: 11_202, output: 231, context: 11_440 },
  ],
  [
    "another one, with a cache of its own",
    { input: 7, output: 200, reasoning: 31, cache: { read: 1_684, write: 9_518 } },
    "parts",
    { input: 11_209, cached: 11_202, output: 231, context: 11_440 },
  ],
]

describe("usage of every dialect is read in one way", () => {
  it.each(payloads)("%s", (_, usage, dialect, numbers) => {
    assert.deepStrictEqual(readUsage(usage), { _tag: "Measured", dialect, ...numbers } as Usage)
    assert.strictEqual(usageDialectOf(usage), dialect)
    assert.deepStrictEqual(readUsage(JSON.parse(JSON.stringify(usage))), readUsage(usage))
  })

  it("a request that the provider made into several is measured by the first, and its context by the last", () => {
    const of = (type: string, input: number, output: number) => ({
      type,
      input_tokens: input,
      output_tokens: output,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    })
    const sum = { input_tokens: 4_500, output_tokens: 60, cache_read_input_tokens: 0 }
    const loop = { ...sum, iterations: [of("message", 1_000, 20), of("message", 3_500, 40)] }
    const read = readUsage(loop)
    assert.deepInclude(read, { _tag: "Measured", input: 1_000, context: 3_540 })
    const compacted = { ...sum, iterations: [of("compaction", 60_000, 500), of("message", 600, 40)] }
    assert.deepStrictEqual(readUsage(compacted), { _tag: "ContextOnly", context: 640 })
    assert.deepInclude(readUsage({ ...sum, iterations: [] }), { _tag: "Measured", input: 4_500 })
  })

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "Absent"],
    ["null", null, "Absent"],
    ["a text", "12 tokens", "Unknown"],
    ["an empty object", {}, "Unknown"],
    ["a list", [1, 2], "Unknown"],
    ["fields of nobody", { tokens: 12 }, "Unknown"],
    ["a server that does not count", { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, "Zero"],
    ["no prompt", { completion_tokens: 4, prompt_tokens_details: { cached_tokens: 4 } }, "Partial"],
    ["a negative number", { prompt_tokens: -1, completion_tokens: 0 }, "Broken"],
    ["no number", { input_tokens: Number.NaN, output_tokens: 1 }, "Broken"],
    ["a number without end", { input_tokens: Number.POSITIVE_INFINITY }, "Broken"],
    ["a number as text", { promptTokenCount: "90" }, "Broken"],
    ["more than there are", { inputTokens: 1e15 }, "Broken"],
    ["a broken part", { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: true } }, "Broken"],
  ])("%s is no reading, and says why", (_, usage, reason) => {
    const read = readUsage(usage)
    if (read._tag !== "Unusable") return assert.fail(read._tag)
    assert.strictEqual(read.reason, reason)
    assert.notStrictEqual(read.detail, "")
  })

  it("a total alone fills the context, and is no measure of a prompt", () => {
    assert.deepStrictEqual(readUsage({ total_tokens: 900 }), { _tag: "ContextOnly", context: 900 })
    assert.deepStrictEqual(readUsage({ input_token_details: {}, total_tokens: 900 }), {
      _tag: "ContextOnly",
      context: 900,
    })
  })

  it("a name on the prototype is not a field", () => {
    const usage: unknown = JSON.parse('{"__proto__":{"prompt_tokens":9},"total_tokens":30}')
    assert.deepStrictEqual(readUsage(usage), { _tag: "ContextOnly", context: 30 })
    assert.deepInclude(readUsage(Object.create({ prompt_tokens: 9 })), { reason: "Unknown" })
  })
})
