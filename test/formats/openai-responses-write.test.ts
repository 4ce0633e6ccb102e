/** The Responses API: what each part is written as, and what is lost on the way to it and from it. */
import { type AssistantMessage, assistant, type Message, toolResult, user } from "@palimpsest/core"
import { conversation, messagesIn } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import { assert, describe, expect, it } from "vitest"
import {
  call,
  custom,
  customOutput,
  hello,
  message,
  nameless,
  output,
  picture,
  reads,
  reasoning,
  said,
  search,
} from "./ResponsesWire.ts"

const write = (...messages: ReadonlyArray<Message>) => openAiResponses.encode(conversation(messages))

type Part = AssistantMessage["parts"][number]

const response = (...parts: ReadonlyArray<Part>): AssistantMessage => ({
  role: "assistant",
  format: "openai-responses",
  parts,
})

const thought = { type: "reasoning", text: "Hm.", signature: "ZW5j", id: "rs_1" } as const
const asked = { type: "tool-call", id: "c1", name: "find", arguments: "{}" } as const
const kept = (value: object) =>
  ({ type: "opaque", format: "openai-responses", json: JSON.stringify(value) }) as const
const image = { type: "media", mediaType: "image/png", data: "aGVs" } as const
const { id: _, ...sealed } = reasoning("rs_1")

describe("messages of a thread", () => {
  it("are written in their plain form", () => {
    const { request, losses } = openAiResponses.encode(
      conversation([user("Hello"), assistant("Hi", [asked]), toolResult("c1", "found")], {
        system: "Be brief.",
      }),
    )
    expect(request).toEqual({
      instructions: "Be brief.",
      input: [hello, said("Hi"), call("c1"), output("c1")],
    })
    expect(losses).toEqual([])
  })

  it.each<[string, ReadonlyArray<Part>, ReadonlyArray<unknown>]>([
    ["a text", [{ type: "text", text: "Hi" }], [said("Hi")]],
    ["a blank text", [{ type: "text", text: " \n" }, asked], [call("c1")]],
    ["reasoning before a text", [thought, { type: "text", text: "Hi" }], [sealed, said("Hi")]],
    ["reasoning before an item that has its id", [thought, kept(search)], [reasoning("rs_1"), search]],
    ["an item whose reasoning is gone", [kept(search), { type: "text", text: "Hi" }], [said("Hi")]],
    ["a call of a custom tool", [{ ...asked, name: "run", arguments: "ls", kind: "custom" }], [custom("c1")]],
    [
      "a call of a shell",
      [{ ...asked, kind: "shell", arguments: '{"id":"sh_1","action":{"commands":["ls"]}}' }],
      [{ type: "shell_call", action: { commands: ["ls"] }, call_id: "c1" }],
    ],
    [
      "a call of a screen, with reasoning",
      [thought, { ...asked, kind: "computer", arguments: '{"id":"cu_1","action":{"type":"wait"}}' }],
      [reasoning("rs_1"), { type: "computer_call", id: "cu_1", action: { type: "wait" }, call_id: "c1" }],
    ],
    [
      "arguments with a big number, and what is no JSON",
      [
        { ...asked, arguments: '{"id":9007199254740993}' },
        { ...asked, id: "c2", arguments: "{" },
      ],
      [call("c1", { arguments: '{"id":9007199254740993}' }), call("c2", { arguments: "{" })],
    ],
    [
      "the phase of a text",
      [kept({ type: "message", phase: "commentary" }), { type: "text", text: "Hm." }, asked],
      [said("Hm.", { phase: "commentary" }), call("c1")],
    ],
  ])("%s", (_, parts, items) => {
    expect(write(response(...parts)).request.input).toEqual(items)
  })

  it.each<[string, Message, unknown, ReadonlyArray<string>]>([
    ["nothing", user(" "), { role: "user", content: "(blank)" }, []],
    [
      "a picture",
      {
        role: "user",
        parts: [
          { type: "text", text: "See" },
          { ...image, detail: "low" },
        ],
      },
      {
        role: "user",
        content: [
          reads("See"),
          { type: "input_image", image_url: "data:image/png;base64,aGVs", detail: "low" },
        ],
      },
      [],
    ],
    [
      "a file",
      { role: "user", parts: [{ ...image, mediaType: "application/pdf", name: "a.pdf" }] },
      {
        role: "user",
        content: [{ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,aGVs" }],
      },
      [],
    ],
    [
      "a sound",
      { role: "user", parts: [{ ...image, mediaType: "audio/wav" }] },
      { role: "user", content: "[audio/wav: cannot be sent here]" },
      ["audio/wav"],
    ],
    ["a speaker", { ...user("Hello"), name: "Ada" }, hello, ["the name of a speaker"]],
    ["a result of nothing", toolResult("c1", " "), output("c1", "(no output)"), []],
    [
      "a result that failed",
      toolResult("c1", "found", { status: "error" }),
      output("c1"),
      ["how the call c1 ended"],
    ],
    [
      "a result with a picture",
      { role: "tool", parts: [{ type: "tool-result", call: "c1", status: "ok", content: [image] }] },
      output("c1", [{ ...picture, image_url: "data:image/png;base64,aGVs" }]),
      [],
    ],
    [
      "an approval",
      { role: "tool", parts: [{ type: "approval", call: "c1", approved: true }] },
      undefined,
      ["an approval"],
    ],
    [
      "reasoning of another provider",
      { ...response(thought, { type: "text", text: "Hi" }), format: "anthropic" },
      said("Hi"),
      ["reasoning"],
    ],
    [
      "reasoning with nothing but an id",
      response({ type: "reasoning", text: "Hm.", id: "rs_1" }, { type: "text", text: "Hi" }),
      said("Hi"),
      ["reasoning"],
    ],
    ["reasoning at the end", response({ type: "text", text: "Hi" }, thought), said("Hi"), ["reasoning"]],
    [
      "reasoning with half of a character",
      response({ ...thought, signature: "\ud83d" }, { type: "text", text: "Hi" }),
      said("Hi"),
      ["reasoning"],
    ],
    [
      "a call that is signed, of an odd tool",
      response({ ...asked, name: "a.b", signature: "s" }),
      call("c1", { name: "a_b" }),
      ["the signature of the call c1", "the name of the tool a.b"],
    ],
    ["a picture of the model", response(image), said("[image/png: not shown]"), ["image/png"]],
    [
      "a part of another format",
      response({ ...kept({ a: 1 }), format: "gemini" }, { type: "text", text: "Hi" }),
      said("Hi"),
      ["a part of gemini"],
    ],
  ])("what cannot be said is listed: %s", (_, one, item, losses) => {
    const written = write(one)
    expect(written.request.input).toEqual(item === undefined ? [] : [item])
    expect(written.losses.map(({ what }) => what)).toEqual(losses)
  })

  it("answers each call in the type that it asks for", () => {
    const kinds = ["custom", "shell", "local_shell", "apply_patch", "mcp_approval", "computer"]
    const calls = kinds.map((kind, i) => ({ ...asked, id: `c${i}`, arguments: "{}", kind }))
    const results = calls.map(({ id }) => toolResult(id, "found"))
    const { request } = write(user("Hello"), response(...calls), ...results)
    expect(Array.isArray(request.input) ? request.input.slice(7) : []).toEqual([
      { ...customOutput("c0"), output: "found" },
      {
        type: "shell_call_output",
        call_id: "c1",
        output: [{ stdout: "found", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
      },
      { type: "local_shell_call_output", id: "c2", output: "found" },
      { type: "apply_patch_call_output", call_id: "c3", status: "completed", output: "found" },
      { type: "mcp_approval_response", approval_request_id: "c4", approve: true, reason: "found" },
      {
        type: "computer_call_output",
        call_id: "c5",
        output: { type: "computer_screenshot", image_url: expect.stringContaining("data:image/png") },
      },
    ])
    expect(openAiResponses.validate(request)).toEqual([])
  })

  it("changes ids of calls that are too long, and tells the way back", () => {
    const id = `call|${"x".repeat(80)}`
    const { request, ids } = write(user("Hello"), assistant("", [{ ...asked, id }]), toolResult(id, "found"))
    expect([...ids.values()]).toEqual([id])
    expect(openAiResponses.validate(request)).toEqual([])
  })
})

describe("across providers", () => {
  const from = (input: ReadonlyArray<unknown>) => {
    const read = openAiResponses.decode(input)
    assert(read.ok)
    return read.conversation
  }

  it("a changed response is sent without ids, its reasoning as it is encrypted", () => {
    const { items, ...rest } = from([hello, reasoning("rs_1"), message("msg_1"), call("c1", { id: "fc_1" })])
    const changed = items.map((item) =>
      item.message.role === "assistant"
        ? {
            ...item,
            message: {
              ...item.message,
              parts: item.message.parts.map((part) =>
                part.type === "tool-call" ? { ...part, arguments: '{"a":1}' } : part,
              ),
            },
          }
        : item,
    )
    expect(openAiResponses.encode({ ...rest, items: changed }).request.input).toEqual([
      hello,
      sealed,
      said("Found"),
      call("c1", { arguments: '{"a":1}' }),
    ])
  })

  it("what the provider did by itself is lost to another, and said so", () => {
    const { request, losses } = anthropic.encode(from([hello, nameless, search, message("msg_1")]))
    expect(request.messages).toEqual([hello, { role: "assistant", content: "Found" }])
    expect(losses.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["reasoning", "a part of openai-responses"]),
    )
  })

  it("takes a conversation of Anthropic with calls, results and thinking", () => {
    const read = anthropic.decode({
      system: "Be brief.",
      messages: [
        { role: "user", content: "Hello" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm.", signature: "c2ln" },
            { type: "tool_use", id: "toolu_1", name: "find", input: { id: 7 } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "found" }] },
      ],
    })
    assert(read.ok)
    const { request, losses } = openAiResponses.encode(read.conversation)
    expect(request).toEqual({
      instructions: "Be brief.",
      input: [hello, call("toolu_1", { arguments: '{"id":7}' }), output("toolu_1")],
    })
    expect(losses.map(({ what }) => what)).toContain("reasoning")
    expect(openAiResponses.validate(request)).toEqual([])
    const back = openAiResponses.decode(request)
    assert(back.ok)
    expect(messagesIn(back.conversation).map(({ role }) => role)).toEqual(["user", "assistant", "tool"])
  })
})
