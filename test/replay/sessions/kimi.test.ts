/** Sessions of Kimi Code: what was done to the context, line by line. */
import { assert, describe, it } from "vitest"
import { chat, lines, refusal, story } from "./Kit.ts"

const head = { type: "metadata", protocol_version: "1.4" }
const asks = (content: string, kind = "user") => ({
  type: "context.append_message",
  message: { role: "user", content: [{ type: "text", text: content }], toolCalls: [], origin: { kind } },
})
const event = (rest: object) => ({ type: "context.append_loop_event", event: rest })
const part = (rest: object) => event({ type: "content.part", part: rest })
const call = (id: string) => event({ type: "tool.call", toolCallId: id, name: "Bash", args: { command: id } })
const result = (id: string, rest: object) => event({ type: "tool.result", toolCallId: id, result: rest })
const end = event({
  type: "step.end",
  usage: { inputOther: 10, inputCacheRead: 90, inputCacheCreation: 0, output: 7 },
})

describe("a session of Kimi Code", () => {
  it("puts the events of a step together, with the results after the response", () => {
    const session = chat(
      lines(
        head,
        { type: "config.update", systemPrompt: "Be kind." },
        { type: "llm.request", model: "kimi-k2" },
        asks("List both."),
        asks("<system-reminder>Use the list.</system-reminder>"),
        asks("Time passed.", "timer"),
        event({ type: "step.begin" }),
        part({ type: "think", think: "Hm." }),
        part({ type: "text", text: "Yes." }),
        call("a"),
        result("a", { output: "one" }),
        call("b"),
        result("b", { output: [{ type: "text", text: "no" }], isError: true }),
        end,
        { type: "usage.record", usage: {} },
        event({ type: "step.begin" }),
        part({ type: "text", text: "Done." }),
      ),
    )
    assert.strictEqual(session.format, "kimi")
    assert.strictEqual(session.system, "Be kind.")
    assert.deepStrictEqual(story(session), [
      "user: List both.",
      "program: <system-reminder>Use the list.</system-reminder>",
      "program: Time passed.",
      'assistant: (Hm.) | Yes. | a=Bash({"command":"a"}) | b=Bash({"command":"b"})',
      "tool: a→one | b→error no",
      "assistant: Done.",
    ])
    assert.deepStrictEqual(
      session.origins.flatMap(({ usage, model }) =>
        usage === undefined ? [] : [[model, usage.prompt, usage.completion]],
      ),
      [["kimi-k2", 100, 7]],
    )
    assert.include(session.notes.join(), "1 usage.record")
  })

  it("marks where the program had compacted", () => {
    const session = chat(
      lines(
        head,
        asks("Old."),
        { type: "context.apply_compaction", summary: "s", contextSummary: "It was old." },
        asks("New."),
      ),
    )
    assert.deepStrictEqual(story(session), ["user: Old.", "program: It was old.", "user: New."])
    assert.isTrue(session.origins[1]?.isBoundary)
  })

  it("leaves out a line that is not of its form, by its number", () => {
    const odd = event({ type: "tool.call", toolCallId: 7, name: "Bash", args: {} })
    const session = chat(lines(head, asks("Go."), odd, part({ type: "text", text: "Yes." })))
    assert.deepStrictEqual(story(session), ["user: Go.", "assistant: Yes."])
    assert.match(session.notes.join(), /^line 3 is left out: event\.toolCallId: /)
  })

  it("is refused when nobody says anything", () => {
    assert.include(refusal(lines(head, { type: "turn.prompt" })).reason, "none of its lines")
  })
})
