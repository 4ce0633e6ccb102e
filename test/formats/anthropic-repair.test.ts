import { anthropic } from "@palimpsest/core/formats/anthropic"
import { assert, describe, it } from "vitest"
import { call, heard, hello, marked, result, said, says } from "./AnthropicWire.ts"

const repair = (request: unknown) => anthropic.repair(request).request

describe("repairing a request", () => {
  it("closes calls, moves late results and leaves out strays", () => {
    assert.deepStrictEqual<unknown>(
      repair([heard(result("c0")), said(call("c1"), call("c2")), hello, heard(result("c1"))]).messages,
      [
        { role: "user", content: "(earlier messages are not shown)" },
        said(call("c1"), call("c2")),
        heard(
          result("c1"),
          { type: "tool_result", tool_use_id: "c2", content: "(no result was recorded)", is_error: true },
          { type: "text", text: "Hello" },
        ),
      ],
    )
  })

  it("reads a text of JSON as the input that it is", () => {
    const inputs = ['{"a":1}', "{", null, [1]].map((input, i) => ({ ...call(`c${i}`), input }))
    const results = inputs.map(({ id }) => result(id))
    const [, response] = repair([hello, said(...inputs), heard(...results)]).messages
    assert.deepStrictEqual(
      Array.isArray(response?.content) ? response.content.map(({ input }) => input) : [],
      [{ a: 1 }, { $arguments: "{" }, {}, { $arguments: "[1]" }],
    )
  })

  it("turns thinking off where a loop of tools began without it", () => {
    const thinking = { type: "enabled", budget_tokens: 1_024 }
    const request = { thinking, messages: [hello, said(call("c1")), heard(result("c1"))] }
    assert.deepStrictEqual<unknown>(repair(request), {
      thinking: { type: "disabled" },
      messages: request.messages,
    })
  })

  it("lets the user have the last word where thinking is on", () => {
    const request = {
      thinking: { type: "adaptive" },
      messages: [hello, { role: "assistant", content: "Hi" }],
    }
    assert.deepStrictEqual<unknown>(repair(request).messages.at(-1), { role: "user", content: "(go on)" })
  })

  it("keeps the breakpoints of tools and system, and the newest of the messages", () => {
    const tool = (name: string) => ({ name, input_schema: { type: "object" } })
    const request = {
      tools: [
        { ...tool("f"), ...marked },
        { ...tool("g"), ...marked },
      ],
      system: [{ ...says("S"), ...marked }],
      messages: ["a", "b", "c"].map((one) => heard({ ...says(one), ...marked })),
    }
    const { tools, system, messages } = repair(request)
    assert.deepStrictEqual<unknown>(
      { tools, system, messages },
      {
        tools: [tool("f"), { ...tool("g"), ...marked }],
        system: request.system,
        messages: [heard(says("a"), { ...says("b"), ...marked }, { ...says("c"), ...marked })],
      },
    )
  })

  it("declares the tools of the history, not to be called", () => {
    const request = {
      model: "m",
      messages: [hello, said({ ...call("c1"), name: "a.b" }), heard(result("c1"))],
    }
    const { tools, tool_choice } = repair(request)
    assert.deepStrictEqual(
      tools?.map(({ name }) => name),
      ["a_b"],
    )
    assert.deepStrictEqual(tool_choice, { type: "none" })
  })

  it("says what a compaction of the user says", () => {
    assert.deepStrictEqual<unknown>(repair([heard({ type: "compaction", content: "Summary" })]).messages, [
      heard({ type: "text", text: "Summary" }),
    ])
  })
})
