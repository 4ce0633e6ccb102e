import { assistant, type Message, toolResult, user } from "@palimpsest/core"
import { conversation } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { langchain } from "@palimpsest/core/formats/langchain"
import { assert, describe, it } from "vitest"

const write = (...messages: ReadonlyArray<Message>) => langchain.encode(conversation(messages))
const none = { additional_kwargs: {}, response_metadata: {} }
const listed = { name: "find", args: { id: 7 }, id: "c1", type: "tool_call" }

describe("writing", () => {
  it("writes the stored form, each message as a fresh one of LangChain stores itself", () => {
    const { request, losses } = langchain.encode(
      conversation(
        [
          user("Hi"),
          assistant("Let me see.", [{ id: "c1", name: "find", arguments: '{"id":7}' }]),
          toolResult("c1", "7"),
        ],
        { system: "Be brief." },
      ),
    )
    assert.deepStrictEqual(request.messages, [
      { type: "system", data: { content: "Be brief.", ...none } },
      { type: "human", data: { content: "Hi", ...none } },
      { type: "ai", data: { content: "Let me see.", tool_calls: [listed], invalid_tool_calls: [], ...none } },
      { type: "tool", data: { content: "7", tool_call_id: "c1", ...none } },
    ])
    assert.deepStrictEqual(losses, [])
  })

  it("needs no kept form for what it writes", () => {
    const { request } = write(
      user("Hi"),
      assistant("Hm", [{ id: "c1", name: "find", arguments: "{}" }]),
      toolResult("c1", "7"),
    )
    const decoded = langchain.decode(request)
    assert(decoded.ok)
    assert.deepStrictEqual(
      decoded.conversation.items.map((item) => "raw" in item),
      [false, false, false],
    )
  })

  it("writes one message for each result, with its name and status", () => {
    const { request } = write({
      role: "tool",
      parts: [
        { type: "tool-result", call: "c1", name: "find", status: "denied", content: [] },
        {
          type: "tool-result",
          call: "c2",
          status: "ok",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
        { type: "approval", call: "c2", approved: true },
      ],
    })
    assert.deepStrictEqual(request.messages, [
      {
        type: "tool",
        data: { content: "(no output)", tool_call_id: "c1", name: "find", status: "error", ...none },
      },
      {
        type: "tool",
        data: {
          content: "a\nb",
          tool_call_id: "c2",
          ...none,
        },
      },
    ])
  })

  it("writes media as standard blocks, and says so on the message", () => {
    const { request, losses } = write({
      role: "user",
      parts: [
        { type: "text", text: "see" },
        { type: "media", mediaType: "image/png", data: "aGVs", detail: "low" },
        { type: "media", mediaType: "image/*", data: "https://a.b/c.png" },
        { type: "media", mediaType: "application/pdf", data: "data:application/pdf;base64,aGVs" },
        { type: "media", mediaType: "image/png", data: "" },
      ],
    })
    assert.deepStrictEqual(request.messages[0]?.data, {
      content: [
        { type: "text", text: "see" },
        { type: "image", mimeType: "image/png", data: "aGVs", metadata: { detail: "low" } },
        { type: "image", url: "https://a.b/c.png" },
        { type: "file", mimeType: "application/pdf", data: "aGVs", metadata: { filename: "file" } },
        { type: "text", text: "[image/png: no data]" },
      ],
      additional_kwargs: {},
      response_metadata: { output_version: "v1" },
    })
    assert.deepStrictEqual(
      losses.map(({ kind, what }) => [kind, what]),
      [["changed", "image/png"]],
    )
  })

  it("wraps arguments that are no object, and takes them out again", () => {
    const { request, losses } = write(assistant("", [{ id: "c1", name: "find", arguments: '{"id":' }]))
    assert.deepNestedInclude(request.messages[0], { "data.tool_calls[0].args": { $arguments: '{"id":' } })
    assert.strictEqual(losses.length, 1)
    const decoded = langchain.decode(request)
    assert(decoded.ok)
    assert.deepNestedInclude(decoded.conversation.items[0]?.message, { "parts[0].arguments": '{"id":' })
  })

  const reasoning = (format: string | undefined, more: object = {}): Message => ({
    role: "assistant",
    parts: [
      { type: "reasoning", text: "so", ...more },
      { type: "text", text: "Yes." },
    ],
    ...(format === undefined ? {} : { format }),
  })

  it.each<[string, Message, unknown]>([
    [
      "unsigned",
      reasoning(undefined),
      { content: "Yes.", additional_kwargs: { reasoning_content: "so" }, response_metadata: {} },
    ],
    [
      "Anthropic's",
      reasoning("anthropic", { signature: "s" }),
      {
        content: [
          { type: "thinking", thinking: "so", signature: "s" },
          { type: "text", text: "Yes." },
        ],
        additional_kwargs: {},
        response_metadata: { model_provider: "anthropic" },
      },
    ],
    [
      "Anthropic's, withheld",
      reasoning("anthropic", { signature: "s", redacted: true }),
      {
        content: [
          { type: "redacted_thinking", data: "s" },
          { type: "text", text: "Yes." },
        ],
        additional_kwargs: {},
        response_metadata: { model_provider: "anthropic" },
      },
    ],
    [
      "of OpenAI's Responses",
      reasoning("openai-responses", { signature: "e", id: "rs_1" }),
      {
        content: "Yes.",
        additional_kwargs: {
          reasoning: {
            id: "rs_1",
            type: "reasoning",
            summary: [{ type: "summary_text", text: "so" }],
            encrypted_content: "e",
          },
        },
        response_metadata: { model_provider: "openai" },
      },
    ],
    ["of an unknown signer", reasoning("ai-sdk", { signature: "s" }), { content: "Yes.", ...none }],
  ])("puts reasoning where its integration keeps it: %s", (_, message, expected) => {
    const { request, losses } = write(message)
    const own = Object.entries(request.messages[0]?.data ?? {})
    const data = Object.fromEntries(own.filter(([key]) => !key.endsWith("tool_calls")))
    assert.deepStrictEqual(data, expected as typeof data)
    assert.strictEqual(losses.length, message.role === "assistant" && message.format === "ai-sdk" ? 1 : 0)
  })

  it("keeps signatures of calls by the id of the call", () => {
    const { request } = write({
      role: "assistant",
      format: "gemini",
      parts: [{ type: "tool-call", id: "c1", name: "find", arguments: "{}", signature: "s" }],
    })
    assert.deepNestedInclude(request.messages[0], {
      "data.additional_kwargs.__gemini_function_call_thought_signatures__": { c1: "s" },
    })
  })
})

describe("a message that was changed", () => {
  const wire = [
    { role: "user", content: "Hi", id: "m1" },
    {
      type: "ai",
      id: "m2",
      content: [{ type: "tool_use", id: "c1", name: "find", input: { text: "long" } }],
      tool_calls: [{ name: "find", args: { text: "long" }, id: "c1", type: "tool_call" }],
    },
  ]

  it("has its calls changed in every place, or in none", () => {
    const decoded = langchain.decode(wire)
    assert(decoded.ok)
    const [first, second] = decoded.conversation.items
    assert(first !== undefined && second?.message.role === "assistant")
    const parts = second.message.parts.map((part) =>
      part.type === "tool-call" ? { ...part, arguments: '{"text":"…"}' } : part,
    )
    const items = [first, { ...second, message: { ...second.message, parts } }]
    const { request } = langchain.encode({ ...decoded.conversation, items })
    assert.deepStrictEqual(request.messages[0], wire[0])
    assert.notInclude(JSON.stringify(request.messages[1]), "long")
    assert.deepStrictEqual(langchain.encode(decoded.conversation).request.messages[1], wire[1])
  })
})

describe("across formats", () => {
  it("comes from Anthropic's with what LangChain has no place for listed", () => {
    const read = anthropic.decode([
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "so", signature: "s" },
          { type: "server_tool_use", id: "srv1", name: "web_search", input: {} },
          { type: "tool_use", id: "c1", name: "find", input: { id: 7 } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "7" },
          { type: "text", text: "And?" },
        ],
      },
    ])
    assert(read.ok)
    const { request, losses } = langchain.encode(read.conversation)
    assert.deepStrictEqual(
      request.messages.map(({ type }) => type),
      ["human", "ai", "tool", "human"],
    )
    assert.deepStrictEqual(
      losses.map(({ kind, message, what }) => [kind, message, what]),
      [["dropped", 1, "a part of anthropic"]],
    )
  })

  it("goes to Anthropic's with its reasoning, and lists what is lost", () => {
    const read = langchain.decode([
      { role: "user", content: "Hi", id: "m1" },
      {
        type: "ai",
        data: {
          content: [
            { type: "thinking", thinking: "so", signature: "s" },
            { type: "tool_use", id: "c1", name: "find", input: { id: 7 } },
          ],
          tool_calls: [listed],
        },
      },
      { type: "tool", data: { content: "7", tool_call_id: "c1", status: "error" } },
    ])
    assert(read.ok)
    const { request, losses } = anthropic.encode(read.conversation)
    assert.deepStrictEqual(request.messages, [
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "so", signature: "s" },
          { type: "tool_use", id: "c1", name: "find", input: { id: 7 } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "7", is_error: true }] },
    ])
    assert.deepStrictEqual(
      losses.map(({ message, what }) => [message, what]),
      [
        [0, "fields of the form in which it came"],
        [1, "fields of the form in which it came"],
        [2, "fields of the form in which it came"],
      ],
    )
  })
})
