/** Sessions of Gemini CLI: a document, or a log that may take things back. */
import { gemini } from "@palimpsest/core/formats/gemini"
import { assert, describe, it } from "vitest"
import { chat, lines, story } from "./Kit.ts"

const head = { sessionId: "s", projectHash: "p" }
const asks = (id: string, content: unknown) => ({ id, type: "user", content })
const answer = {
  id: "2",
  type: "gemini",
  model: "gemini-2.5-pro",
  content: "Let me look.",
  thoughts: [{ subject: "Plan", description: "Read it." }],
  tokens: { input: 100, output: 10, cached: 50, thoughts: 5, tool: 0, total: 115 },
  toolCalls: [
    {
      id: "t1",
      name: "read_file",
      args: { path: "a" },
      status: "success",
      result: [{ functionResponse: { id: "t1", name: "read_file", response: { output: "text" } } }],
    },
    {
      id: "t2",
      name: "run",
      args: {},
      status: "cancelled",
      result: [{ functionResponse: { response: { error: "no" } } }],
    },
  ],
}

describe("a session of Gemini CLI", () => {
  it("is a document with messages", () => {
    const session = chat(
      JSON.stringify({
        ...head,
        messages: [asks("1", "Read a."), answer, { id: "3", type: "info", content: "x" }],
      }),
    )
    assert.strictEqual(session.format, "gemini-cli")
    assert.deepStrictEqual(story(session), [
      "user: Read a.",
      'assistant: (Plan\nRead it.) | Let me look. | t1=read_file({"path":"a"}) | t2=run({})',
      "tool: t1→text | t2→denied no",
    ])
    assert.deepStrictEqual(session.origins[1]?.usage?.prompt, 100)
    assert.deepStrictEqual(session.origins[1]?.usage?.completion, 15)
    assert.strictEqual(session.origins[1]?.model, "gemini-2.5-pro")
    const sent = gemini.encode({ system: null, items: session.messages.map((message) => ({ message })) })
    assert.deepStrictEqual(gemini.validate(gemini.repair(sent.request).request), [])
  })

  it("is a log: a message that is written again replaces the first, and may be taken back", () => {
    const session = chat(
      lines(
        head,
        asks("1", "One."),
        { ...answer, toolCalls: [], content: "" },
        { ...answer, toolCalls: [], content: "Better.", thoughts: [] },
        asks("3", "Wrong."),
        asks("4", "Wrong too."),
        { $rewindTo: "3" },
        asks("5", [{ text: "Right." }, { inlineData: { mimeType: "image/png", data: "iVBO" } }]),
      ),
    )
    assert.deepStrictEqual(story(session), ["user: One.", "assistant: Better.", "user: Right. | <image/png>"])
    assert.strictEqual(session.skipped, 2)
  })

  it("leaves out a message that is not of its form, by its place", () => {
    const odd = { id: "2", type: "gemini", toolCalls: [{ id: 7, name: "f", args: {} }] }
    const session = chat(JSON.stringify({ ...head, messages: [asks("1", "One."), odd] }))
    assert.deepStrictEqual(story(session), ["user: One."])
    assert.match(session.notes.join(), /^messages\[1\] is left out: toolCalls\[0\]\.id: /)
  })

  it("is replaced as a whole by $set", () => {
    const session = chat(lines(head, asks("1", "One."), { $set: { messages: [asks("9", "Nine.")] } }))
    assert.deepStrictEqual(story(session), ["user: Nine."])
  })
})
