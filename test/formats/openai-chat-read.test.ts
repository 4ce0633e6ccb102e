import { type Message, user } from "@palimpsest/core"
import {
  fromOpenAiChat,
  type OpenAiMessage,
  toOpenAiChat,
  validateOpenAiChat,
} from "@palimpsest/core/formats/openai-chat"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const rules = (wire: ReadonlyArray<OpenAiMessage>) => validateOpenAiChat(wire).map((fault) => fault.rule)

describe("fromOpenAiChat", () => {
  const readMessages = (json: unknown): ReadonlyArray<Message> => {
    const reading = fromOpenAiChat(json)
    return reading.ok ? reading.messages : assert.fail(`${reading.path}: ${reading.reason}`)
  }

  it.each(["system", "developer"])(
    "takes a first %s message as the system prompt, later ones as synthetic",
    (role) => {
      const content = [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]
      assert.deepStrictEqual(
        fromOpenAiChat([
          { role, content },
          { role, content: "now" },
        ]),
        {
          ok: true,
          system: "a\nb",
          messages: [{ ...user("now"), synthetic: true }],
        },
      )
    },
  )

  it.each(["system", "developer", "user", "tool"])("refuses a %s message without content", (role) => {
    const reading = fromOpenAiChat([
      { role: "user", content: "hi" },
      { role, tool_call_id: "c1", text: "hi" },
    ])
    assert.strictEqual(
      reading.ok ? "" : `${reading.path}: ${reading.reason}`,
      "[1].content: it is missing: expected a text or a list of parts",
    )
  })

  it("reads a response without content, and the null that some servers write", () => {
    const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } }
    assert.lengthOf(readMessages([{ role: "assistant", tool_calls: [call] }]), 1)
    assert.lengthOf(readMessages([{ role: "tool", tool_call_id: "c1", content: null }]), 1)
  })

  it("reads refusals, reasoning, custom and old calls", () => {
    const custom = { id: "c1", type: "custom", custom: { name: "sh", input: "ls" } }
    const parts = readMessages([
      { role: "assistant", content: null, refusal: "No.", reasoning_content: "hm", tool_calls: [custom] },
      {
        role: "assistant",
        content: [{ type: "refusal", refusal: "No!" }],
        function_call: { name: "f", arguments: "{}" },
      },
      { role: "function", name: "f", content: "7" },
    ]).map((message) => message.parts)
    assert.deepStrictEqual(parts, [
      [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "No." },
        { type: "tool-call", id: "c1", name: "sh", arguments: "ls", kind: "custom" },
      ],
      [
        { type: "text", text: "No!" },
        { type: "opaque", format: "openai-chat", json: '{"function_call":{"name":"f","arguments":"{}"}}' },
      ],
      [{ type: "text", text: "7" }],
    ])
  })

  it("gives media and unknown parts back as they came", () => {
    const content = [
      { type: "text", text: "see" },
      { type: "image_url", image_url: { url: "https://a.b/c.png", detail: "high" } },
      { type: "image_url", image_url: { url: "data:image/png;base64,aGVs" } },
      { type: "input_audio", input_audio: { data: "aGVs", format: "mp3" } },
      { type: "file", file: { file_data: "data:application/pdf;base64,aGVs", filename: "a.pdf" } },
      { type: "file", file: { file_id: "f-1" } },
      { type: "video_url", video_url: { url: "https://a.b/c.mp4" } },
    ]
    assert.deepStrictEqual<unknown>(toOpenAiChat(readMessages([{ role: "user", content }])), [
      { role: "user", content },
    ])
  })

  const cyclic: Record<string, unknown> = { type: "odd" }
  cyclic.self = cyclic
  const callOf = (tool: unknown) => [{ role: "assistant", content: null, tool_calls: [tool] }]
  it.each<[unknown, string]>([
    [null, ""],
    [{ messages: [] }, ""],
    [["hi"], "[0]"],
    [[{ role: "user", content: "a" }, { role: "robot" }], "[1].role"],
    [[{ content: "a" }], "[0].role"],
    [[{ role: "user", content: { a: 1 } }], "[0].content"],
    [[{ role: "user", content: ["a"] }], "[0].content[0]"],
    [[{ role: "user", content: [{ type: "text" }] }], "[0].content[0].text"],
    [[{ role: "user", content: [cyclic] }], "[0]"],
    [[{ role: "system", content: [{ type: "image_url", image_url: { url: "x" } }] }], "[0].content[0]"],
    [[{ role: "tool", content: "a" }], "[0].tool_call_id"],
    [[{ role: "assistant", tool_calls: {} }], "[0].tool_calls"],
    [callOf({ type: "function", function: { name: "f", arguments: "" } }), "[0].tool_calls[0].id"],
    [callOf({ id: "c" }), "[0].tool_calls[0].function"],
    [callOf({ id: "c", function: { arguments: "" } }), "[0].tool_calls[0].function.name"],
    [callOf({ id: "c", function: { name: "f", arguments: {} } }), "[0].tool_calls[0].function.arguments"],
  ])("says where %j is wrong", (json, path) => {
    const reading = fromOpenAiChat(json)
    assert.isFalse(reading.ok)
    if (!reading.ok) assert.strictEqual(reading.path, path)
  })

  it("is total", () => {
    fc.assert(fc.property(fc.anything(), (json) => typeof fromOpenAiChat(json).ok === "boolean"))
    const message = fc.record(
      {
        role: fc.constantFrom("system", "user", "assistant", "tool", "function"),
        content: fc.oneof(fc.string(), fc.constant(null), fc.array(fc.anything(), { maxLength: 2 })),
        tool_calls: fc.oneof(fc.anything(), fc.array(fc.anything(), { maxLength: 2 })),
        tool_call_id: fc.string(),
      },
      { requiredKeys: ["role"] },
    )
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 3 }),
        (json) => typeof fromOpenAiChat(json).ok === "boolean",
      ),
    )
  })
})

describe("validateOpenAiChat", () => {
  const a = (ids: ReadonlyArray<string>): OpenAiMessage => ({
    role: "assistant",
    content: null,
    tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
  })
  const t = (id: string, content = "ok"): OpenAiMessage => ({ role: "tool", tool_call_id: id, content })
  const u = (content: string): OpenAiMessage => ({ role: "user", content })
  const odd = (message: unknown): OpenAiMessage => message as OpenAiMessage
  it.each<[string, ReadonlyArray<OpenAiMessage>, ReadonlyArray<string>]>([
    ["valid", [u("x"), a(["1", "2"]), t("2"), t("1"), u("y")], []],
    ["no result", [a(["1", "2"]), t("1")], ["OC1"]],
    ["late result", [a(["1"]), u("x"), t("1")], ["OC1", "OC2"]],
    ["two results", [a(["1"]), t("1"), t("1")], ["OC1"]],
    ["orphan", [u("x"), t("1")], ["OC2"]],
    ["another's result", [a(["1"]), t("1"), t("2")], ["OC2"]],
    ["says nothing", [{ role: "assistant", content: null }], ["OC3"]],
    [
      "arguments as object",
      [
        odd({
          role: "assistant",
          content: "x",
          tool_calls: [{ id: "1", function: { name: "f", arguments: {} } }],
        }),
        t("1"),
      ],
      ["OC4"],
    ],
    ["no calls", [{ role: "assistant", content: "x", tool_calls: [] }], ["OC5"]],
    ["texts in a result", [a(["1"]), { ...t("1"), content: [{ type: "text", text: "x" }] }], []],
    ["a picture in a result", [a(["1"]), { ...t("1"), content: [{ type: "image_url" }] }], ["OC6"]],
    ["name", [{ role: "user", content: "x", name: "a b" }], ["OC7"]],
    ["late system", [u("x"), { role: "system", content: "y" }], ["OC9"]],
    [
      "two systems",
      [
        { role: "system", content: "y" },
        { role: "system", content: "y" },
      ],
      ["OC9"],
    ],
    ["lone surrogate", [u("\ud83d")], ["OC10"]],
    ["empty user", [u("")], ["OC12"]],
    ["empty list", [{ role: "user", content: [] }], ["OC12"]],
    ["empty part", [{ role: "user", content: [{ type: "text", text: "" }] }], ["OC12"]],
    ["empty result", [a(["1"]), t("1", "")], ["OC12"]],
    ["one id twice", [a(["1", "1"]), t("1")], ["OC11"]],
  ])("%s", (_, wire, expected) => {
    assert.deepStrictEqual(rules(wire), expected)
  })
})
