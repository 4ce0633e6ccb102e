/** Trajectories of SWE-agent. */
import { assert, describe, it } from "vitest"
import { chat, refusal, story } from "./Kit.ts"

const entry = (role: string, content: unknown, rest = {}) => ({ role, content, agent: "main", ...rest })
const call = { id: "c1", type: "function", function: { name: "open", arguments: '{"n": 1}' } }

describe("a trajectory of SWE-agent", () => {
  it("has calls and their results, and the system prompt apart", () => {
    const session = chat(
      JSON.stringify({
        trajectory: [],
        replay_config: JSON.parse('{"agent":{"model":{"name":"gpt-4o"}}}'),
        history: [
          entry("system", "Be careful.", { message_type: "system_prompt" }),
          entry("user", "A demonstration.", { is_demo: true }),
          entry("user", "Mend it.", { message_type: "observation" }),
          entry("assistant", "I look.", { thought: "I look.", action: "open", tool_calls: [call] }),
          entry("tool", "the file", { tool_call_ids: ["c1"] }),
        ],
      }),
    )
    assert.strictEqual(session.format, "swe-agent")
    assert.strictEqual(session.system, "Be careful.")
    assert.deepStrictEqual(story(session), [
      "program: A demonstration.",
      "user: Mend it.",
      'assistant: I look. | c1=open({"n": 1})',
      "tool: c1→the file",
    ])
    const [, , response] = session.messages
    assert.strictEqual(response?.role === "assistant" ? response.model : "", "gpt-4o")
  })

  it("without calls has what the tools printed in the user's role: it is no user's text", () => {
    const session = chat(
      JSON.stringify({
        history: [
          entry("user", "Mend it."),
          entry("assistant", "ls"),
          entry("user", "a.txt"),
          entry("assistant", "cat a.txt"),
        ],
      }),
    )
    assert.deepStrictEqual(story(session), [
      "user: Mend it.",
      "assistant: ls",
      "program: a.txt",
      "assistant: cat a.txt",
    ])
  })

  it("is refused with the place that is wrong", () => {
    const odd = refusal(JSON.stringify({ history: [entry("user", "a"), entry("robot", "b")] }))
    assert.strictEqual(odd.kind, "malformed")
    assert.include(odd.reason, '["history"][1]["role"]')
    const call7 = refusal(JSON.stringify({ history: [entry("assistant", "a", { tool_calls: [7] })] }))
    assert.include(call7.reason, "history[0].tool_calls[0]")
  })
})
