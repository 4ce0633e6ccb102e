import { assistant, user } from "@palimpsest/core"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { assert, describe, it } from "vitest"
import { call, heard, hello, result, said } from "./AnthropicWire.ts"
import { png } from "./Pictures.ts"

const read = (...wire: ReadonlyArray<unknown>) => {
  const decoded = anthropic.decode(wire)
  return decoded.ok ? decoded.conversation : assert.fail(`${decoded.path}: ${decoded.reason}`)
}

/** The messages, and which of them keep the form in which they came. */
const seen = (...wire: ReadonlyArray<unknown>) => {
  const { items } = read(...wire)
  return {
    messages: items.map(({ message }) => message),
    kept: items.flatMap(({ raw }, i) => (raw === undefined ? [] : [i])),
  }
}

describe("reading the Messages API", () => {
  it("reads texts, calls and results, and keeps no other form of them", () => {
    assert.deepStrictEqual(
      seen(
        hello,
        said({ type: "text", text: "Let me look." }, call("c1", { a: 1 }), call("c2", { a: 1 })),
        heard(result("c1"), result("c2", "found", { is_error: true }), { type: "text", text: "And?" }),
      ),
      {
        messages: [
          user("Hello"),
          assistant("Let me look.", [
            { id: "c1", name: "find", arguments: '{"a":1}' },
            { id: "c2", name: "find", arguments: '{"a":1}' },
          ]),
          {
            role: "tool",
            parts: [
              { type: "tool-result", call: "c1", status: "ok", content: [{ type: "text", text: "found" }] },
              {
                type: "tool-result",
                call: "c2",
                status: "error",
                content: [{ type: "text", text: "found" }],
              },
            ],
          },
          user("And?"),
        ],
        kept: [],
      },
    )
  })

  it("reads thinking with what binds it, and says whose it is", () => {
    const { messages, kept } = seen(
      hello,
      said(
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "redacted_thinking", data: "cmVk" },
        { type: "text", text: "Hi" },
      ),
    )
    assert.deepStrictEqual(messages[1], {
      role: "assistant",
      format: "anthropic",
      parts: [
        { type: "reasoning", text: "Hm.", signature: "c2ln" },
        { type: "reasoning", text: "", signature: "cmVk", redacted: true },
        { type: "text", text: "Hi" },
      ],
    })
    assert.deepStrictEqual(kept, [])
  })

  it.each([
    ["a call of the provider", { type: "server_tool_use", id: "s1", name: "web_search", input: {} }],
    [
      "its result",
      { type: "web_search_tool_result", tool_use_id: "s1", content: [{ encrypted_content: "e" }] },
    ],
    ["a compaction", { type: "compaction", content: "Summary", encrypted_content: "e" }],
    ["a block that is new", { type: "something_new", deep: [{ a: 1 }] }],
  ])("keeps %s as it is, in its response", (_, block) => {
    const { messages, kept } = seen(hello, said(block, { type: "text", text: "So." }))
    assert.deepStrictEqual(messages[1]?.parts[0], {
      type: "opaque",
      format: "anthropic",
      json: JSON.stringify(block),
    })
    assert.deepStrictEqual(kept, [])
  })

  it("reads images and documents with their type, size and title", () => {
    const data = png(640, 480)
    const { messages, kept } = seen(
      heard(
        { type: "image", source: { type: "base64", media_type: "image/png", data } },
        { type: "document", source: { type: "url", url: "https://a.b/c.pdf" }, title: "Terms" },
        { type: "image", source: { type: "file", file_id: "f1" } },
      ),
    )
    assert.deepStrictEqual(messages[0]?.parts, [
      { type: "media", mediaType: "image/png", data, width: 640, height: 480 },
      { type: "media", mediaType: "application/pdf", data: "https://a.b/c.pdf", name: "Terms" },
      {
        type: "opaque",
        format: "anthropic",
        json: '{"type":"image","source":{"type":"file","file_id":"f1"}}',
      },
    ])
    assert.deepStrictEqual(kept, [])
  })

  it("keeps the form where the messages would not give it back", () => {
    const citations = [{ type: "char_location", cited_text: "a" }]
    for (const message of [
      heard({ type: "text", text: "Hello" }),
      heard({ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }),
      said({ type: "text", text: "Hi", citations }),
      said({ type: "thinking", thinking: "Hm.", signature: "" }, { type: "text", text: "Hi" }),
      { ...hello, x_new: 1 },
      heard({ type: "text", text: "Hello" }, result("c1")),
      said({ ...call("c1", { a: 1 }), input: [] }),
    ]) {
      const conversation = read(message)
      assert.isDefined(conversation.items[0]?.raw, JSON.stringify(message))
      assert.deepStrictEqual<unknown>(anthropic.encode(conversation).request.messages, [message])
    }
  })

  it("reads responses side by side as one, and gives them back as they came", () => {
    const search = { type: "server_tool_use", id: "s1", name: "web_search", input: {} }
    const wire = [
      hello,
      said({ type: "thinking", thinking: "Hm.", signature: "c2ln" }, search),
      said({ type: "web_search_tool_result", tool_use_id: "s1", content: [] }, call("c1"), call("c2")),
      heard(result("c1"), result("c2")),
      said({ type: "text", text: "So." }),
    ]
    const conversation = read(...wire)
    assert.deepStrictEqual(
      conversation.items.map(({ message }) => [message.role, message.parts.map(({ type }) => type).join()]),
      [
        ["user", "text"],
        ["assistant", "reasoning,opaque,opaque,tool-call,tool-call"],
        ["tool", "tool-result,tool-result"],
        ["assistant", "text"],
      ],
    )
    assert.deepStrictEqual<unknown>(anthropic.encode(conversation).request.messages, wire)
  })

  it("reads a system message among the others as a program's", () => {
    assert.deepStrictEqual(seen(hello, { role: "system", content: "Be brief." }).messages[1], {
      ...user("Be brief."),
      synthetic: true,
    })
  })

  it("keeps the fields of the request and the form of the system prompt", () => {
    const request = {
      model: "claude",
      max_tokens: 100,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      messages: [hello],
      metadata: { user_id: "u" },
    }
    const decoded = anthropic.decode(request)
    if (!decoded.ok) assert.fail(decoded.reason)
    assert.strictEqual(decoded.conversation.system, "Be brief.")
    assert.deepStrictEqual<unknown>(anthropic.encode(decoded.conversation).request, request)
    const changed = anthropic.encode({ ...decoded.conversation, system: "Be kind." }).request
    assert.deepStrictEqual<unknown>(changed, { ...request, system: "Be kind." })
  })

  it.each<[unknown, string]>([
    [null, ""],
    [[{ role: "robot", content: "a" }], "[0].role"],
    [{ messages: [hello, { role: "user" }] }, "messages[1].content"],
    [{ messages: [heard({ type: "text" })] }, "messages[0].content[0].text"],
    [[said({ type: "tool_use", id: 7, name: "f", input: {} })], "[0].content[0].id"],
    [
      [heard({ type: "tool_result", tool_use_id: "c1", content: [{ type: "text" }] })],
      "[0].content[0].content[0].text",
    ],
  ])("says where %j is wrong", (input, path) => {
    const decoded = anthropic.decode(input)
    assert.isFalse(decoded.ok)
    if (!decoded.ok) assert.strictEqual(decoded.path, path)
  })
})
