/** Sessions of Claude Code: a tree of lines, and one response over several of them. */
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { assert, describe, it } from "vitest"
import { chat, chats, lines, refusal, story } from "./Kit.ts"

let clock = 0

const line = (uuid: string, parentUuid: string | null, rest: object) => ({
  uuid,
  parentUuid,
  sessionId: "s",
  isSidechain: false,
  timestamp: `2026-01-01T00:00:${String(clock++).padStart(2, "0")}Z`,
  ...rest,
})

const says = (uuid: string, parent: string | null, content: unknown, rest = {}) =>
  line(uuid, parent, { type: "user", message: { role: "user", content }, ...rest })

const usage = (input: number, read: number, output: number) => ({
  input_tokens: input,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: 0,
  output_tokens: output,
})

const answers = (
  uuid: string,
  parent: string,
  id: string,
  block: object,
  rest: object = {},
  more: object = {},
) =>
  line(uuid, parent, {
    type: "assistant",
    message: { id, role: "assistant", model: "claude-opus-4-5", content: [block], ...rest },
    ...more,
  })

const text = (content: string) => ({ type: "text", text: content })
const use = (id: string) => ({ type: "tool_use", id, name: "Read", input: { file: id } })
const result = (id: string, content: string) => ({ type: "tool_result", tool_use_id: id, content })

describe("a session of Claude Code", () => {
  it("joins a response that is spread over lines, with the results of its calls after it", () => {
    const session = chat(
      lines(
        { type: "file-history-snapshot", messageId: "x", snapshot: {} },
        says("u1", null, "Look at both."),
        answers("a1", "u1", "msg_1", { type: "thinking", thinking: "Hm.", signature: "c2ln" }),
        answers("a2", "a1", "msg_1", text("Yes."), { usage: usage(5, 100, 1) }),
        answers("a3", "a2", "msg_1", use("t1"), { usage: usage(5, 100, 9) }),
        says("r1", "a3", [result("t1", "one")]),
        // The second call hangs beside the first result.
        answers("a4", "a3", "msg_1", use("t2"), { usage: usage(5, 100, 20) }),
        says("r2", "a4", [result("t2", "two")]),
        answers("b1", "r2", "msg_2", text("Done."), { usage: usage(7, 140, 3) }),
      ),
    )
    assert.strictEqual(session.format, "claude-code")
    assert.deepStrictEqual(story(session), [
      "user: Look at both.",
      'assistant: (Hm.) | Yes. | t1=Read({"file":"t1"}) | t2=Read({"file":"t2"})',
      "tool: t1→one",
      "tool: t2→two",
      "assistant: Done.",
    ])
    assert.deepStrictEqual(
      session.origins.map(({ usage: cost, model }) =>
        cost === undefined ? null : [cost.prompt, cost.completion, model],
      ),
      [null, [105, 20, "claude-opus-4-5"], null, null, [147, 3, "claude-opus-4-5"]],
    )
    const sent = anthropic.encode({ system: null, items: session.messages.map((message) => ({ message })) })
    assert.deepStrictEqual(anthropic.validate(sent.request), [])
  })

  it("is the branch that ends in the newest line; what was abandoned is counted", () => {
    const session = chat(
      lines(
        says("u1", null, "First try."),
        answers("a1", "u1", "m1", text("Wrong.")),
        says("u2", null, "Second try."),
        answers("a2", "u2", "m2", text("Right.")),
      ),
    )
    assert.deepStrictEqual(story(session), ["user: Second try.", "assistant: Right."])
    assert.strictEqual(session.skipped, 2)
    assert.include(session.notes.join(), "2 lines of abandoned branches")
  })

  it("goes on over a compaction: the history stays, the summary is a program's, and a boundary is marked", () => {
    const session = chat(
      lines(
        says("u1", null, "Long ago."),
        answers("a1", "u1", "m1", text("Yes.")),
        line("c1", null, { type: "system", subtype: "compact_boundary", logicalParentUuid: "a1" }),
        says("s1", "c1", "This session is continued.", { isCompactSummary: true }),
        answers("a2", "s1", "m2", text("Going on.")),
      ),
    )
    assert.deepStrictEqual(story(session), [
      "user: Long ago.",
      "assistant: Yes.",
      "program: This session is continued.",
      "assistant: Going on.",
    ])
    assert.deepStrictEqual(
      session.origins.map(({ isBoundary }) => isBoundary === true),
      [false, false, true, false],
    )
  })

  it("has the work of a sub-agent as a chat of its own", () => {
    const side = { isSidechain: true }
    const [main, other] = chats(
      lines(
        says("u1", null, "Ask somebody."),
        answers("a1", "u1", "m1", use("t1")),
        says("x1", null, "You are asked.", side),
        answers("x2", "x1", "m9", text("My answer."), {}, side),
        says("r1", "a1", [result("t1", "My answer.")]),
      ),
    )
    assert.deepStrictEqual(main && story(main), [
      "user: Ask somebody.",
      'assistant: t1=Read({"file":"t1"})',
      "tool: t1→My answer.",
    ])
    assert.strictEqual(other?.name, "file#side-1")
    assert.deepStrictEqual(other && story(other), ["user: You are asked.", "assistant: My answer."])
  })

  it("tells the user's words from the program's, and leaves out errors of the connection", () => {
    const session = chat(
      lines(
        says("u0", null, "Caveat: read this.", { isMeta: true }),
        says("u1", "u0", "<local-command-stdout>ok</local-command-stdout>"),
        says("u2", "u1", "Go."),
        answers("e1", "u2", "m0", text("API Error"), { model: "<synthetic>" }),
        answers("a1", "e1", "m1", text("Yes.")),
      ),
    )
    assert.deepStrictEqual(story(session), [
      "program: Caveat: read this.",
      "program: <local-command-stdout>ok</local-command-stdout>",
      "user: Go.",
      "assistant: Yes.",
    ])
    assert.include(session.notes.join(), "1 errors of the connection")
  })

  it("is read to where it was cut off, and says so; a line that is broken within is refused by its number", () => {
    const whole = lines(says("u1", null, "Hello."), answers("a1", "u1", "m1", text("Yes.")))
    const cut = chat(`${whole}\n{"uuid":"b","parentU`)
    assert.lengthOf(cut.messages, 2)
    assert.include(cut.notes.join(), "cut off at line 3")
    const broken = refusal(lines(says("u1", null, "Hello."), '{"uuid" 7}', says("u2", "u1", "More.")))
    assert.strictEqual(broken.kind, "no-json")
    assert.include(broken.reason, "line 2, column 9")
  })

  it("leaves out a line that is not of its form, by its number", () => {
    const session = chat(
      lines(
        says("u1", null, "Hello."),
        answers("a1", "u1", "m1", { type: "tool_use", id: 7 }),
        says("u2", "a1", "Still there?"),
      ),
    )
    assert.deepStrictEqual(story(session), ["user: Hello.", "user: Still there?"])
    assert.match(session.notes.join(), /line 2 is left out: .*content\[0\]/)
  })

  it("walks a ring of parents once", () => {
    const session = chat(lines(says("u1", "u2", "One."), says("u2", "u1", "Two.")))
    assert.lengthOf(session.messages, 2)
  })

  it("is refused without a word of anyone", () => {
    const error = refusal(
      lines(line("p1", null, { type: "progress" }), line("p2", "p1", { type: "progress" })),
    )
    assert.strictEqual(error.kind, "malformed")
    assert.include(error.reason, "none of its lines is of a user or a model")
  })
})
