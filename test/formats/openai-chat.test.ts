import { assistant, type MediaPart, toolResult, user } from "@palimpsest/core"
import { type OpenAiMessage, toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { assert, describe, it } from "vitest"

const image: MediaPart = { type: "media", mediaType: "image/png", data: "aGVs", name: "a\nb.png" }
const call = (id: string, args = "{}") => ({ id, name: "find", arguments: args })
const rules = (wire: ReadonlyArray<OpenAiMessage>) => validateOpenAiChat(wire).map((fault) => fault.rule)

describe("toOpenAiChat", () => {
  it("puts the system prompt first, and drops reasoning", () => {
    const wire = toOpenAiChat(
      [
        user("hi"),
        {
          role: "assistant",
          parts: [
            { type: "reasoning", text: "hm", signature: "s" },
            { type: "text", text: "hello" },
          ],
        },
      ],
      { system: " Be brief.\n" },
    )
    assert.deepStrictEqual(wire, [
      { role: "system", content: " Be brief.\n" },
      { role: "user", content: "hi" },
      { role: "assistant", content: "hello" },
    ])
  })

  it("moves images of results behind all results of the response", () => {
    const wire = toOpenAiChat([
      user("look"),
      assistant("", [call("c1"), call("c2")]),
      {
        role: "tool",
        parts: [{ type: "tool-result", call: "c1", status: "ok", content: [image] }],
      },
      assistant(""),
      toolResult("c2", "done"),
      assistant("I see."),
    ])
    assert.deepStrictEqual(
      wire.map((message) => message.role),
      ["user", "assistant", "tool", "tool", "user", "assistant"],
    )
    assert.include(String(wire[2]?.content), "image/png")
    assert.deepStrictEqual(wire[4]?.content, [
      { type: "text", text: "[from the result of the call c1]" },
      { type: "image_url", image_url: { url: "data:image/png;base64,aGVs" } },
    ])
    assert.deepStrictEqual(rules(wire), [])
  })

  it("never sends an empty text", () => {
    const wire = toOpenAiChat([
      user("go"),
      assistant(""),
      assistant("", [call("c1")]),
      toolResult("c1", ""),
      assistant(" \n"),
      user("  "),
      { role: "user", parts: [{ type: "text", text: "" }, image] },
      { role: "user", parts: [] },
    ])
    assert.deepStrictEqual(
      wire.map((message) => (typeof message.content === "string" ? message.content : null)),
      ["go", null, "(no output)", "(blank)", null, "(blank)"],
    )
    assert.deepStrictEqual(rules(wire), [])
  })

  it("keeps arguments byte for byte, and makes every string well formed", () => {
    const args = '{ "n": 12345678901234567890, "s":"\\ud83d" '
    const wire = toOpenAiChat([
      user("\ud83d"),
      assistant("\udc00x", [call("c1", args)]),
      toolResult("c1", "\ud83d!"),
    ])
    assert.deepStrictEqual(wire, [
      { role: "user", content: "\ufffd" },
      {
        role: "assistant",
        content: "\ufffdx",
        tool_calls: [{ id: "c1", type: "function", function: { name: "find", arguments: args } }],
      },
      { role: "tool", tool_call_id: "c1", content: "\ufffd!" },
    ])
  })

  const medium = (part: Partial<MediaPart>) =>
    toOpenAiChat([
      {
        role: "user",
        parts: [
          { type: "text", text: "see" },
          { ...image, ...part },
        ],
      },
    ])[0]?.content?.[1]
  it.each<[string, Partial<MediaPart>, unknown]>([
    [
      "address",
      { data: "https://a.b/c.png", detail: "low" },
      { type: "image_url", image_url: { url: "https://a.b/c.png", detail: "low" } },
    ],
    [
      "data URL",
      { data: "data:image/gif;base64,aGVs" },
      { type: "image_url", image_url: { url: "data:image/gif;base64,aGVs" } },
    ],
    [
      "sound",
      { mediaType: "audio/wav", data: "data:audio/wav;base64,aGVs" },
      { type: "input_audio", input_audio: { data: "aGVs", format: "wav" } },
    ],
    [
      "file",
      { mediaType: "application/pdf" },
      { type: "file", file: { file_data: "data:application/pdf;base64,aGVs", filename: "a\nb.png" } },
    ],
    [
      "file by address",
      { mediaType: "application/pdf", data: "https://a.b/c" },
      { type: "text", text: '[application/pdf "a\\nb.png": https://a.b/c]' },
    ],
    ["nothing", { data: "" }, { type: "text", text: '[image/png "a\\nb.png": no data]' }],
  ])("sends media as far as the format can: %s", (_, part, expected) => {
    assert.deepStrictEqual(medium(part), expected)
  })

  it("sends names in the alphabet of names", () => {
    const wire = toOpenAiChat([
      { ...user("hi"), name: "Zoë B." },
      { ...user("ho"), name: "" },
    ])
    assert.deepStrictEqual(wire[0], { role: "user", content: "hi", name: "Zo__B_" })
    assert.deepStrictEqual(wire[1], { role: "user", content: "ho" })
  })
})
