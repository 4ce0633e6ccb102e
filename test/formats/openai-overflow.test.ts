/** Refusals as servers word them: what was too long, and what came too often. */
import {
  isSilentOverflow,
  overflowOf,
  type ServerAnswer,
  type TakenPrompt,
} from "@palimpsest/core/formats/openai-chat"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const said = (message: string, status = 400): ServerAnswer => ({ status, body: { error: { message } } })

describe("overflowOf", () => {
  it.each<[string, ServerAnswer]>([
    ["OpenAI", { status: 400, body: { error: { code: "context_length_exceeded", message: "" } } }],
    ["OpenAI, in words", said("Your input exceeds the context window of this model.")],
    ["vLLM", said("This model's maximum context length is 4096 tokens. However, you requested 9000.")],
    ["Anthropic", said("prompt is too long: 213462 tokens > 200000 maximum")],
    ["Bedrock", said("Input is too long for requested model.")],
    [
      "Google",
      said("The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."),
    ],
    ["xAI", said("This model's maximum prompt length is 131072 but the request contains 537812 tokens.")],
    ["Groq", said("Please reduce the length of the messages or completion.")],
    ["llama.cpp", said("the request exceeds the available context size, try increasing it")],
    ["Kimi", said("Your request exceeded model token limit: 131072 (requested: 200000)")],
    ["z.ai, by its code", { status: 400, body: { error: { code: "1261", message: "" } } }],
    [
      "a body that is text",
      { status: 400, body: "prompt too long; exceeded max context length by 4 tokens" },
    ],
    ["Cerebras, without a body", { status: 400, provider: "cerebras" }],
    ["Cerebras, without a body, by status", { status: 413, provider: "cerebras", body: "" }],
    ["a proxy that takes no more bytes", { status: 413, body: "<html>" }],
  ])("tells an overflow: %s", (_, answer) => {
    assert.strictEqual(overflowOf(answer), "overflow")
  })

  it.each<[string, ServerAnswer]>([
    ["429, whatever it says", said("Request too large: the prompt is too long", 429)],
    ["429 without a body", { status: 429, provider: "cerebras" }],
    ["Bedrock", said("ThrottlingException: Too many tokens, please wait before trying again.")],
    ["OpenAI, by words", said("Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000")],
  ])("tells a rate limit from an overflow: %s", (_, answer) => {
    assert.strictEqual(overflowOf(answer), "rate-limit")
  })

  it.each<[string, ServerAnswer]>([
    ["a role", said("Invalid value: 'robot'.")],
    [
      "the answer is to be too long",
      said("max_tokens is too large: 999999. This model supports at most 16384."),
    ],
    ["400 without a body, of another server", { status: 400 }],
    ["a key", said("Incorrect API key provided.", 401)],
    ["no refusal", { status: 200, body: "the context window is large" }],
  ])("takes nothing else for one: %s", (_, answer) => {
    assert.strictEqual(overflowOf(answer), "other")
  })

  it("is total", () => {
    fc.assert(
      fc.property(fc.integer(), fc.anything(), (status, body) =>
        ["overflow", "rate-limit", "other"].includes(overflowOf({ status, body })),
      ),
      { numRuns: 300, seed: 20_261_202 },
    )
  })
})

describe("isSilentOverflow", () => {
  const taken: TakenPrompt = { reported: 7_000, counted: 7_100, window: 8_000, output: 50, finish: "stop" }
  it("takes a prompt that fitted for one that fitted", () => {
    assert.isFalse(isSilentOverflow(taken))
    assert.isFalse(isSilentOverflow({ ...taken, counted: 8_500 }), "the count may be off")
    assert.isFalse(isSilentOverflow({ ...taken, finish: "length" }), "a long answer")
  })

  it.each<[string, Partial<TakenPrompt>]>([
    ["z.ai reports more than its window", { reported: 9_000, counted: 9_000 }],
    ["z.ai says so where the answer ends", { finish: "model_context_window_exceeded" }],
    ["MiMo has no room to answer", { reported: 8_000, counted: 12_000, output: 0, finish: "length" }],
    ["Ollama reports what it left", { reported: 4_000, counted: 30_000 }],
  ])("sees that a server took too much without an error: %s", (_, fields) => {
    assert.isTrue(isSilentOverflow({ ...taken, ...fields }))
  })
})
