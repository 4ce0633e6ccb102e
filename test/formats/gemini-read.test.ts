import { assistant, toolResult } from "@palimpsest/core"
import { messagesIn } from "@palimpsest/core/formats"
import { gemini } from "@palimpsest/core/formats/gemini"
import { describe, expect, it } from "vitest"
import {
  answeredIn,
  callsOf,
  messages,
  model,
  read,
  response,
  results,
  SENTINEL,
  said,
  write,
} from "./GeminiKit.ts"

describe("calls without ids", () => {
  const asked = model(
    { functionCall: { name: "find", args: {} } },
    { functionCall: { name: "read", args: {} } },
  )

  it("get ids that do not change when the results are appended", () => {
    const before = callsOf(messages(said("a"), asked)).map(({ id }) => id)
    const both = messages(said("a"), asked, results(response("find", {}), response("read", {})))
    expect(callsOf(both).map(({ id }) => id)).toEqual(before)
    expect(answeredIn(both)).toEqual(before)
    expect(new Set(before).size).toBe(2)
  })

  it("are answered by name, then by order", () => {
    const thread = messages(asked, results(response("read", {}), response("find", {})))
    const [find, readId] = callsOf(thread).map(({ id }) => id)
    expect(answeredIn(thread)).toEqual([readId, find])
    const twice = messages(
      model(
        { functionCall: { name: "find", args: { a: 1 } } },
        { functionCall: { name: "find", args: { a: 2 } } },
      ),
      results(response("find", { output: "1" })),
      results(response("find", { output: "2" })),
    )
    expect(answeredIn(twice)).toEqual(callsOf(twice).map(({ id }) => id))
  })

  it("are answered by results that have ids of their own", () => {
    const thread = messages(
      asked,
      results(response("find", {}, { id: "x1" }), response("read", {}, { id: "x2" })),
    )
    expect(answeredIn(thread)).toEqual(callsOf(thread).map(({ id }) => id))
  })

  it("of one response that came in pieces are one message", () => {
    const thread = messages(
      model({ text: "I look" }),
      model({ functionCall: { name: "find", args: {} } }),
      model({ functionCall: { name: "read", args: {} } }),
      results(response("find", {}), response("read", {})),
    )
    expect(thread.map(({ role }) => role)).toEqual(["assistant", "tool"])
    expect(answeredIn(thread)).toEqual(callsOf(thread).map(({ id }) => id))
  })

  it("have ids that are never sent", () => {
    const thread = messages(asked, results(response("find", {}), response("read", {})))
    expect(JSON.stringify(write(...thread))).not.toContain("gemini-")
  })

  it("keep a result that is no one's, with an id that is no call's", () => {
    const thread = messages(asked, results(response("find", {}), response("find", {})))
    const ids = callsOf(thread).map(({ id }) => id)
    expect(answeredIn(thread).map((id) => ids.indexOf(id))).toEqual([0, -1])
  })
})

describe("ids that came", () => {
  it("stay, and say which result belongs to which call", () => {
    const thread = messages(
      model({ functionCall: { id: "a", name: "find" } }, { functionCall: { id: "b", name: "find" } }),
      results(response("find", { output: "2" }, { id: "b" }), response("find", { output: "1" }, { id: "a" })),
    )
    expect(answeredIn(thread)).toEqual(["b", "a"])
    expect(write(...thread).at(-1)).toEqual(
      results(
        { functionResponse: { id: "a", name: "find", response: { output: "1" } } },
        { functionResponse: { id: "b", name: "find", response: { output: "2" } } },
      ),
    )
  })

  it("say it at any distance", () => {
    const thread = messages(
      model({ functionCall: { id: "a", name: "find" } }),
      said("Well?"),
      results(response("find", {}, { id: "a" })),
    )
    expect(answeredIn(thread)).toEqual(["a"])
  })
})

describe("reading", () => {
  it.each<[string, object, string, string]>([
    ["output", { output: "here" }, "ok", "here"],
    ["result", { result: "here" }, "ok", "here"],
    ["error", { error: "gone" }, "error", "gone"],
    [
      "an error among others",
      { error: { code: 5 }, output: "x" },
      "error",
      '{"error":{"code":5},"output":"x"}',
    ],
    ["no error", { error: null, output: "x" }, "ok", '{"error":null,"output":"x"}'],
    ["an object", { output: { a: 1 } }, "ok", '{"output":{"a":1}}'],
  ])("a response: %s", (_, answer, status, text) => {
    const [, result] = messages(model({ functionCall: { name: "find" } }), results(response("find", answer)))
    expect(result?.parts[0]).toMatchObject({ status, content: [{ type: "text", text }] })
  })

  it("puts results before all else, and marks media beside them as no person's", () => {
    const image = { inlineData: { mimeType: "image/png", data: "aGVs" } }
    const call = model({ functionCall: { name: "find" } })
    expect(messages(call, results(image, response("find", {}))).slice(1)).toMatchObject([
      { role: "tool" },
      { role: "user", synthetic: true, parts: [{ type: "media" }] },
    ])
    const spoken = messages(call, results(image, response("find", {}), { text: "Look" })).at(-1)
    expect(spoken).not.toHaveProperty("synthetic")
  })

  it("names the path of what is not of the format", () => {
    const at = (input: unknown) => {
      const decoded = gemini.decode(input)
      return decoded.ok ? "" : decoded.path
    }
    expect(at({ contents: [said("a"), { role: "user", parts: [{ text: 7 }] }] })).toBe(
      "contents[1].parts[0].text",
    )
    expect(at([{ role: "user" }])).toBe("[0].parts")
    expect(at([model({ functionCall: { args: {} } })])).toBe("[0].parts[0].functionCall.name")
    expect(at([model({ function_call: { args: {} } })])).toBe("[0].parts[0].function_call.name")
    expect(at("hello")).toBe("")
  })

  it("is total: nesting that no stack bears is refused, in calls as in texts", () => {
    for (const depth of [600, 3_000, 50_000]) {
      let args: unknown = 1
      for (let i = 0; i < depth; i++) args = { a: args }
      const contents = [model({ functionCall: { name: "find", args } })]
      expect(gemini.decode(contents)).toMatchObject({
        ok: false,
        reason: expect.stringContaining("nested too deep"),
      })
      expect(gemini.validate(gemini.repair(contents).request)).toEqual([])
      const text = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
      const call = assistant("", [{ id: "a", name: "find", arguments: text }])
      expect(callsOf(messagesIn(read(write(call, toolResult("a", text)))))[0]?.arguments).toBe(text)
    }
  })

  it("takes a sentinel for no signature", () => {
    const [message] = messages(model({ functionCall: { name: "find" }, thoughtSignature: SENTINEL }))
    expect(message).not.toHaveProperty("format")
    expect(message?.parts[0]).not.toHaveProperty("signature")
  })
})
