import { type AssistantMessage, assistant, type Message, toolResult } from "@palimpsest/core"
import { messagesIn } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { gemini } from "@palimpsest/core/formats/gemini"
import { assert, describe, expect, it } from "vitest"
import { call, hello, losses, messages, part, read, result, said, write } from "./EffectKit.ts"

describe("reading", () => {
  it("takes steps that were folded into one message apart", () => {
    const thread = messages(
      said("assistant", [
        call("a"),
        result("a", "1"),
        call("b"),
        result("b", "2"),
        part("text", { text: "Done" }),
      ]),
    )
    expect(thread.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "tool", "assistant"])
  })

  it("finds the call of a decision by its request", () => {
    const thread = messages(
      said("assistant", [call("a"), part("tool-approval-request", { approvalId: "q", toolCallId: "a" })]),
      said("tool", [part("tool-approval-response", { approvalId: "q", approved: true })]),
      said("tool", [result("a", "1")]),
    )
    expect(thread[0]?.parts[0]).toMatchObject({ type: "tool-call", pending: true })
    expect(thread[1]?.parts).toEqual([{ type: "approval", call: "a", id: "q", approved: true }])
  })

  it("says who signed a message", () => {
    const google = { google: { thoughtSignature: "c2ln" } }
    const thread = messages(
      said("assistant", [part("tool-call", { id: "a", name: "find", params: {} }, google)]),
      said("assistant", [
        part("reasoning", { text: "Hm." }, { openai: { itemId: "rs_1", encryptedContent: null } }),
      ]),
    )
    expect(thread[0]).toMatchObject({ format: "gemini", parts: [{ signature: "c2ln" }] })
    expect(thread[1]).toEqual({ role: "assistant", parts: [{ type: "reasoning", text: "Hm.", id: "rs_1" }] })
  })

  it("names the path of what is not of the format", () => {
    const at = (input: unknown) => {
      const decoded = effectPrompt.decode(input)
      return decoded.ok ? "" : decoded.path
    }
    expect(at({ content: [hello, { role: "user", content: 7 }] })).toBe("content[1].content")
    expect(at([{ role: "tool", content: "Hi" }])).toBe("[0].content")
    expect(at([{ role: "narrator", content: "Hi" }])).toBe("[0]")
    expect(
      at([{ role: "user", content: [{ type: "tool-call", id: "a", name: "b", params: {} }] }]),
    ).toContain("[0]")
  })
})

describe("writing", () => {
  const signed: AssistantMessage = {
    role: "assistant",
    format: "gemini",
    parts: [
      { type: "reasoning", text: "Hm.", signature: "c2ln" },
      { type: "tool-call", id: "a", name: "find", arguments: '{"id":7}', signature: "Y2Fs" },
    ],
  }

  it("puts what was signed where the provider's layer looks for it", () => {
    expect(write(signed)).toEqual([
      said("assistant", [
        part("reasoning", { text: "Hm." }, { google: { thoughtSignature: "c2ln" } }),
        { ...call("a", { params: { id: 7 } }), options: { google: { thoughtSignature: "Y2Fs" } } },
      ]),
    ])
  })

  it("drops what is signed by nobody who is known", () => {
    expect(losses({ ...signed, format: "ai-sdk" })).toEqual([
      "dropped the signature of reasoning",
      "dropped the signature of the call a",
    ])
    const redacted: AssistantMessage = {
      role: "assistant",
      parts: [{ type: "reasoning", text: "", signature: "cmVk", redacted: true }],
    }
    expect(write(redacted)).toEqual([])
  })

  it("moves media of results behind the results of their response", () => {
    const png = { type: "media", mediaType: "image/png", data: "aGVs" } as const
    const looked = assistant("", [
      { id: "a", name: "find", arguments: "{}" },
      { id: "b", name: "find", arguments: "{}" },
    ])
    const seen: Message = {
      role: "tool",
      parts: [
        { type: "tool-result", call: "a", status: "ok", content: [png, { type: "text", text: "seen" }] },
      ],
    }
    expect(write(looked, seen, toolResult("b", "2")).slice(1)).toEqual([
      said("tool", [result("a", "seen")]),
      said("tool", [result("b", "2")]),
      said("user", [part("file", { mediaType: "image/png", data: new Uint8Array([104, 101, 108]) })]),
    ])
    expect(losses(looked, seen, toolResult("b", "2"))).toEqual(["changed media of a result"])
  })

  it("writes base64 as bytes, addresses as such, and other data as it is", () => {
    const media = (data: string): Message => ({
      role: "user",
      parts: [{ type: "media", mediaType: "image/png", data }],
    })
    const data = ["aGVs", "data:image/jpeg;base64,aGVs", "https://example.org/a", "https://[", "?"].map(
      (one) => {
        const [message] = write(media(one))
        return Array.isArray(message?.content) ? message.content[0]?.data : undefined
      },
    )
    const bytes = new Uint8Array([104, 101, 108])
    expect(data).toEqual([bytes, bytes, new URL("https://example.org/a"), "https://[", "?"])
  })

  it("keeps arguments that are no object, and those that are no JSON", () => {
    const texts = ["[1]", "null", "7", "{", '{"$arguments":"{"}', '{"id":9007199254740993}']
    const calls = texts.map((text, i) => assistant("", [{ id: `c${i}`, name: "find", arguments: text }]))
    const again = messagesIn(read(write(...calls))).flatMap(({ parts }) =>
      parts.flatMap((one) => (one.type === "tool-call" ? [one.arguments] : [])),
    )
    expect(again).toEqual(texts)
  })

  it("writes a result as text, or as the JSON that its text is", () => {
    const answers = ["here", '{"a":1}', "[1]", "7", "null", '{ "a": 1 }', '{"$bytes":"aGVs"}', ""]
    const values = answers.map((answer, i) => {
      const [message] = write(toolResult(`c${i}`, answer))
      return Array.isArray(message?.content) ? message.content[0]?.result : undefined
    })
    expect(values).toEqual(["here", { a: 1 }, [1], "7", "null", '{ "a": 1 }', { $bytes: "aGVs" }, ""])
  })

  it("says what it leaves out", () => {
    expect(losses({ role: "user", name: "Ann", parts: [{ type: "text", text: "Hi" }] })).toEqual([
      "dropped the name of a speaker",
    ])
    const waiting = assistant("", [{ id: "a", name: "find", arguments: "{}", pending: true }])
    expect(losses(waiting)).toEqual(["dropped that the call a waits"])
    const foreign = { type: "opaque", format: "gemini", json: "{}" } as const
    expect(losses({ role: "assistant", parts: [foreign] })).toEqual(["dropped a part of gemini"])
    expect(losses({ role: "user", parts: [foreign] })).toEqual(["changed a part of gemini"])
    expect(losses({ role: "user", parts: [{ type: "media", mediaType: "image/png", data: "" }] })).toEqual([
      "changed image/png",
    ])
  })
})

describe("between providers", () => {
  const thinking = [
    { role: "user", content: "Where?" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "redacted_thinking", data: "cmVk" },
        { type: "tool_use", id: "toolu_1", name: "find", input: { id: 7 } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "here" }] },
  ]

  it("an Anthropic request goes through a prompt and comes back whole, signatures included", () => {
    const decoded = anthropic.decode({ system: "Be brief.", messages: thinking })
    assert(decoded.ok)
    const { request, losses } = effectPrompt.encode(decoded.conversation)
    expect(losses.filter(({ message }) => message !== -1)).toEqual([])
    expect(effectPrompt.validate(request)).toEqual([])
    expect(anthropic.encode(read(request)).request).toEqual({ system: "Be brief.", messages: thinking })
  })

  it("a prompt goes to Gemini, and what another signed does not", () => {
    const decoded = anthropic.decode(thinking)
    assert(decoded.ok)
    const prompt = effectPrompt.encode(decoded.conversation).request
    const { request } = gemini.encode(read(prompt))
    expect(gemini.validate(request)).toEqual([])
    expect(JSON.stringify(request)).not.toContain("c2ln")
  })
})

describe("repair", () => {
  it("says that it leaves out a message of results without one", () => {
    const { request, repairs } = effectPrompt.repair([hello, said("tool", [])])
    expect(request.content).toEqual([hello])
    expect(repairs.map(({ rule, detail }) => [rule, detail])).toEqual([
      ["EF5", "left-out: a message of results without one"],
    ])
  })

  it("folds one response into one message, step by step", () => {
    const { request } = effectPrompt.repair([
      said("assistant", [call("a"), result("a", "1"), call("b"), result("b", "2")]),
    ])
    expect(request.content).toEqual([
      said("assistant", [call("a")]),
      said("tool", [result("a", "1")]),
      said("assistant", [call("b")]),
      said("tool", [result("b", "2")]),
    ])
  })
})
