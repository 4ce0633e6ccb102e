/** What the fuzzer found, as cases. */
import { messagesIn } from "@palimpsest/core/formats"
import { openAiChatFor } from "@palimpsest/core/formats/openai-chat"
import { describe, expect, it } from "vitest"
import { formats } from "../commands/fuzz/Formats.ts"
import { call, result } from "./OpenAiWire.ts"

const formatOf = (name: string) => {
  const found = formats.find(([format]) => format.name === name)?.[0]
  return found ?? expect.fail(`no format ${name}`)
}

describe("inputs that failed once", () => {
  it.each(["openai", "mistral", "strict"] as const)("a call whose type is no text, to %s", (dialect) => {
    const format = openAiChatFor(dialect)
    for (const type of [[], {}, 7]) {
      const list = [{ role: "assistant", tool_calls: [{ id: "", type, function: { name: "" } }] }]
      expect(format.decode(list)).toMatchObject({ ok: false, path: "[0].tool_calls[0].type" })
      expect(format.validate(format.repair(list).request)).toEqual([])
    }
  })

  it.each([
    ["openai-responses", { input: [{ id: Number.NaN, type: "" }] }],
    ["ai-sdk", { system: Symbol("s"), messages: [{ role: "assistant", content: "C" }] }],
  ] as const)("what JSON holds otherwise is no silent repair: %s", (name, request) => {
    const format = formatOf(name)
    const broken = format.validate(request)
    const { request: repaired, repairs } = format.repair(request)
    expect(broken).not.toEqual([])
    expect(repairs.map(({ rule, path }) => ({ rule, path }))).toEqual(
      broken.map(({ rule, path }) => ({ rule, path })),
    )
    expect(format.validate(repaired)).toEqual([])
  })

  it("thousands of calls of one response without ids, in time that grows with their number", () => {
    const parts = Array.from({ length: 5_000 }, () => ({ functionCall: { name: "find", args: { q: "x" } } }))
    const start = process.cpuUsage()
    const read = formatOf("gemini").decode([{ role: "model", parts }])
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(4000)
    const [message] = read.ok ? messagesIn(read.conversation) : []
    const calls = message?.role === "assistant" ? message.parts : []
    expect(new Set(calls.map((part) => (part.type === "tool-call" ? part.id : ""))).size).toBe(5000)
  })

  it("options nested nearly too deep that a repair moves from a message to its parts", () => {
    let options: unknown = {}
    for (let level = 0; level < 494; level++) options = { a: options }
    const [made, done] = ["c1", "c2"].map((toolCallId) => ({ toolCallId, toolName: "find" }))
    const format = formatOf("ai-sdk")
    const messages = [
      { role: "assistant", content: [made, done].map((one) => ({ ...one, type: "tool-call", input: {} })) },
      {
        role: "tool",
        content: [{ ...done, type: "tool-result", output: { type: "text", value: "" } }],
        providerOptions: options,
      },
    ]
    const { request } = format.repair({ messages })
    expect(format.validate(request)).toEqual([])
  })

  it("thousands of calls with one id, in time that grows with their number", () => {
    const turn = [{ role: "assistant", content: null, tool_calls: [call("c1")] }, result("c1")]
    const list = [{ role: "user", content: "Hi" }, ...Array.from({ length: 2000 }, () => turn).flat()]
    const chat = formatOf("openai-chat").decode(list)
    if (!chat.ok) return expect.fail(chat.reason)
    const anthropic = formatOf("anthropic")
    const start = process.cpuUsage()
    const { request } = anthropic.encode(chat.conversation)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(4000)
    expect(anthropic.validate(anthropic.repair(request).request)).toEqual([])
  })

  it("a list of lists that holds little else, in time that grows with its size", () => {
    let deep: unknown = "x"
    for (let i = 0; i < 480; i++) deep = [deep]
    const request = {
      messages: [{ role: "user", content: "Hi" }],
      extra: Array.from({ length: 100 }, () => deep),
    }
    const anthropic = formatOf("anthropic")
    const start = process.cpuUsage()
    expect(anthropic.validate(request)).toEqual([])
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000)
  })

  it("thousands of equal messages without an id, in time that grows with their number", () => {
    const hello = { role: "user", parts: [{ type: "text", text: "Hi" }] }
    const ui = formatOf("ai-sdk-ui")
    const start = process.cpuUsage()
    const { request } = ui.repair(Array.from({ length: 2000 }, () => hello))
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(4000)
    expect(ui.validate(request)).toEqual([])
  })

  it("thousands of contents with results behind one response, in time that grows with their number", () => {
    const response = { functionResponse: { name: "find", response: { output: "ok" } } }
    const contents = [
      { role: "model", parts: [{ functionCall: { name: "find", args: {} } }] },
      ...Array.from({ length: 3000 }, () => ({ role: "user", parts: [response, response] })),
    ]
    const gemini = formatOf("gemini")
    const start = process.cpuUsage()
    const read = gemini.decode(contents)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(4000)
    expect(read.ok).toBe(true)
  })

  it.each([
    ["anthropic", { system: new URL("https://example.org/"), messages: [] }],
    ["gemini", [{ parts: [new Date(0)] }]],
    ["openai-chat", [{ role: "assistant", reasoning_content: Number.NaN, reasoning: "x" }]],
    ["openai-chat", [{ role: "assistant", audio: new URL("https://example.org/") }]],
  ] as const)("a value that JSON writes as another one is refused by %s, not lost", (name, request) => {
    const format = formatOf(name)
    expect(format.decode(request)).toMatchObject({ ok: false })
    const { request: repaired, repairs } = format.repair(request)
    expect(repairs[0]).toMatchObject({ rule: "shape" })
    expect(format.validate(repaired)).toEqual([])
  })
})
