/** Logs of OpenHands, in both of their forms. */
import { assert, describe, it } from "vitest"
import { chat, lines, refusal, story } from "./Kit.ts"

const said = (id: number, source: string, content: string) => ({
  id,
  source,
  action: "message",
  message: content,
  args: { content },
})

const meta = (call: string, response = "r1") => ({
  tool_call_metadata: {
    function_name: "execute_bash",
    tool_call_id: call,
    model_response: {
      id: response,
      model: "claude-sonnet-4",
      usage: { prompt_tokens: 900, completion_tokens: 30 },
      choices: [
        {
          message: {
            role: "assistant",
            tool_calls: [
              {
                id: "t1",
                type: "function",
                function: { name: "execute_bash", arguments: '{"command": "ls"}' },
              },
              {
                id: "t2",
                type: "function",
                function: { name: "execute_bash", arguments: '{"command": "pwd"}' },
              },
            ],
          },
        },
      ],
    },
  },
})

describe("a log of OpenHands", () => {
  it("puts the actions of one response together, whenever their results came", () => {
    const session = chat(
      JSON.stringify([
        { id: 0, source: "agent", action: "system", args: { content: "Be careful.", tools: [] } },
        said(1, "user", "What is here?"),
        { id: 2, source: "environment", observation: "agent_state_changed", content: "", extras: {} },
        { id: 3, source: "agent", action: "run", args: { command: "ls", thought: "I look." }, ...meta("t1") },
        { id: 4, source: "agent", observation: "run", cause: 3, content: "a.txt", ...meta("t1") },
        { id: 5, source: "agent", action: "run", args: { command: "pwd", thought: "" }, ...meta("t2") },
        { id: 6, source: "agent", observation: "error", cause: 5, content: "no", ...meta("t2") },
        said(7, "agent", "One file."),
      ]),
    )
    assert.strictEqual(session.format, "openhands")
    assert.strictEqual(session.system, "Be careful.")
    assert.deepStrictEqual(story(session), [
      "user: What is here?",
      'assistant: I look. | t1=execute_bash({"command": "ls"}) | t2=execute_bash({"command": "pwd"})',
      "tool: t1→a.txt | t2→error no",
      "assistant: One file.",
    ])
    assert.deepStrictEqual(session.origins[1]?.usage?.prompt, 900)
    assert.strictEqual(session.origins[1]?.model, "claude-sonnet-4")
    assert.include(session.notes.join(), "1 agent_state_changed")
  })

  it("without calls of the model has a call made of each action", () => {
    const session = chat(
      JSON.stringify({
        instance_id: "x",
        history: [
          said(1, "user", "Go."),
          { id: 2, source: "agent", action: "run", args: { command: "ls", thought: "" } },
          { id: 3, source: "agent", observation: "run", cause: 2, content: "a" },
          { id: 4, source: "agent", action: "finish", args: { final_thought: "Done." } },
        ],
      }),
    )
    assert.deepStrictEqual(story(session), [
      "user: Go.",
      'assistant: event-2=run({"command":"ls"})',
      "tool: event-2→a",
      "assistant: Done.",
    ])
  })

  it("is read in its later form, with kinds", () => {
    const action = (id: string, call: string, rest = {}) => ({
      kind: "ActionEvent",
      source: "agent",
      id,
      llm_response_id: "r1",
      tool_name: "terminal",
      tool_call_id: call,
      tool_call: { id: call, name: "terminal", arguments: `{"command":"${call}"}` },
      ...rest,
    })
    const result = (id: string, call: string, isError = false) => ({
      kind: "ObservationEvent",
      source: "environment",
      id,
      tool_name: "terminal",
      tool_call_id: call,
      observation: { content: [{ type: "text", text: `of ${call}` }], is_error: isError },
    })
    const session = chat(
      lines(
        {
          kind: "SystemPromptEvent",
          source: "agent",
          id: "0",
          system_prompt: { type: "text", text: "Be kind." },
        },
        {
          kind: "MessageEvent",
          source: "user",
          id: "1",
          llm_message: { role: "user", content: [{ type: "text", text: "Go." }] },
        },
        action("2", "c1", {
          thought: [{ type: "text", text: "Both." }],
          thinking_blocks: [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }],
        }),
        action("3", "c2"),
        result("4", "c1"),
        result("5", "c2", true),
        { kind: "ConversationStateUpdateEvent", source: "environment", id: "6" },
        { kind: "Condensation", source: "environment", id: "7", summary: "They ran both." },
        {
          kind: "MessageEvent",
          source: "agent",
          id: "8",
          llm_message: { role: "assistant", content: [{ type: "text", text: "Done." }] },
        },
      ),
    )
    assert.strictEqual(session.system, "Be kind.")
    assert.deepStrictEqual(story(session), [
      "user: Go.",
      'assistant: (Hm.) | Both. | c1=terminal({"command":"c1"}) | c2=terminal({"command":"c2"})',
      "tool: c1→of c1 | c2→error of c2",
      "program: They ran both.",
      "assistant: Done.",
    ])
    assert.isTrue(session.origins[3]?.isBoundary)
  })

  it("leaves out an event that is not of its form, by its place", () => {
    const odd = { kind: "ActionEvent", source: "agent", id: "2", tool_call_id: 7, tool_name: "terminal" }
    const asked = {
      kind: "MessageEvent",
      source: "user",
      id: "1",
      llm_message: { content: [{ type: "text", text: "Go." }] },
    }
    const session = chat(lines(asked, odd))
    assert.deepStrictEqual(story(session), ["user: Go."])
    assert.match(session.notes.join(), /^line 2 is left out: tool_call_id: /)
    const plain = chat(
      JSON.stringify([said(1, "user", "Go."), { id: 2, source: "agent", action: "run", args: 7 }]),
    )
    assert.match(plain.notes.join(), /^\[1\] is left out: args: /)
  })

  it("drops results that answer nothing, and is refused when nobody says anything", () => {
    const stray = chat(
      JSON.stringify([
        said(1, "user", "Hi."),
        { id: 3, source: "agent", observation: "run", cause: 2, content: "a" },
      ]),
    )
    assert.deepStrictEqual(story(stray), ["user: Hi."])
    const state = { id: 1, source: "environment", observation: "agent_state_changed", content: "" }
    assert.include(refusal(JSON.stringify([state, state])).reason, "none of its events")
  })
})
