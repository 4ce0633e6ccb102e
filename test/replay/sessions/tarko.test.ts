/** Event streams of Agent TARS. */
import { assert, describe, it } from "vitest"
import { chat, refusal, story } from "./Kit.ts"

const event = (type: string, rest: object) => ({ id: "e", type, timestamp: 1, ...rest })
const call = (id: unknown) => ({ id, type: "function", function: { name: "browse", arguments: '{"n": 1}' } })
const picture = { type: "image_url", image_url: { url: "data:image/png;base64,iVBO" } }

describe("an event stream of Agent TARS", () => {
  it("has what a user says, what the model calls, and what came back", () => {
    const session = chat(
      JSON.stringify([
        event("agent_run_start", { sessionId: "s" }),
        event("user_message", { content: [{ type: "text", text: "Look." }, picture] }),
        event("assistant_message", { content: "I look.", toolCalls: [call("c1")] }),
        event("tool_call", { toolCallId: "c1" }),
        event("tool_result", { toolCallId: "c1", name: "browse", content: { found: true } }),
        event("environment_input", { content: [picture] }),
        event("assistant_message", { content: "Done." }),
      ]),
    )
    assert.strictEqual(session.format, "tarko")
    assert.deepStrictEqual(story(session), [
      "user: Look. | <image/png>",
      'assistant: I look. | c1=browse({"n": 1})',
      'tool: c1→{"found":true}',
      "program: <image/png>",
      "assistant: Done.",
    ])
    assert.include(session.notes.join(), "1 agent_run_start, 1 tool_call")
  })

  it("leaves out an event that is not of its form, and is refused when nobody says anything", () => {
    const session = chat(
      JSON.stringify([
        event("user_message", { content: "Hi." }),
        event("assistant_message", { content: "x", toolCalls: [call(7)] }),
      ]),
    )
    assert.deepStrictEqual(story(session), ["user: Hi."])
    assert.match(session.notes.join(), /^\[1\] is left out: toolCalls\[0\]\.id: /)
    assert.include(refusal(JSON.stringify([event("agent_run_start", {})])).reason, "nobody says anything")
  })
})
