/** Other providers' conversations, on their way to the AI SDK and back. */
import { conversation, messagesIn } from "@palimpsest/core/formats"
import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { aiSdkUi } from "@palimpsest/core/formats/ai-sdk-ui"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { assert, describe, it } from "vitest"
import { decoded, decodedUi, lossesOf } from "./AiSdkKit.ts"

const cached = { cache_control: { type: "ephemeral" } }
const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } }
const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }

/** A conversation with Claude. */
const claude = {
  system: "Be brief.",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVs" } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "tool_use", id: "toolu_1", name: "find", input: { id: 7 } },
      ],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "no", is_error: true }],
    },
  ],
}

const fromClaude = (request: object) => {
  const read = anthropic.decode(request)
  assert(read.ok)
  return read.conversation
}

describe("from Claude", () => {
  it("everything is said in model messages, the signature in the options of its part", () => {
    const { request, losses } = aiSdk.encode(fromClaude(claude))
    assert.deepStrictEqual(lossesOf(losses), [])
    assert.deepStrictEqual(request as object, {
      system: "Be brief.",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is it?" },
            { type: "file", mediaType: "image/png", data: "aGVs" },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "s" } } },
            { type: "tool-call", toolCallId: "toolu_1", toolName: "find", input: { id: 7 } },
          ],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "toolu_1",
              toolName: "find",
              output: { type: "error-text", value: "no" },
            },
          ],
        },
      ],
    })
    assert.deepStrictEqual(aiSdk.validate(request), [])
  })

  it("everything is said in UI messages, the result beside its call", () => {
    const { request, losses } = aiSdkUi.encode(fromClaude(claude))
    assert.deepStrictEqual(lossesOf(losses), [])
    assert.deepStrictEqual(
      request.messages.map(({ role, parts }) => [role, parts]),
      [
        ["system", [{ type: "text", text: "Be brief." }]],
        [
          "user",
          [
            { type: "text", text: "What is it?" },
            { type: "file", mediaType: "image/png", url: "data:image/png;base64,aGVs" },
          ],
        ],
        [
          "assistant",
          [
            { type: "step-start" },
            { type: "reasoning", text: "Hm.", providerMetadata: { anthropic: { signature: "s" } } },
            {
              type: "tool-find",
              toolCallId: "toolu_1",
              state: "output-error",
              input: { id: 7 },
              errorText: "no",
            },
          ],
        ],
      ],
    )
    assert.deepStrictEqual(aiSdkUi.validate(request), [])
  })

  it("what Anthropic's own blocks say is listed as lost", () => {
    const given = fromClaude({
      ...claude,
      messages: [
        { role: "user", content: [{ type: "text", text: "What is it?", ...cached }] },
        { role: "assistant", content: [search, found, { type: "text", text: "A cat." }] },
      ],
    })
    for (const format of [aiSdk, aiSdkUi]) {
      const { losses } = format.encode(given)
      assert.deepStrictEqual(lossesOf(losses), [
        "dropped fields of the form in which it came",
        "dropped a part of anthropic",
        "dropped a part of anthropic",
      ])
    }
  })
})

describe("to Claude", () => {
  const written = aiSdk.encode(fromClaude(claude)).request

  it("a conversation comes back as it was, signature included", () => {
    const { request, losses } = anthropic.encode(decoded(JSON.parse(JSON.stringify(written))))
    assert.deepStrictEqual(request as object, claude)
    assert.deepStrictEqual(lossesOf(losses), [])
    const ui = aiSdkUi.encode(fromClaude(claude)).request
    const again = anthropic.encode(decodedUi(JSON.parse(JSON.stringify(ui)))).request
    assert.deepStrictEqual(again.system, claude.system)
    assert.deepStrictEqual(again.messages[1] as object, claude.messages[1])
  })

  it("what the AI SDK alone can say is listed as lost", () => {
    const { losses } = anthropic.encode(
      decoded([
        {
          role: "user",
          content: [{ type: "text", text: "Hi" }],
          providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
        },
        {
          role: "assistant",
          content: [
            { type: "tool-call", toolCallId: "w1", toolName: "search", input: {}, providerExecuted: true },
            { type: "tool-call", toolCallId: "c1", toolName: "find", input: {} },
            { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
          ],
        },
        { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a1", approved: true }] },
      ]),
    )
    const said = lossesOf(losses)
    assert.include(said, "dropped fields of the form in which it came")
    assert.strictEqual(said.filter((loss) => loss.endsWith("a part of ai-sdk")).length, 2)
    assert.isTrue(said.some((loss) => loss.includes("approval")))
  })
})

describe("between the two of the AI SDK", () => {
  it("a call of the provider is one part there and two here", () => {
    const options = { providerOptions: { anthropic: { x: 1 } } }
    const call = {
      type: "tool-call",
      toolCallId: "w1",
      toolName: "search",
      input: { q: 1 },
      providerExecuted: true,
    }
    const result = {
      type: "tool-result",
      toolCallId: "w1",
      toolName: "search",
      output: { type: "json", value: [1] },
    }
    const content = [
      { ...call, ...options },
      { ...result, ...options },
      { type: "text", text: "So." },
    ]
    const { request, losses } = aiSdkUi.encode(decoded([{ role: "assistant", content }]))
    assert.deepStrictEqual(lossesOf(losses), [])
    assert.deepStrictEqual(request.messages[0]?.parts.slice(1) as ReadonlyArray<object>, [
      {
        type: "tool-search",
        toolCallId: "w1",
        state: "output-available",
        input: { q: 1 },
        providerExecuted: true,
        callProviderMetadata: { anthropic: { x: 1 } },
        output: [1],
        resultProviderMetadata: { anthropic: { x: 1 } },
      },
      { type: "text", text: "So." },
    ])
    const back = aiSdk.encode(decodedUi(request)).request.messages
    assert.deepStrictEqual(back as ReadonlyArray<object>, [{ role: "assistant", content }])
  })

  it("a question to a person and the answer keep their ids", () => {
    const approval = { id: "a1", approved: true, reason: "fine", signature: "s" }
    const part = {
      type: "tool-find",
      toolCallId: "c1",
      state: "output-available",
      input: {},
      output: "here",
      approval,
    }
    const stored = [{ id: "m1", role: "assistant", parts: [{ type: "step-start" }, part] }]
    const { request } = aiSdk.encode(decodedUi(stored))
    assert.deepStrictEqual(request.messages as ReadonlyArray<object>, [
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "c1", toolName: "find", input: {} },
          { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1", signature: "s" },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-approval-response", approvalId: "a1", approved: true, reason: "fine" },
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "find",
            output: { type: "text", value: "here" },
          },
        ],
      },
    ])
    const again = aiSdkUi.encode(conversation(messagesIn(decoded(request)))).request
    assert.deepStrictEqual(again.messages[0]?.parts[1] as object, part)
  })

  it("sources and data are for people, and reach no model", () => {
    const source = { type: "source-url", sourceId: "s1", url: "https://example.org" }
    const stored = [
      {
        id: "m1",
        role: "user",
        parts: [
          { type: "text", text: "Hi" },
          { type: "data-city", data: "Kyiv" },
        ],
      },
      { id: "m2", role: "assistant", parts: [{ type: "step-start" }, { type: "text", text: "Hi." }, source] },
    ]
    const { request, losses } = aiSdk.encode(decodedUi(stored))
    assert.deepStrictEqual(request.messages as ReadonlyArray<object>, [
      { role: "user", content: [{ type: "text", text: "Hi" }] },
      { role: "assistant", content: [{ type: "text", text: "Hi." }] },
    ])
    assert.include(lossesOf(losses), "dropped a part of ai-sdk-ui")
  })
})
