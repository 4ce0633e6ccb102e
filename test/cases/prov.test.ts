import {
  type AssistantMessage,
  applyPatches,
  assistant,
  isRealUser,
  type MediaPart,
  type Message,
  messagesOf,
  textOf,
  toolResult,
  user,
} from "@palimpsest/core"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { arbitraryThread } from "@palimpsest/core/testing"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { calls, everyCut, look, settings, threadOf, used, words } from "./Kit.ts"
import { assertSaysSomething, formats, promptAs, sentAs } from "./ProvKit.ts"

const TRIAL = { seed: 20_261_202, numRuns: 150 }

const textIn = (message: Message | undefined): string => textOf(message?.parts ?? [])

/** A response that a provider of this format signed. */
const signedBy = (format: string, ...rest: AssistantMessage["parts"]): AssistantMessage => ({
  role: "assistant",
  format,
  parts: [{ type: "reasoning", text: "hm", signature: "c2ln" }, ...rest],
})

const callPart = (id: string, args = '{"a":1}') =>
  ({ type: "tool-call", id, name: "read", arguments: args }) as const

describe("what a provider is sent", () => {
  it("PROV-01: a window of any number of messages starts with a turn of the user", () => {
    const messages = [user("U"), ...used("c1", 300), ...used("c2", 300), assistant("A")]
    for (const format of formats) {
      for (let last = 1; last <= messages.length; last++)
        assert.strictEqual(sentAs(format, messages.slice(-last))[0]?.role, "user", `${format.name} ${last}`)
      for (let window = 100; window < 1_400; window += 50) {
        const { decision, prompt } = look(threadOf(messages), settings(window), { noPass: true })
        if (decision._tag === "CannotFit") continue
        assert.strictEqual(prompt.slots[0]?.message.role, "user")
        assert.strictEqual(promptAs(format, prompt)[0]?.role, "user")
      }
    }
  })

  it("PROV-02: no chat and no window give a prompt that a provider refuses, or that opens on a response", () => {
    const decided = new Set<string>()
    fc.assert(
      fc.property(
        arbitraryThread({ open: true, endless: 12 }),
        fc.integer({ min: 60, max: 6_000 }),
        (chat, window) => {
          const { decision, prompt } = look(threadOf(chat), settings(window), { noPass: true })
          decided.add(decision._tag)
          if (decision._tag === "CannotFit" || chat.length === 0) return
          if (chat.some(isRealUser)) assert.strictEqual(prompt.slots[0]?.message.role, "user")
          for (const format of formats) assert.strictEqual(promptAs(format, prompt)[0]?.role, "user")
        },
      ),
      TRIAL,
    )
    assert.includeMembers([...decided], ["Keep", "Truncate", "CannotFit"])
  })

  it("PROV-03: neighbours of one role, lone calls and empty turns are put in order", () => {
    const messages = [user("U1"), assistant(""), user("U2"), calls("c1")]
    for (const format of formats) {
      const sent = sentAs(format, messages)
      assertSaysSomething(sent, format.name)
      const users = sent.filter(({ role }) => role === "user").map(textIn)
      assert.strictEqual(users.join("\n"), "U1\nU2", format.name)
      assert.deepStrictEqual(
        sent.flatMap(({ parts }) =>
          parts.flatMap((part) => (part.type === "tool-result" ? [part.call] : [])),
        ),
        ["c1"],
      )
    }
  })

  it("PROV-04: a response with signed thinking is sent byte for byte, or not at all", () => {
    const response = signedBy(
      "anthropic",
      { type: "text", text: "Let me look." },
      callPart("c1"),
      callPart("c2"),
    )
    const messages: ReadonlyArray<Message> = [
      user("Go"),
      ...used("c0", 900),
      response,
      toolResult("c1", words(900)),
      toolResult("c2", words(900)),
    ]
    const [expected] = anthropic.encode({ system: null, items: [{ message: response }] }).request.messages
    const seen = new Set<string>()
    for (let window = 200; window < 6_000; window += 200) {
      const { decision, prompt } = look(threadOf(messages), settings(window), { noPass: true })
      seen.add(decision._tag)
      if (decision._tag === "CannotFit") continue
      const { request } = anthropic.encode({
        system: null,
        items: messagesOf(prompt).map((message) => ({ message })),
      })
      const thought = request.messages.filter((message) => JSON.stringify(message).includes("c2ln"))
      for (const message of thought) assert.deepStrictEqual(message, expected)
    }
    assert.include([...seen], "Truncate")
  })

  it("PROV-06: a response of which only reasoning is left is gone", () => {
    for (const format of formats) {
      const sent = sentAs(format, [user("Go"), signedBy(format.name), user("Next"), assistant("Done")])
      assertSaysSomething(sent, format.name)
      assert.deepStrictEqual(
        sent.filter(({ role }) => role === "assistant").map(textIn),
        ["Done"],
        format.name,
      )
    }
  })

  it("PROV-07: reasoning and the call that it led to are covered together, and stay together", () => {
    const linked = signedBy("openai-responses", callPart("c1"))
    const messages = [user("Go"), linked, toolResult("c1", words(600)), ...used("c2", 600), user("Next")]
    for (const { covered, stays } of everyCut(messages)) {
      assert.strictEqual(covered.includes("m2"), covered.includes("m3"))
      assert.strictEqual(stays.includes("m2"), stays.includes("m3"))
    }
    for (const window of [300, 600, 900, 2_000, 6_000]) {
      const { prompt } = look(threadOf(messages), settings(window), { noPass: true })
      const sent = prompt.slots.find(({ row }) => row === "m2")
      if (sent !== undefined) assert.deepStrictEqual(sent.message, linked)
    }
  })

  it("PROV-08: arguments that were shortened are an object of the same fields on the wire", () => {
    const args = JSON.stringify({ path: "/x", content: `🚀${words(2_000)}`, n: 3 })
    const messages: ReadonlyArray<Message> = [
      user("Go"),
      { role: "assistant", parts: [{ ...callPart("c1", args), name: "write_file" }] },
      toolResult("c1", "ok"),
      ...used("c2", 1_200),
    ]
    const { decision } = look(threadOf(messages), settings(4_000, { tailGroups: 0 }))
    const reductions = decision._tag === "Prune" ? decision.reductions : []
    const reduced = messages.map((message, i) =>
      applyPatches(message, reductions.find(({ row }) => row === `m${i + 1}`)?.patches ?? []),
    )
    assert.notDeepEqual(reduced[1], messages[1])
    for (const format of formats) {
      const [call] = sentAs(format, reduced).flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === "tool-call" ? [part] : [])),
      )
      const sent: unknown = JSON.parse(call?.arguments ?? "")
      assert.include(sent, { path: "/x", n: 3 })
      assert.isBelow(call?.arguments.length ?? 0, args.length / 4)
    }
  })

  it("PROV-09: what a user said is never left out, blank or without a text", () => {
    const image: MediaPart = { type: "media", mediaType: "image/png", data: "aGVs" }
    for (const last of [
      user("  "),
      user(""),
      { role: "user", parts: [] },
      { role: "user", parts: [image] },
    ] as const) {
      const { prompt } = look(threadOf([user("U"), assistant("A"), last]), settings(8_000))
      assert.deepStrictEqual(prompt.slots.at(-1)?.message, last)
      for (const format of formats) {
        const sent = promptAs(format, prompt)
        assert.deepStrictEqual(
          sent.map(({ role }) => role),
          ["user", "assistant", "user"],
          format.name,
        )
        assertSaysSomething(sent, format.name)
      }
    }
  })

  it("PROV-10: no text is empty on the wire, and a result that says nothing says so", () => {
    const messages = [user("Go"), assistant(""), calls("c1"), toolResult("c1", ""), assistant("\n")]
    for (const format of formats) {
      const sent = sentAs(format, messages)
      assertSaysSomething(sent, format.name)
      const results = sent.filter(({ role }) => role === "tool").map(textIn)
      assert.deepStrictEqual(results, ["(no output)"], format.name)
    }
  })

  it("PROV-11: a budget that leaves nothing of any old text leaves no message that says nothing", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(arbitraryThread({ endless: 12 }), fc.integer({ min: 40, max: 500 }), (chat, window) => {
        const { decision, prompt } = look(threadOf(chat), settings(window), { noPass: true })
        if (decision._tag === "CannotFit" || chat.length === 0) return
        seen.add(decision._tag)
        for (const format of formats) assertSaysSomething(promptAs(format, prompt), format.name)
      }),
      TRIAL,
    )
    assert.include([...seen], "Truncate")
  })
})
