import { countMessage, defaultAccounting, estimateCounter, type Message } from "@palimpsest/core"
import { messagesIn } from "@palimpsest/core/formats"
import { langchain, withMessageIds } from "@palimpsest/core/formats/langchain"
import { assert, describe, it } from "vitest"

const read = (...messages: ReadonlyArray<unknown>): ReadonlyArray<Message> => {
  const decoded = langchain.decode(messages)
  assert(decoded.ok, decoded.ok ? "" : `${decoded.path}: ${decoded.reason}`)
  return messagesIn(decoded.conversation)
}

const ai = (data: object) => ({ type: "ai", data })

const call = { type: "tool-call", id: "c1", name: "find", arguments: '{"id":7}' } as const

describe("reading", () => {
  it.each<[string, unknown]>([
    ["stored", { type: "human", data: { content: "Hi", additional_kwargs: {}, response_metadata: {} } }],
    [
      "serialised",
      {
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", "HumanMessage"],
        kwargs: { content: "Hi" },
      },
    ],
    [
      "serialised by Python",
      {
        lc: 1,
        type: "constructor",
        id: ["langchain", "schema", "messages", "HumanMessageChunk"],
        kwargs: { content: "Hi" },
      },
    ],
    ["plain, by type", { type: "human", content: "Hi", id: "m1" }],
    ["plain, by role", { role: "user", content: "Hi" }],
    ["blocks", { role: "user", content: ["Hi"] }],
    ["a role of one's own", { type: "chat", role: "user", content: "Hi" }],
  ])("knows the form: %s", (_, message) => {
    assert.deepStrictEqual(read(message), [{ role: "user", parts: [{ type: "text", text: "Hi" }] }])
  })

  it("takes the system prompt from the front, and a later one for the text of a program", () => {
    const decoded = langchain.decode([
      {
        role: "developer",
        content: [
          { type: "text", text: "Be" },
          { type: "text", text: "brief." },
        ],
      },
      { type: "system", data: { content: "Now be long." } },
    ])
    assert(decoded.ok)
    assert.strictEqual(decoded.conversation.system, "Be\nbrief.")
    assert.deepStrictEqual(messagesIn(decoded.conversation), [
      { role: "user", synthetic: true, parts: [{ type: "text", text: "Now be long." }] },
    ])
  })

  it("reads a call once, wherever it stands", () => {
    const listed = { name: "find", args: { id: 7 }, id: "c1", type: "tool_call" }
    const block = { type: "tool_use", id: "c1", name: "find", input: { id: 7 } }
    const streamed = { ...block, input: "", index: 1 }
    const delta = { type: "input_json_delta", index: 1, input: '{"id":7}' }
    const raw = { id: "c1", type: "function", function: { name: "find", arguments: '{"id":7}' } }
    for (const data of [
      { content: "", tool_calls: [listed] },
      { content: [block], tool_calls: [listed] },
      { content: [block] },
      { content: [streamed, delta], tool_calls: [listed] },
      { content: [{ type: "tool_call", id: "c1", name: "find", args: { id: 7 } }], tool_calls: [listed] },
      { content: "", tool_calls: [listed], additional_kwargs: { tool_calls: [raw] } },
      { content: "", additional_kwargs: { tool_calls: [raw] } },
      { content: "", invalid_tool_calls: [{ name: "find", args: '{"id":7}', id: "c1", error: "no" }] },
      { content: "", tool_calls: [raw] },
      {
        content: [{ functionCall: { name: "find", args: { id: 7 } }, type: "functionCall" }],
        tool_calls: [listed],
      },
    ])
      assert.deepStrictEqual(read(ai(data)), [{ role: "assistant", parts: [call] }])
  })

  it("keeps the order of texts and calls in the content", () => {
    const block = { type: "tool_use", id: "c1", name: "find", input: { id: 7 } }
    const [message] = read(ai({ content: [{ type: "text", text: "a" }, block, { type: "text", text: "b" }] }))
    assert.deepStrictEqual(message?.parts, [{ type: "text", text: "a" }, call, { type: "text", text: "b" }])
  })

  it("tells who signed a response", () => {
    const thinking = { type: "thinking", thinking: "so", signature: "s" }
    const signature = { __gemini_function_call_thought_signatures__: { c1: "s" } }
    const formats = [
      ai({ content: [thinking] }),
      ai({ content: [{ type: "redacted_thinking", data: "r" }] }),
      ai({ content: [thinking], response_metadata: { model_provider: "google-genai" } }),
      ai({ content: "", tool_calls: [{ name: "find", args: {}, id: "c1" }], additional_kwargs: signature }),
      ai({ content: "", additional_kwargs: { reasoning: { id: "rs_1", type: "reasoning", summary: [] } } }),
      ai({ content: [{ type: "thinking", thinking: "so" }] }),
    ]
      .map((message) => read(message)[0])
      .map((message) => (message?.role === "assistant" ? message.format : "none"))
    assert.deepStrictEqual(formats, [
      "anthropic",
      "anthropic",
      "gemini",
      "gemini",
      "openai-responses",
      undefined,
    ])
  })

  it("reads reasoning, refusals and the model", () => {
    const [message] = read(
      ai({
        content: "",
        additional_kwargs: { reasoning_content: "hm", refusal: "No." },
        response_metadata: { model_name: "m-1" },
      }),
    )
    assert.deepStrictEqual(message, {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "No." },
      ],
      model: "m-1",
    })
  })

  it.each<[string, object, object]>([
    [
      "a text for a URL",
      { type: "image_url", image_url: "https://a.b/c.png" },
      { mediaType: "image/*", data: "https://a.b/c.png" },
    ],
    [
      "OpenAI's",
      { type: "image_url", image_url: { url: "data:image/gif;base64,aGVs", detail: "low" } },
      { mediaType: "image/gif", data: "data:image/gif;base64,aGVs", detail: "low" },
    ],
    [
      "version 0",
      { type: "image", source_type: "base64", mime_type: "image/png", data: "aGVs" },
      { mediaType: "image/png", data: "aGVs" },
    ],
    [
      "version 1",
      { type: "file", mimeType: "application/pdf", data: "aGVs", metadata: { filename: "a.pdf" } },
      { mediaType: "application/pdf", data: "aGVs", name: "a.pdf" },
    ],
    [
      "Anthropic's",
      { type: "image", source: { type: "base64", media_type: "image/webp", data: "aGVs" } },
      { mediaType: "image/webp", data: "aGVs" },
    ],
    [
      "OpenAI's sound",
      { type: "input_audio", input_audio: { data: "aGVs", format: "wav" } },
      { mediaType: "audio/wav", data: "aGVs" },
    ],
    [
      "OpenAI's file",
      { type: "file", file: { file_data: "data:application/pdf;base64,aGVs", filename: "a.pdf" } },
      { mediaType: "application/pdf", data: "data:application/pdf;base64,aGVs", name: "a.pdf" },
    ],
  ])("reads media: %s", (_, block, expected) => {
    const [message] = read({ role: "user", content: [block] })
    assert.deepStrictEqual(message?.parts, [{ type: "media", ...expected }] as unknown as Message["parts"])
  })

  it("keeps what only its provider can read", () => {
    const block = { type: "file", fileId: "file-1" }
    const [message] = read({ role: "user", content: [block] })
    assert.deepStrictEqual(message?.parts, [
      { type: "opaque", format: "langchain", json: JSON.stringify(block) },
    ])
  })

  it.each<[string, unknown, string, string | undefined]>([
    ["removes a message", { type: "remove", data: { id: "m1" } }, "[0]", "LC5"],
    [
      "removes all",
      { lc: 1, type: "constructor", id: ["RemoveMessage"], kwargs: { id: "__remove_all__" } },
      "[0]",
      "LC5",
    ],
    ["is of no type", { type: "robot", data: { content: "x" } }, "[0]", undefined],
    ["is no object", 7, "[0]", undefined],
    ["answers no call", { type: "tool", data: { content: "x" } }, "[0].data.tool_call_id", undefined],
    [
      "has a text that is none",
      { role: "user", content: [{ type: "text", text: 7 }] },
      "[0].content[0].text",
      undefined,
    ],
  ])("refuses what %s, and says where", (_, message, path, rule) => {
    const decoded = langchain.decode([message])
    assert(!decoded.ok)
    assert.strictEqual(decoded.path, path)
    assert.strictEqual(decoded.rule, rule)
  })
})

describe("what is not for the model", () => {
  const weigh = (message: Message | undefined): number =>
    message === undefined ? 0 : countMessage(message, estimateCounter, defaultAccounting)

  const result = { content: "done", tool_call_id: "c1" }
  const artifact = { rows: Array.from({ length: 1000 }, (_, i) => i) }

  it("keeps an artifact as it came", () => {
    const wire = [{ type: "tool", data: { ...result, artifact } }]
    const decoded = langchain.decode(wire)
    assert(decoded.ok)
    assert.deepStrictEqual(langchain.encode(decoded.conversation).request.messages, wire)
  })

  it("never counts an artifact", () => {
    assert.strictEqual(
      weigh(read({ type: "tool", data: { ...result, artifact } })[0]),
      weigh(read({ type: "tool", data: result })[0]),
    )
  })

  const metadata = {
    usage_metadata: { input_tokens: 9 },
    response_metadata: { finish_reason: "stop ".repeat(99) },
  }

  it("keeps the metadata of a response as they came", () => {
    const wire = [ai({ content: "Hi", ...metadata })]
    const decoded = langchain.decode(wire)
    assert(decoded.ok)
    assert.deepStrictEqual(langchain.encode(decoded.conversation).request.messages, wire)
  })

  it("never counts the metadata of a response", () => {
    assert.strictEqual(
      weigh(read(ai({ content: "Hi", ...metadata }))[0]),
      weigh(read(ai({ content: "Hi" }))[0]),
    )
  })
})

describe("ids of messages", () => {
  const hi = { role: "user", content: "Hi" }

  it("are derived from the content and what is before it, each one its own", () => {
    const [first, second, third] = withMessageIds({ messages: [hi, hi, { ...hi, id: "mine" }] }).messages
    const [again, other] = withMessageIds({ messages: [hi, { type: "human", data: hi }] }).messages
    assert.match(String(first?.id), /^[0-9a-f-]{36}$/)
    assert.notStrictEqual(first?.id, second?.id)
    assert.strictEqual(third?.id, "mine")
    assert.strictEqual(first?.id, again?.id)
    assert.notDeepEqual(other?.data, hi)
  })

  it("never stand twice, even when one was taken already", () => {
    const [first] = withMessageIds({ messages: [hi] }).messages
    const { messages } = withMessageIds({ messages: [hi, { ...hi, content: "Ho", id: first?.id }] })
    assert.strictEqual(new Set(messages.map(({ id }) => id)).size, 2)
  })
})
