/** The Responses API: what each item is read to, and what no single request shows. */
import type { Part } from "@palimpsest/core"
import { messagesIn } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import {
  fromCompaction,
  goOn,
  itemsOfStream,
  newItems,
  openAiResponses,
} from "@palimpsest/core/formats/openai-responses"
import { assert, describe, expect, it } from "vitest"
import {
  call,
  compaction,
  custom,
  customOutput,
  heard,
  hello,
  message,
  output,
  reads,
  reasoning,
  reference,
  said,
  says,
  search,
} from "./ResponsesWire.ts"

const conversationOf = (input: unknown) => {
  const read = openAiResponses.decode(input)
  assert(read.ok)
  return read.conversation
}

const read = (...items: ReadonlyArray<unknown>) => messagesIn(conversationOf(items))

const partsOf = (...items: ReadonlyArray<unknown>) =>
  read(...items).flatMap(({ parts }): ReadonlyArray<Part> => parts)

const opaque = (value: unknown) => ({
  type: "opaque",
  format: "openai-responses",
  json: JSON.stringify(value),
})

describe("items", () => {
  it("are read as messages of a user, responses with all that they hold, and outputs", () => {
    const thread = read(
      hello,
      reasoning("rs_1"),
      message("msg_1", "Let me look."),
      call("c1", { id: "fc_1" }),
      custom("c2"),
      output("c1"),
      customOutput("c2"),
      message("msg_2"),
    )
    expect(thread.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
      ["user", ["text"]],
      ["assistant", ["reasoning", "text", "tool-call", "tool-call"]],
      ["tool", ["tool-result", "tool-result"]],
      ["assistant", ["text"]],
    ])
    expect(thread[1]).toMatchObject({ format: "openai-responses" })
    expect(thread[3]).not.toHaveProperty("format")
  })

  it.each<[string, object, object]>([
    ["reasoning", reasoning("rs_1"), { type: "reasoning", text: "Hm.", signature: "ZW5j", id: "rs_1" }],
    [
      "reasoning without a text",
      reasoning("rs_1", { summary: [] }),
      { type: "reasoning", text: "", signature: "ZW5j", redacted: true, id: "rs_1" },
    ],
    [
      "reasoning that its server does not hide",
      { type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "Hm." }] },
      { type: "reasoning", text: "Hm.", id: "rs_1" },
    ],
    ["a call", call("c1"), { type: "tool-call", id: "c1", name: "find", arguments: "{}" }],
    ["a refusal", said([{ type: "refusal", refusal: "No." }]), { type: "text", text: "No." }],
    [
      "a call of a custom tool",
      custom("c1"),
      { type: "tool-call", id: "c1", name: "run", arguments: "ls", kind: "custom" },
    ],
    [
      "a call of a shell",
      { type: "shell_call", call_id: "c1", action: { commands: ["ls"] } },
      {
        type: "tool-call",
        id: "c1",
        name: "shell",
        arguments: '{"action":{"commands":["ls"]}}',
        kind: "shell",
      },
    ],
    ["a search by the provider", search, opaque(search)],
    ["a compaction", compaction(), opaque(compaction())],
    ["an item that is not known", { type: "new_thing", a: 1 }, opaque({ type: "new_thing", a: 1 })],
    ["a reference to a message", reference("msg_1"), opaque(reference("msg_1"))],
  ])("%s", (_, item, part) => {
    expect(partsOf(item)).toEqual([part])
  })

  it.each<[string, object, object]>([
    ["a result", output("c1"), { status: "ok", content: [{ type: "text", text: "found" }] }],
    ["a result of nothing", output("c1", ""), { status: "ok", content: [] }],
    [
      "a result with a file",
      output("c1", [reads("See"), { type: "input_file", file_url: "https://example.org/a.pdf" }]),
      {
        status: "ok",
        content: [
          { type: "text", text: "See" },
          { type: "media", mediaType: "application/octet-stream", data: "https://example.org/a.pdf" },
        ],
      },
    ],
    [
      "a command that failed",
      {
        type: "shell_call_output",
        call_id: "c1",
        output: [{ stdout: "a", stderr: "b", outcome: { type: "exit", exit_code: 1 } }],
      },
      { status: "error", content: [{ type: "text", text: "a\nb" }] },
    ],
    [
      "a command that took too long",
      {
        type: "shell_call_output",
        call_id: "c1",
        output: [{ stdout: "", stderr: "", outcome: { type: "timeout" } }],
      },
      { status: "error", content: [] },
    ],
    [
      "a patch that failed",
      { type: "apply_patch_call_output", call_id: "c1", status: "failed", output: "no" },
      { status: "error", content: [{ type: "text", text: "no" }] },
    ],
    [
      "a screen",
      {
        type: "computer_call_output",
        call_id: "c1",
        output: { type: "computer_screenshot", image_url: "https://example.org/a.png" },
      },
      {
        status: "ok",
        content: [{ type: "media", mediaType: "image/*", data: "https://example.org/a.png" }],
      },
    ],
    [
      "what was not approved",
      { type: "mcp_approval_response", approval_request_id: "c1", approve: false, reason: "no" },
      { status: "denied", content: [{ type: "text", text: "no" }] },
    ],
  ])("%s", (_, item, result) => {
    expect(partsOf(item)).toEqual([{ type: "tool-result", call: "c1", ...result }])
  })

  it("lets a reference stand for the call that is answered after it", () => {
    const items = [hello, reference("fc_1"), output("c1"), hello]
    expect(partsOf(...items)[1]).toMatchObject({ type: "tool-call", id: "c1" })
    expect(openAiResponses.encode(conversationOf(items)).request.input).toEqual(items)
  })

  it("takes messages of the host inside the list for those of a program", () => {
    const thread = read(hello, { role: "developer", content: "Be brief." })
    expect(thread[1]).toEqual({
      role: "user",
      synthetic: true,
      parts: [{ type: "text", text: "Be brief." }],
    })
    const instructed = conversationOf([{ role: "developer", content: "Be brief." }, hello])
    expect(instructed.system).toBe("Be brief.")
  })

  it("keeps the phase of a message, changed or not", () => {
    const items = [hello, said("Hm.", { phase: "commentary" }), said("Found", { phase: "final_answer" })]
    const thread = conversationOf(items)
    expect(openAiResponses.encode(thread).request.input).toEqual(items)
    expect(thread.items.every(({ raw }) => raw === undefined)).toBe(true)
  })

  it.each<[string, unknown, string, string]>([
    ["no request", 7, "", "expected a list of messages, or a request with input"],
    ["a call without a name", { input: [{ type: "function_call", call_id: "c1" }] }, "input[0].name", ""],
    ["a role that is none", [{ role: "tool", content: "" }], "[0].role", ""],
    ["a part without its text", [heard([{ type: "input_text" }])], "[0].content[0].text", ""],
    ["reasoning without a summary", [{ type: "reasoning", id: "rs_1" }], "[0].summary", ""],
    [
      "a cycle",
      [
        Object.assign(
          { type: "new" },
          {
            get self() {
              return this
            },
          },
        ),
      ],
      "[0]",
      "",
    ],
  ])("tells where %s is wrong", (_, input, path, reason) => {
    const found = openAiResponses.decode(input)
    assert(!found.ok)
    expect(found.path).toBe(path)
    expect(found.reason).toContain(reason)
  })
})

describe("a stream", () => {
  const item = (sealed: string) => reasoning("rs_1", { encrypted_content: sealed })

  it("takes the items of a stream from where they are done", () => {
    const events = [
      { type: "response.output_item.added", output_index: 0, item: item("b2xk") },
      { type: "response.output_item.done", output_index: 1, item: message("msg_1") },
      { type: "response.output_item.done", output_index: 0, item: item("bmV3") },
      { type: "response.output_item.done", output_index: 2, item: 7 },
      { type: "response.completed" },
      null,
    ]
    expect(itemsOfStream(events)).toEqual([item("bmV3"), message("msg_1")])
  })

  it("sends what is encrypted to nobody else", () => {
    const { conversation } = { conversation: conversationOf([hello, item("ZW5j"), message("msg_1")]) }
    const { request, losses } = anthropic.encode(conversation)
    expect(JSON.stringify(request)).not.toContain("ZW5j")
    expect(losses.map(({ what }) => what)).toContain("reasoning")
    const other = openAiResponses.encode({
      ...conversation,
      items: conversation.items.map(({ message: said }) => ({
        message: said.role === "assistant" ? { ...said, format: "anthropic" } : said,
      })),
    })
    expect(JSON.stringify(other.request)).not.toContain("ZW5j")
  })
})

describe("what the server holds", () => {
  const compacted = [hello, compaction(), hello]
  const held = [hello, said("Hi")]
  const more = { role: "user", content: "And?" }

  it("leaves a compacted window as it is", () => {
    expect(openAiResponses.validate({ input: compacted })).toEqual([])
    expect(openAiResponses.repair(compacted)).toEqual({ request: { input: compacted }, repairs: [] })
    expect(openAiResponses.encode(conversationOf(compacted)).request.input).toEqual(compacted)
    expect(fromCompaction(compacted)).toEqual(compacted)
    expect(newItems({ input: [...compacted, more] }, compacted)).toEqual([more])
  })

  it("refuses to go on from a window that was pruned", () => {
    expect(newItems({ input: compacted.slice(1) }, compacted)).toBeNull()
    expect(newItems({ input: [more, ...compacted] }, compacted)).toBeNull()
    expect(goOn({ input: [hello, more] }, { id: "resp_1", items: held })).toBeNull()
  })

  it("leaves out what a compaction stands for, but no call that is yet to be answered", () => {
    const items = [hello, reasoning("rs_1"), message("msg_1"), call("c1"), compaction(), output("c1"), more]
    expect(fromCompaction(items)).toEqual([hello, call("c1"), compaction(), output("c1"), more])
    expect(openAiResponses.validate(fromCompaction(items))).toEqual([])
    expect(fromCompaction(held)).toEqual(held)
  })

  it("goes on with what is new", () => {
    const next = goOn({ model: "gpt-5.2", input: [...held, more] }, { id: "resp_1", items: held })
    expect(next).toEqual({ model: "gpt-5.2", input: [more], previous_response_id: "resp_1" })
    expect(goOn({ input: [...held, more] }, { id: "resp_1", items: [] })?.input).toHaveLength(3)
  })

  it("does not go on with nothing new", () => {
    expect(goOn({ input: held }, { id: "resp_1", items: held })).toBeNull()
    expect(goOn({ input: "Hello" }, { id: "resp_1", items: [hello] })).toBeNull()
  })

  it("puts outputs for earlier calls first, and leaves out those that no server can ask for", () => {
    const going = { input: [hello, call("c2"), output("c1"), output("a|b")], previous_response_id: "resp_1" }
    const { request, repairs } = openAiResponses.repair(going)
    expect(request.input).toEqual([output("c1"), hello, call("c2"), output("c2", "(no result was recorded)")])
    expect(repairs.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["OR1", "OR2", "OR11"]))
  })
})

describe("repair", () => {
  it("sends what followed left out reasoning without its id, and leaves out what is nothing without one", () => {
    const bare = reasoning("rs_1", { encrypted_content: null })
    const { request } = openAiResponses.repair({
      store: false,
      input: [hello, bare, search, message("msg_1"), call("c1", { id: "fc_1" }), output("c1")],
    })
    const { id: _, ...nameless } = message("msg_1")
    expect(request.input).toEqual([hello, nameless, call("c1"), output("c1")])
  })

  it("takes an id from encrypted reasoning and all that it led to, when the first of it has none", () => {
    const { request } = openAiResponses.repair([hello, reasoning("rs_1"), said("Hi"), message("msg_1")])
    const { id: _, ...sealed } = reasoning("rs_1")
    const { id: __, ...second } = message("msg_1")
    expect(request.input).toEqual([hello, sealed, said("Hi"), second])
  })

  it("turns texts to their side", () => {
    const { request } = openAiResponses.repair([heard([says("Hello")]), said([reads("Hi")])])
    expect(request.input).toEqual([heard([reads("Hello")]), said([says("Hi")])])
  })
})
