import {
  type AssistantMessage,
  assistant,
  type Message,
  type ToolMessage,
  toolResult,
  user,
} from "@palimpsest/core"
import { conversation, messagesIn } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { assert, describe, it } from "vitest"
import { call, heard, result, said } from "./AnthropicWire.ts"

const encode = (...messages: ReadonlyArray<Message>) => anthropic.encode(conversation(messages))

const lossesOf = (...messages: ReadonlyArray<Message>) =>
  encode(...messages).losses.map(({ kind, what }) => `${kind} ${what}`)

const responseOf = (
  parts: AssistantMessage["parts"],
  fields: Partial<AssistantMessage> = {},
): AssistantMessage => ({ role: "assistant", parts, ...fields })

describe("writing the Messages API", () => {
  it("joins results with what the user says next, and neighbours of one role", () => {
    const { request, losses } = encode(
      user("Go"),
      { ...user("(a reminder)"), synthetic: true },
      assistant("", [{ id: "c1", name: "find", arguments: '{"a":1}' }]),
      toolResult("c1", "found"),
      user("And?"),
      assistant("So."),
      assistant("Yes."),
    )
    assert.deepStrictEqual<unknown>(request.messages, [
      heard({ type: "text", text: "Go" }, { type: "text", text: "(a reminder)" }),
      said(call("c1", { a: 1 })),
      heard(result("c1"), { type: "text", text: "And?" }),
      said({ type: "text", text: "So." }, { type: "text", text: "Yes." }),
    ])
    assert.deepStrictEqual(losses, [])
  })

  it("says of a result that it is empty, and of a user that there is nothing", () => {
    const { request } = encode(
      user(" "),
      assistant("", [{ id: "c1", name: "find", arguments: "{}" }]),
      toolResult("c1", ""),
      assistant("\n"),
    )
    assert.deepStrictEqual<unknown>(request.messages, [
      { role: "user", content: "(blank)" },
      said({ type: "tool_use", id: "c1", name: "find", input: {} }),
      heard({ type: "tool_result", tool_use_id: "c1", content: "(no output)" }),
    ])
  })

  it("sends no image in an error", () => {
    const parts: ToolMessage["parts"] = [
      {
        type: "tool-result",
        call: "c1",
        status: "denied",
        content: [{ type: "media", mediaType: "image/png", data: "aGVs", name: "a.png" }],
      },
    ]
    const { request, losses } = encode({ role: "tool", parts })
    assert.deepStrictEqual<unknown>(request.messages, [
      heard({
        type: "tool_result",
        tool_use_id: "c1",
        content: '[image/png "a.png": an error holds text only]',
        is_error: true,
      }),
    ])
    assert.deepStrictEqual(
      losses.map(({ kind, what }) => [kind, what]),
      [
        ["changed", "the refusal of the call c1"],
        ["changed", "image/png"],
      ],
    )
  })

  it("wraps arguments that are no object, and takes them out again", () => {
    const { request } = encode(assistant("", [{ id: "c1", name: "f", arguments: "{broken" }]))
    const input = { $arguments: "{broken" }
    assert.deepStrictEqual<unknown>(request.messages, [
      said({ type: "tool_use", id: "c1", name: "f", input }),
    ])
    const read = anthropic.decode(request.messages)
    assert.deepStrictEqual(
      read.ok ? messagesIn(read.conversation)[0] : read,
      assistant("", [{ id: "c1", name: "f", arguments: "{broken" }]),
    )
  })

  it("gives ids that the provider takes, and the way back", () => {
    const { request, ids } = encode(
      assistant("", [{ id: "call|fc_1", name: "f", arguments: "{}" }]),
      toolResult("call|fc_1", "ok"),
    )
    const [[sent, own] = []] = ids
    assert.strictEqual(own, "call|fc_1")
    assert.deepStrictEqual(
      [...JSON.stringify(request.messages).matchAll(/"(?:tool_use_)?id":"([^"]*)"/g)].map(([, id]) => id),
      [sent, sent],
    )
  })
})

describe("what is lost on the way to the Messages API", () => {
  it.each<[string, Message, ReadonlyArray<string>]>([
    ["reasoning without a signature", responseOf([{ type: "reasoning", text: "hm" }]), ["dropped reasoning"]],
    [
      "reasoning that another provider signed",
      responseOf(
        [
          { type: "reasoning", text: "hm", signature: "s" },
          { type: "text", text: "a" },
        ],
        {
          format: "gemini",
        },
      ),
      ["dropped reasoning"],
    ],
    [
      "reasoning with half of a character",
      responseOf(
        [
          { type: "reasoning", text: "\ud83d", signature: "s" },
          { type: "text", text: "a" },
        ],
        { format: "anthropic" },
      ),
      ["dropped reasoning"],
    ],
    [
      "reasoning that nothing follows",
      responseOf([{ type: "reasoning", text: "hm", signature: "s" }], { format: "anthropic" }),
      ["dropped reasoning"],
    ],
    [
      "the signature of a call",
      responseOf([{ type: "tool-call", id: "c1", name: "f", arguments: "{}", signature: "s" }]),
      ["dropped the signature of the call c1"],
    ],
    [
      "arguments that are no object",
      responseOf([{ type: "tool-call", id: "c1", name: "f", arguments: "[1]" }]),
      ["changed the arguments of the call c1"],
    ],
    [
      "parts of another format",
      responseOf([{ type: "opaque", format: "openai-responses", json: "{}" }]),
      ["dropped a part of openai-responses"],
    ],
    [
      "parts of another format that a user sent",
      { role: "user", parts: [{ type: "opaque", format: "gemini", json: "{}" }] },
      ["changed a part of gemini"],
    ],
    [
      "approvals",
      { role: "tool", parts: [{ type: "approval", call: "c1", approved: true }] },
      ["dropped an approval"],
    ],
    ["names of speakers", { ...user("Hi"), name: "Zoë" }, ["dropped the name of a speaker"]],
    [
      "media that a model made",
      responseOf([{ type: "media", mediaType: "image/png", data: "aGVs" }]),
      ["changed image/png"],
    ],
  ])("%s", (_, message, expected) => {
    assert.deepStrictEqual(lossesOf(message), expected)
  })

  it("lists the fields and the frame of another format", () => {
    const raw = { format: "gemini", text: "{}" }
    const { request, losses } = anthropic.encode({
      system: "Be brief.",
      systemRaw: raw,
      frame: raw,
      items: [{ message: user("Hi"), raw }],
    })
    assert.deepStrictEqual<unknown>(request, {
      system: "Be brief.",
      messages: [{ role: "user", content: "Hi" }],
    })
    assert.deepStrictEqual(
      losses.map(({ message, what }) => `${message}: ${what}`),
      [
        "-1: the form of the system prompt",
        "-1: the other fields of the request",
        "0: fields of the form in which it came",
      ],
    )
  })
})
