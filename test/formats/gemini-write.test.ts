import { type AssistantMessage, assistant, type Message, toolResult, user } from "@palimpsest/core"
import { conversation, messagesIn } from "@palimpsest/core/formats"
import { gemini, geminiFor } from "@palimpsest/core/formats/gemini"
import { describe, expect, it } from "vitest"
import { callsOf, losses, model, read, response, results, SENTINEL, said, write } from "./GeminiKit.ts"

describe("signatures", () => {
  const signedCall: AssistantMessage = {
    role: "assistant",
    format: "gemini",
    parts: [
      { type: "reasoning", text: "Let me see.", signature: "dGhpbms=" },
      { type: "tool-call", id: "a", name: "find", arguments: "{}", signature: "c2ln" },
      { type: "tool-call", id: "b", name: "find", arguments: "{}" },
    ],
  }

  it("GE6: signatures come back on the part on which they came", () => {
    expect(write(signedCall)[0]?.parts).toEqual([
      { text: "Let me see.", thought: true, thoughtSignature: "dGhpbms=" },
      { functionCall: { id: "a", name: "find", args: {} }, thoughtSignature: "c2ln" },
      { functionCall: { id: "b", name: "find", args: {} } },
    ])
    const parts = [{ text: "a" }, { text: "b", thoughtSignature: "c2ln" }]
    expect(gemini.repair([model(...parts), said("Hi")]).request.contents[1]?.parts).toEqual(parts)
  })

  it("GE6: a signature of another provider is not sent", () => {
    const foreign = { ...signedCall, format: "anthropic" }
    expect(write(foreign)[0]?.parts).toEqual([
      { functionCall: { id: "a", name: "find", args: {} }, thoughtSignature: SENTINEL },
      { functionCall: { id: "b", name: "find", args: {} } },
    ])
    expect(losses(foreign)).toEqual(["dropped reasoning", "dropped the signature of the call a"])
  })

  it("that stand for lost ones are sent in each turn, so that what was sent stays the same", () => {
    const call = assistant("", [{ id: "a", name: "find", arguments: "{}" }])
    const once = write(user("a"), call, toolResult("a", "b"))
    expect(once[1]?.parts).toEqual([
      { functionCall: { id: "a", name: "find", args: {} }, thoughtSignature: SENTINEL },
    ])
    expect(write(user("a"), call, toolResult("a", "b"), assistant("c"), user("d")).slice(0, 3)).toEqual(once)
  })

  it("survive when the result beside them is shortened", () => {
    const contents = [
      said("a"),
      model({ functionCall: { name: "find", args: {} }, thoughtSignature: "c2ln" }),
      results({ functionResponse: { name: "find", response: { result: "long" } } }),
    ]
    const { items } = read(contents)
    const shortened = items.map((item) =>
      item.message.role === "tool"
        ? {
            message: {
              ...item.message,
              parts: item.message.parts.map((part) =>
                part.type === "tool-result"
                  ? { ...part, content: [{ type: "text" as const, text: "-" }] }
                  : part,
              ),
            },
          }
        : item,
    )
    const { request } = gemini.encode({ system: null, items: shortened })
    expect(request.contents).toEqual([contents[0], contents[1], results(response("find", { output: "-" }))])
  })
})

describe("writing", () => {
  it("joins neighbours of one role, results first, in the order of their calls", () => {
    const call = assistant("I look", [
      { id: "a", name: "find", arguments: '{"id":7}' },
      { id: "b", name: "read", arguments: "{}" },
    ])
    expect(write(user("Where?"), call, toolResult("b", "2"), toolResult("a", "1"), user("Well?"))).toEqual([
      said("Where?"),
      model(
        { text: "I look" },
        { functionCall: { id: "a", name: "find", args: { id: 7 } }, thoughtSignature: SENTINEL },
        { functionCall: { id: "b", name: "read", args: {} } },
      ),
      results(
        { functionResponse: { id: "a", name: "find", response: { output: "1" } } },
        { functionResponse: { id: "b", name: "read", response: { output: "2" } } },
        { text: "Well?" },
      ),
    ])
  })

  it("writes a result as text, or as the object that its text is", () => {
    const answers = ["here", '{"a":1}', '{ "a": 1 }', '{"error":"x"}', '{"output":"x"}', "[1]", ""]
    const written = answers.map((answer) => {
      const call = assistant("", [{ id: "a", name: "find", arguments: "{}" }])
      const [part] = write(call, toolResult("a", answer)).at(-1)?.parts ?? []
      return JSON.parse(JSON.stringify(part)).functionResponse.response
    })
    expect(written).toEqual([
      { output: "here" },
      { a: 1 },
      { output: '{ "a": 1 }' },
      { output: '{"error":"x"}' },
      { output: '{"output":"x"}' },
      { output: "[1]" },
      { output: "" },
    ])
  })

  it("keeps what an error said apart from what a tool put out", () => {
    const call = assistant("", [{ id: "a", name: "find", arguments: "{}" }])
    const error = write(call, toolResult("a", "gone", { status: "error" }))
    expect(error[1]).toEqual(
      results({ functionResponse: { id: "a", name: "find", response: { error: "gone" } } }),
    )
  })

  it("puts media inside a result, or beside it where they cannot be inside", () => {
    const call = assistant("", [{ id: "a", name: "find", arguments: "{}" }])
    const png = { type: "media", mediaType: "image/png", data: "aGVs" } as const
    const link = { type: "media", mediaType: "image/png", data: "https://example.org/a.png" } as const
    const result = {
      role: "tool",
      parts: [{ type: "tool-result", call: "a", status: "ok", content: [png, link] }],
    } as const
    const inside = { inlineData: { mimeType: "image/png", data: "aGVs" } }
    const file = { fileData: { mimeType: "image/png", fileUri: "https://example.org/a.png" } }
    const answer = { id: "a", name: "find", response: { output: "" } }
    expect(write(call, result)[1]?.parts).toEqual([
      { functionResponse: { ...answer, parts: [inside] } },
      file,
    ])
    const older = geminiFor({ generation: 2 }).encode(conversation([call, result]))
    expect(older.request.contents[1]?.parts).toEqual([{ functionResponse: answer }, inside, file])
    expect(older.losses.map(({ what }) => what)).toEqual(["media of a result"])
  })

  it("wraps arguments that are no object, and reads them again", () => {
    const call = assistant("", [{ id: "a", name: "find", arguments: "{" }])
    const contents = write(call)
    expect(contents[0]?.parts[0]).toMatchObject({ functionCall: { args: { $arguments: "{" } } })
    expect(callsOf(messagesIn(read(contents)))[0]?.arguments).toBe("{")
    expect(losses(call)).toEqual(["changed the arguments of the call a"])
  })

  it("keeps the digits of big numbers", () => {
    const call = assistant("", [{ id: "a", name: "find", arguments: '{"id":9007199254740993}' }])
    const thread = messagesIn(read(write(call)))
    expect(callsOf(thread)[0]?.arguments).toBe('{"id":9007199254740993}')
  })

  it("writes neither ids nor signatures for a model and a route that know none", () => {
    const call = assistant("", [{ id: "a", name: "find", arguments: "{}" }])
    const thread = conversation([user("a"), call, toolResult("a", "b")])
    expect(geminiFor({ generation: 2, ids: false }).encode(thread).request.contents.slice(1)).toEqual([
      model({ functionCall: { name: "find", args: {} } }),
      results(response("find", { output: "b" })),
    ])
  })

  it("says what it leaves out", () => {
    const named: Message = { role: "user", name: "Ann", parts: [{ type: "text", text: "Hi" }] }
    expect(losses(named)).toEqual(["dropped the name of a speaker"])
    const foreign = { type: "opaque", format: "anthropic", json: "{}" } as const
    expect(losses({ role: "user", parts: [foreign] })).toEqual(["changed a part of anthropic"])
    expect(losses({ role: "assistant", parts: [foreign] })).toEqual(["dropped a part of anthropic"])
    const approval: Message = { role: "tool", parts: [{ type: "approval", call: "a", approved: true }] }
    expect(losses(approval)).toEqual(["dropped an approval"])
    const empty: Message = {
      role: "user",
      parts: [{ type: "media", mediaType: "image/png", data: "", name: "a" }],
    }
    expect(losses(empty)).toEqual(["changed image/png"])
    const file: Message = {
      role: "user",
      parts: [{ type: "media", mediaType: "image/png", data: "aGVs", name: "a" }],
    }
    expect(losses(file)).toEqual(["dropped the name of a file"])
  })

  it("writes a text for a user who said nothing", () => {
    expect(write({ role: "user", parts: [] })).toEqual([said("(blank)")])
  })
})
