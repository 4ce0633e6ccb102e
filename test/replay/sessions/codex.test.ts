/** Rollouts of Codex: items of the Responses API among events. */
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import { assert, describe, it } from "vitest"
import { chat, lines, refusal, story } from "./Kit.ts"

const row = (type: string, payload: object) => ({ timestamp: "2026-01-01T00:00:00Z", type, payload })
const item = (payload: object) => row("response_item", payload)
const said = (role: string, content: string) =>
  item({
    type: "message",
    role,
    content: [{ type: role === "assistant" ? "output_text" : "input_text", text: content }],
  })
const cost = (input: number, output: number) =>
  row("event_msg", {
    type: "token_count",
    info: { last_token_usage: { input_tokens: input, cached_input_tokens: 5, output_tokens: output } },
  })

const start = row("session_meta", { id: "s", cwd: "/", base_instructions: { text: "Be brief." } })
const model = (name: string) => row("turn_context", { model: name })
const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: "ZW5j",
}
const call = (id: string) =>
  item({ type: "function_call", name: "shell", arguments: '{"n": 1}', call_id: id })
const output = (id: string, text: string) => item({ type: "function_call_output", call_id: id, output: text })

describe("a rollout of Codex", () => {
  const rollout = lines(
    start,
    said("user", "<environment_context>\n</environment_context>"),
    said("user", "List the files."),
    row("event_msg", { type: "user_message", message: "List the files." }),
    model("gpt-5.1-codex"),
    item({ type: "ghost_snapshot", ghost_commit: {} }),
    item(reasoning),
    call("c1"),
    call("c2"),
    output("c1", "a"),
    output("c2", "b"),
    cost(1200, 40),
    model("gpt-5.2"),
    said("assistant", "Two files."),
    cost(1300, 9),
  )

  it("is its items; a response keeps its reasoning and its calls together", () => {
    const session = chat(rollout)
    assert.strictEqual(session.format, "codex")
    assert.strictEqual(session.system, "Be brief.")
    assert.deepStrictEqual(story(session), [
      "program: <environment_context>\n</environment_context>",
      "user: List the files.",
      'assistant: (Hm.) | c1=shell({"n": 1}) | c2=shell({"n": 1})',
      "tool: c1→a",
      "tool: c2→b",
      "assistant: Two files.",
    ])
    assert.include(session.notes.join(), "1 user_message")
  })

  it("pairs what a response cost with the model that gave it", () => {
    assert.deepStrictEqual(
      chat(rollout).origins.flatMap(({ usage, model: name }) =>
        usage === undefined ? [] : [[name, usage.prompt, usage.completion]],
      ),
      [
        ["gpt-5.1-codex", 1200, 40],
        ["gpt-5.2", 1300, 9],
      ],
    )
  })

  it("makes a valid request of the Responses API", () => {
    const { messages } = chat(rollout)
    const { request } = openAiResponses.encode({
      system: null,
      items: messages.map((message) => ({ message })),
    })
    assert.deepStrictEqual(openAiResponses.validate(request), [])
  })

  it("marks where the program had compacted, and keeps what came before", () => {
    const session = chat(
      lines(
        start,
        said("user", "Long ago."),
        said("assistant", "Yes."),
        row("compacted", { message: "What happened so far.", replacement_history: [] }),
        said("user", "Go on."),
        said("assistant", "Done."),
      ),
    )
    assert.deepStrictEqual(story(session), [
      "user: Long ago.",
      "assistant: Yes.",
      "program: What happened so far.",
      "user: Go on.",
      "assistant: Done.",
    ])
    assert.deepStrictEqual(
      session.origins.map(({ isBoundary }) => isBoundary === true),
      [false, false, true, false, false],
    )
  })

  it("may be of the first form, with bare items", () => {
    const session = chat(
      lines(
        { id: "s", timestamp: "t", instructions: "Be kind." },
        { type: "message", role: "user", content: [{ type: "input_text", text: "Hello." }] },
        { record_type: "state" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi." }] },
      ),
    )
    assert.strictEqual(session.system, "Be kind.")
    assert.deepStrictEqual(story(session), ["user: Hello.", "assistant: Hi."])
  })

  it("leaves out an item that is not of its form, by its line", () => {
    const session = chat(lines(start, said("user", "Hi."), item({ type: "function_call", name: 7 }), "{}"))
    assert.lengthOf(session.messages, 1)
    assert.match(session.notes.join(), /^line 3 is left out: \[0\]\./)
    assert.strictEqual(session.skipped, 1)
  })

  it("is refused when nobody says anything", () => {
    assert.include(refusal(lines(start, cost(1, 1))).reason, "none of its lines is said by")
  })

  it("is not the output of `codex exec`, which leaves out what was asked", () => {
    const error = refusal(lines({ type: "thread.started", thread_id: "t" }, { type: "turn.started" }))
    assert.strictEqual(error.kind, "no-chat")
    assert.include(error.remedy, "rollout")
  })
})
