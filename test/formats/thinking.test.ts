import type { AssistantMessage, Message } from "@palimpsest/core"
import { toolResult, user } from "@palimpsest/core"
import { makeTarget, type Remembered, thinkingPolicy } from "@palimpsest/core/formats"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const signed = (text: string, extra: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  format: "anthropic",
  ...extra,
  parts: [
    { type: "reasoning", text, signature: `sig-${text}` },
    { type: "tool-call", id: text, name: "find", arguments: "{}" },
  ],
})

const history = (messages: ReadonlyArray<Message>, changed = 0): ReadonlyArray<Remembered> =>
  messages.map((message, i) => ({ message, prefix: i < changed ? "changed" : "kept" }))

const bound = makeTarget({ format: "anthropic", model: "claude-fable-5-1", window: 200_000 })
const family = makeTarget({ format: "anthropic", model: "claude-sonnet-4-5", window: 200_000 })
const gemini = makeTarget({ format: "gemini", model: "gemini-3-pro", window: 1_000_000 })
const chat = makeTarget({ format: "openai-chat", model: "gpt-5", window: 400_000 })

const reasoningIn = (messages: ReadonlyArray<Message>): number =>
  messages.flatMap((message) => [...message.parts]).filter((part) => part.type === "reasoning").length

const twoTurns = [
  user("first"),
  signed("a"),
  toolResult("a", "1"),
  user("second"),
  signed("b"),
  toolResult("b", "2"),
]

describe("the thinking policy", () => {
  it("keeps what a model of the same family signed, whatever changed before it", () => {
    const { items, dropped, thinking } = thinkingPolicy(history(twoTurns, 6), family)
    expect(reasoningIn(items.map(({ message }) => message))).toBe(2)
    expect([dropped, thinking]).toEqual([[], "free"])
  })

  it("AN16 AN17: sends what was signed, as it came, when nothing before it has changed", () => {
    const { items, dropped, thinking } = thinkingPolicy(history(twoTurns), bound)
    expect(items.map(({ message }) => message)).toEqual(twoTurns)
    expect([dropped, thinking]).toEqual([[], "free"])
  })

  it("AN16 AN17: leaves out what was signed before an edit, for models that bind signatures to the prefix", () => {
    const { items, dropped } = thinkingPolicy(history(twoTurns, 2), bound)
    expect(dropped).toEqual([{ message: 1, why: "what stands before it has changed" }])
    expect(items[4]?.message).toBe(twoTurns[4])
    expect(items[1]?.message.parts).toEqual([{ type: "tool-call", id: "a", name: "find", arguments: "{}" }])
  })

  it("AN17: turns thinking off when the loop that goes on has lost its reasoning", () => {
    expect(thinkingPolicy(history(twoTurns, 6), bound).thinking).toBe("off")
    expect(thinkingPolicy(history(twoTurns, 3), bound).thinking).toBe("free")
    expect(thinkingPolicy(history([...twoTurns, user("third")], 6), bound).thinking).toBe("free")
  })

  it("leaves out what another family signed, by the name of the model or by the format", () => {
    const other = [user("x"), signed("a", { format: "gemini" }), signed("b", { model: "gpt-5" })]
    expect(thinkingPolicy(history(other), family).dropped.map(({ why }) => why)).toEqual([
      "another family of models signed it",
      "another family of models signed it",
    ])
    const routed = [user("x"), signed("a", { model: "bedrock/anthropic.claude-opus-4" })]
    expect(thinkingPolicy(history(routed), family).dropped).toEqual([])
  })

  it("GE5: keeps the reasoning of the turn that goes on, and of no other", () => {
    const google = twoTurns.map((message) =>
      message.role === "assistant" ? { ...message, format: "gemini" } : message,
    )
    expect(thinkingPolicy(history(google), gemini).dropped).toEqual([{ message: 1, why: "its turn is over" }])
  })

  it("OC8: sends none where the format has no place for it", () => {
    const { dropped, thinking } = thinkingPolicy(history(twoTurns), chat)
    expect(dropped.map(({ message }) => message)).toEqual([1, 4])
    expect(thinking).toBe("free")
  })

  it("AN13: leaves out whole what it leaves out, and touches nothing else", () => {
    const { items } = thinkingPolicy(history(twoTurns, 6), bound)
    expect(items.map(({ message }) => message.role)).toEqual(twoTurns.map(({ role }) => role))
    expect(items[0]?.message).toBe(twoTurns[0])
    expect(items[2]?.message).toBe(twoTurns[2])
  })

  const arbitraryHistory = fc
    .array(
      fc.record({
        kind: fc.constantFrom("user", "signed", "plain", "result"),
        prefix: fc.constantFrom("kept" as const, "changed" as const),
        format: fc.constantFrom("anthropic", "gemini", "openai-responses"),
      }),
      { maxLength: 12 },
    )
    .map((all) =>
      all.map(({ kind, prefix, format }, i): Remembered => {
        if (kind === "user") return { message: user(`u${i}`), prefix }
        if (kind === "result") return { message: toolResult(`c${i}`, "r"), prefix }
        const message = signed(`c${i}`, { format })
        return {
          message: kind === "signed" ? message : { ...message, parts: message.parts.slice(1) },
          prefix,
          ...(i % 2 === 0 ? { raw: { format, text: "[]" } } : {}),
        }
      }),
    )

  it("AN11: sends signed reasoning unaltered or not at all, for any history and target", () => {
    fc.assert(
      fc.property(arbitraryHistory, fc.constantFrom(bound, family, gemini, chat), (all, target) => {
        const { items, dropped } = thinkingPolicy(all, target)
        const gone = new Set(dropped.map(({ message }) => message))
        expect(items).toHaveLength(all.length)
        items.forEach((item, i) => {
          if (gone.has(i)) {
            expect(reasoningIn([item.message])).toBe(0)
            expect(item.raw).toBeUndefined()
          } else {
            expect(item.message).toBe(all[i]?.message)
            expect(item.raw).toBe(all[i]?.raw)
          }
        })
        const again = thinkingPolicy(
          items.map((item, i) => ({ ...item, prefix: all[i]?.prefix ?? "kept" })),
          target,
        )
        expect(again.dropped).toEqual([])
      }),
      { seed: 20_261_202, numRuns: 500 },
    )
  })

  it("AN16: for a model that binds signatures, nothing signed is sent behind an edit", () => {
    fc.assert(
      fc.property(arbitraryHistory, (all) => {
        const { items } = thinkingPolicy(all, bound)
        return items.every(({ message }, i) => all[i]?.prefix === "kept" || reasoningIn([message]) === 0)
      }),
      { seed: 20_261_202, numRuns: 500 },
    )
  })
})
