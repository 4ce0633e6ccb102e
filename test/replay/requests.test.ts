/** Messages in the format of each provider and framework: found by their shape, read from each place they stand in. */

import { assistant, toolResult, user } from "@palimpsest/core"
import { conversation, type FormatName } from "@palimpsest/core/formats"
import { readTranscript } from "@palimpsest/examples/transcripts/ReadTranscript"
import { REQUEST_FORMATS } from "@palimpsest/examples/transcripts/requests/Requests"
import { FORMATS } from "@palimpsest/examples/transcripts/Transcript"
import { Result } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { chat, chats, lines, refusal, story } from "./sessions/Kit.ts"

const CALL = { id: "call_1", name: "find", arguments: '{"id":7}' }

const messages = [
  user("Where is it?"),
  assistant("Let me look.", [CALL]),
  toolResult("call_1", "here", { name: "find" }),
  assistant("It is here."),
]

const STORY = [
  "user: Where is it?",
  'assistant: Let me look. | call_1=find({"id":7})',
  "tool: call_1→here",
  "assistant: It is here.",
]

const names = Object.keys(REQUEST_FORMATS) as ReadonlyArray<FormatName>

const requestOf = (name: FormatName, system?: string): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(
      REQUEST_FORMATS[name].format.encode(conversation(messages, { system: system ?? null })).request,
    ),
  )

const listOf = (name: FormatName): ReadonlyArray<unknown> => {
  const list = requestOf(name)[REQUEST_FORMATS[name].key]
  return Array.isArray(list) ? list : assert.fail("no list")
}

describe.each(names)("a chat in the format %s", (name) => {
  const list = listOf(name)
  const stories = (text: string) =>
    chats(text).map((each) => {
      assert.strictEqual(each.format, name)
      return story(each)
    })

  it("is read from a list, a request, lines of messages, and lines of requests", () => {
    assert.deepStrictEqual(stories(JSON.stringify(list)), [STORY])
    assert.deepStrictEqual(stories(JSON.stringify(requestOf(name))), [STORY])
    assert.deepStrictEqual(stories(lines(...list)), [STORY])
    assert.deepStrictEqual(stories(lines(requestOf(name), requestOf(name))), [STORY, STORY])
    assert.deepStrictEqual(stories(JSON.stringify([list, list])), [STORY, STORY])
  })

  it("is read under the name `messages`, whatever the format calls it", () => {
    assert.deepStrictEqual(stories(JSON.stringify({ messages: list })), [STORY])
    assert.deepStrictEqual(stories(JSON.stringify({ threads: [{ id: "a", messages: list }] })), [STORY])
  })

  it("has its system prompt apart", () => {
    assert.strictEqual(chat(JSON.stringify(requestOf(name, "Be brief."))).system, "Be brief.")
  })

  it("comes out as it came, unknown fields included", () => {
    const odd = { ...requestOf(name, "Be brief."), x_unknown: { a: [1, null] } }
    const decoded = REQUEST_FORMATS[name].format.decode(odd)
    if (!decoded.ok) assert.fail(decoded.reason)
    const { request } = REQUEST_FORMATS[name].format.encode(decoded.conversation)
    assert.strictEqual(JSON.stringify(request), JSON.stringify(odd))
  })
})

describe("a message that is not of its format", () => {
  const hello = { role: "user", content: "Hello" }
  it.each<[string, string, string, string]>([
    ["by its index", JSON.stringify([hello, { role: "user", content: 7 }]), "[1].content", "openai-chat"],
    ["by its line", lines(hello, hello, "", { role: "user", content: 7 }), "line 4, content", "openai-chat"],
    [
      "by its field",
      JSON.stringify({ messages: [{ role: "user", content: 7 }] }),
      "messages[0].content",
      "openai-chat",
    ],
    [
      "in a line of requests",
      lines({ messages: [hello] }, { messages: [{ role: "user", content: 7 }] }),
      "line 2, messages[0].content",
      "openai-chat",
    ],
    [
      "in a store",
      JSON.stringify({ threads: [{ messages: [hello] }, { messages: [{ role: "user", content: 7 }] }] }),
      "threads[1].messages[0].content",
      "openai-chat",
    ],
    [
      "in a block",
      JSON.stringify([{ role: "assistant", content: [{ type: "tool_use", id: 7, name: "f", input: {} }] }]),
      "[0].content[0].id",
      "anthropic",
    ],
    [
      "in a part",
      JSON.stringify({ contents: [{ role: "user", parts: [{ text: 7 }] }] }),
      "contents[0].parts[0].text",
      "gemini",
    ],
    [
      "in an item",
      JSON.stringify({ input: [{ type: "function_call", call_id: 7 }] }),
      "input[0].",
      "openai-responses",
    ],
  ])("is named %s", (_, text, where, format) => {
    const error = refusal(text)
    assert.strictEqual(error.kind, "malformed")
    assert.include(error.reason, where)
    assert.include(error.reason, FORMATS[format as FormatName])
    assert.notInclude(error.remedy, "undefined")
  })

  it("is no reason to read a list that is cut off", () => {
    const error = refusal(`${lines(hello, hello)}\n{"role":"us`)
    assert.strictEqual(error.kind, "no-json")
    assert.include(error.reason, "cut off at line 3")
  })
})

describe("what is known, and no chat", () => {
  it.each<[string, string, string]>([
    [
      "a stream of Anthropic",
      'event: message_start\ndata: {"type":"message_start","message":{}}\n\ndata: {"type":"ping"}',
      "stream of single responses",
    ],
    [
      "a stream of OpenAI",
      lines({ type: "response.created", response: {} }, { type: "response.in_progress" }),
      "stream of single responses",
    ],
    [
      "a stream of a user interface",
      JSON.stringify([{ type: "start" }, { type: "start-step" }]),
      "stream of a user interface",
    ],
    ["a trace", JSON.stringify({ trace: {}, observations: [] }), "trace of langfuse"],
    [
      "questions",
      JSON.stringify({ a: [{ question: "Why?" }], b: [{ question: "Who?" }] }),
      "questions about a chat",
    ],
    ["lines of questions", lines({ Ann: ["Why?"] }, { Bo: ["Who?"] }), "questions about a chat"],
    ["YAML", "interactions:\n- request: {}\n", "it is YAML"],
  ])("is refused with a reason: %s", (_, text, reason) => {
    const error = refusal(text)
    assert.include(error.reason, reason)
    assert.notStrictEqual(error.remedy, "")
  })
})

describe("any text", () => {
  const odd = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.array(fc.jsonValue()).map((values) => values.map((value) => JSON.stringify(value)).join("\n")),
  )
  const seeds = [
    ...names.map((name) => JSON.stringify(requestOf(name))),
    ...names.map((name) => lines(...listOf(name))),
  ]
  const damaged = fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.nat(),
      fc.nat(40),
      fc.constantFrom("null", "[]", "{}", '"', "7", "\ud800", "__proto__"),
    )
    .map(([text, at, length, put]) => {
      const from = at % text.length
      return text.slice(0, from) + put + text.slice(from + length)
    })

  it("gives chats with one origin for each message, or a typed refusal", () => {
    fc.assert(
      fc.property(fc.oneof(odd, damaged), (text) => {
        const reading = readTranscript(text, "file")
        if (Result.isFailure(reading)) assert.strictEqual(reading.failure._tag, "TranscriptError")
        else for (const each of reading.success) assert.strictEqual(each.origins.length, each.messages.length)
      }),
      { numRuns: 300, seed: 20_261_202 },
    )
  })
})
