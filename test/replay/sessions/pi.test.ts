/** Sessions of pi: a header, then a tree of entries. */
import { assert, describe, it } from "vitest"
import { chat, lines, refusal, story } from "./Kit.ts"

const header = { type: "session", id: "s", cwd: "/", version: 3 }
const entry = (id: string, parentId: string | null, message: object) => ({
  type: "message",
  id,
  parentId,
  message,
})
const text = (content: string) => [{ type: "text", text: content }]
const asks = (content: string) => ({ role: "user", content: text(content) })
const answers = (content: ReadonlyArray<object>, rest = {}) => ({
  role: "assistant",
  api: "anthropic-messages",
  model: "claude-sonnet-4-5",
  content,
  usage: { input: 10, output: 4, cacheRead: 90, cacheWrite: 0 },
  ...rest,
})

describe("a session of pi", () => {
  it("is the branch that ends in the last entry", () => {
    const session = chat(
      lines(
        header,
        entry("1", null, asks("Which file?")),
        entry("2", "1", answers(text("Abandoned."))),
        entry(
          "3",
          "1",
          answers([
            { type: "thinking", thinking: "Hm.", thinkingSignature: "c2ln" },
            { type: "toolCall", id: "t1", name: "ls", arguments: { path: "/" } },
          ]),
        ),
        entry("4", "3", {
          role: "toolResult",
          toolCallId: "t1",
          toolName: "ls",
          isError: true,
          content: text("denied"),
        }),
        { type: "model_change", id: "5", parentId: "4", modelId: "x" },
        entry("6", "5", answers([], { stopReason: "aborted" })),
        entry("7", "6", { role: "bashExecution", command: "ls", output: "a" }),
      ),
    )
    assert.strictEqual(session.format, "pi")
    assert.deepStrictEqual(story(session), [
      "user: Which file?",
      'assistant: (Hm.) | t1=ls({"path":"/"})',
      "tool: t1→error denied",
      "program: Ran `ls`\na",
    ])
    assert.deepStrictEqual(session.origins[1]?.usage?.prompt, 100)
    assert.strictEqual(session.origins[1]?.model, "claude-sonnet-4-5")
    assert.strictEqual(session.skipped, 2)
    const [, response] = session.messages
    assert.strictEqual(response?.role === "assistant" ? response.format : "", "anthropic")
  })

  it("may be a list without ids, and keeps the history before a compaction", () => {
    const plain = (message: object) => ({ type: "message", message })
    const session = chat(
      lines(
        header,
        plain(asks("Old.")),
        plain(answers(text("Yes."))),
        { type: "compaction", summary: "It was old." },
        plain(asks("New.")),
      ),
    )
    assert.deepStrictEqual(story(session), [
      "user: Old.",
      "assistant: Yes.",
      "program: It was old.",
      "user: New.",
    ])
    assert.isTrue(session.origins[2]?.isBoundary)
  })

  it("keeps the id and the encrypted reasoning of a Responses model", () => {
    const item = JSON.stringify({ type: "reasoning", id: "rs_1", encrypted_content: "ZW5j", summary: [] })
    const thinking = { type: "thinking", thinking: "Hm.", thinkingSignature: item }
    const session = chat(
      lines(
        header,
        entry("1", null, asks("Why?")),
        entry("2", "1", answers([thinking], { api: "openai-responses" })),
      ),
    )
    const [, response] = session.messages
    assert.deepStrictEqual(response, {
      role: "assistant",
      model: "claude-sonnet-4-5",
      format: "openai-responses",
      parts: [{ type: "reasoning", text: "Hm.", id: "rs_1", signature: "ZW5j" }],
    })
  })

  it("leaves out a message that is not of its form, by its line and its path, and goes on", () => {
    const session = chat(
      lines(
        header,
        entry("1", null, asks("One.")),
        entry("2", "1", { role: "assistant", content: 7 }),
        entry("3", "2", asks("Two.")),
      ),
    )
    assert.deepStrictEqual(story(session), ["user: One.", "user: Two."])
    assert.match(session.notes.join(), /^line 3 is left out: message\.content: /)
    assert.strictEqual(session.skipped, 1)
  })

  it("is refused without messages", () => {
    assert.include(
      refusal(lines(header, { type: "model_change", id: "1", parentId: null })).reason,
      "no messages",
    )
  })
})
