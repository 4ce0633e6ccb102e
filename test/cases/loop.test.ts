import { advance, assistant, makeBudget, user } from "@palimpsest/core"
import { rowsOf } from "@palimpsest/core/testing"
import { assert, describe, it } from "vitest"
import { everyCut, look, settings, summaryRow, threadOf, used, words } from "./Kit.ts"

const talk = (turns: number, tokens: number) =>
  Array.from({ length: turns }, (_, i) => [user(`Question ${i}`), assistant(words(tokens))]).flat()

describe("passes that are not taken", () => {
  it("LOOP-03: when no result is left to shorten, the summary is next", () => {
    const { decision } = look(threadOf([...talk(20, 150), user("Next")]), settings(4_000))
    assert.strictEqual(decision._tag, "Summarize")
  })

  it("LOOP-03: a pre-pass that frees too little does not stand in for the summary", () => {
    const messages = [...used("c1", 200), ...talk(20, 150), user("Next")]
    const { decision } = look(threadOf([user("Go"), ...messages]), settings(4_000))
    assert.strictEqual(decision._tag, "Summarize")
  })

  it.each([
    ["the system prompt", words(43_000), user("Go")],
    ["the newest user message", "Be kind.", user(words(43_000))],
  ])("LOOP-04: what can never fit is told before anything is tried: %s", (part, system, message) => {
    const messages = [...talk(20, 500), message]
    const { decision } = look(threadOf(messages, system), settings(41_000))
    assert.strictEqual(decision._tag, "CannotFit")
    if (decision._tag !== "CannotFit") return
    assert.include(`the ${decision.biggest[0]?.part}`, part)
    assert.isAbove(decision.needed, decision.limits.limit)
  })

  it("LOOP-05: after two weak passes it waits, and is tried again once the prompt has grown", () => {
    const grown = (tokens: number, weak: number) => {
      const rows = rowsOf([user("Go"), assistant("A"), user("More"), ...talk(tokens / 500, 493)])
      const [first, ...rest] = rows
      if (first === undefined) throw new Error("no row")
      const cut = summaryRow(first, { weak, after: 50_000, before: 55_000 })
      const thread = [first, cut, ...rest].reduce(advance, threadOf([]))
      return look(thread, settings(80_000)).decision
    }
    const waiting = grown(50_500, 2)
    assert.deepInclude(waiting, { _tag: "Hold" })
    assert.deepInclude(waiting._tag === "Hold" && waiting.why, { _tag: "Weak", passes: 2, until: 60_000 })
    assert.strictEqual(grown(50_500, 0)._tag, "Summarize")
    assert.strictEqual(grown(62_000, 2)._tag, "Summarize")
  })

  it("LOOP-09: a gain is judged by the history alone, not beside a large system prompt", () => {
    const messages = [user("Go"), ...talk(4, 4_000), user("Next")]
    const { decision } = look(threadOf(messages, words(30_000)), settings(72_000, { minGain: 0.9 }))
    assert.strictEqual(decision._tag, "Hold")
    if (decision._tag !== "Hold" || decision.why._tag !== "TooLittle") return assert.fail("it does not hold")
    const { total, system } = decision.parts
    assert.isAbove(system, 30_000)
    assert.strictEqual(decision.why.least, Math.ceil(0.9 * (total - system)))
  })

  it.each([false, true])(
    "LOOP-11: a small middle before a large tail is not summarised; asked for: %s",
    (manual) => {
      const policy = { tail: { tokens: 20_500, fraction: 1 }, summary: { tokens: 900, fraction: 1 } }
      const messages = [user("U1"), ...talk(3, 100), user("U2"), assistant(words(20_000))]
      const { decision } = look(threadOf(messages), settings(40_500, { ...policy, target: 1 }), { manual })
      if (manual) assert.strictEqual(decision._tag, "Hold")
      assert.include(["Hold", "Keep"], decision._tag)
      if (decision._tag === "Hold") assert.deepInclude(decision.why, { _tag: "TooLittle", gain: 0 })
    },
  )

  it("LOOP-12: what is injected is in the budget, and is named when it is what does not fit", () => {
    const options = { ...settings(200_000), budget: makeBudget({ window: 200_000, tools: 160_000 }) }
    const { decision } = look(threadOf([user("Go"), assistant("A"), user(words(30_000))]), options)
    assert.strictEqual(decision._tag, "CannotFit")
    assert.deepStrictEqual(decision._tag === "CannotFit" && decision.biggest[0], {
      part: "tools",
      tokens: 160_000,
    })
  })

  it("LOOP-13: the tail is chosen by its tokens: large messages do not stay for their number", () => {
    const small = Array.from({ length: 4 }, (_, i) => [
      user(`Q${i} ${words(40)}`),
      assistant(words(40)),
    ]).flat()
    const messages = [...small, ...used("c1", 30_000), ...used("c2", 30_000), user("Next")]
    const { decision } = look(threadOf(messages), settings(128_000), { manual: true })
    assert.strictEqual(decision._tag, "Summarize")
    if (decision._tag !== "Summarize") return
    assert.includeMembers([...decision.span], ["m9", "m10", "m11", "m12"])
    for (const { stays } of everyCut(messages)) if (stays.includes("m10")) assert.include(stays, "m12")
  })
})
