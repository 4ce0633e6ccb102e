import { assistant, type Message, user } from "@palimpsest/core"
import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { assert, describe, it } from "vitest"
import {
  calls,
  everyCut,
  faultsOf,
  look,
  result,
  SYSTEM,
  sentRows,
  settings,
  threadOf,
  used,
  words,
} from "./Kit.ts"

const heartbeat: Message = { role: "user", synthetic: true, parts: [{ type: "text", text: "heartbeat" }] }

const chat = (turns: number, tokens: number): ReadonlyArray<Message> =>
  Array.from({ length: turns }, (_, i) => [
    user(`Question ${i} ${words(tokens)}`),
    assistant(words(tokens)),
  ]).flat()

describe("what must stay", () => {
  it("KEEP-01: results are shortened, and the newest user message is verbatim, whatever the tail holds", () => {
    const messages = [
      user("U1"),
      assistant("A"),
      user("do X"),
      calls("c1"),
      result("c1", 3_000),
      calls("c2"),
      result("c2", 3_000),
    ]
    for (const window of [1_000, 2_000, 4_000, 8_000]) {
      const { decision, prompt } = look(threadOf(messages), settings(window), { noPass: true })
      assert.isTrue(prompt.tokens.total <= decision.limits.limit, `${window}`)
      assert.deepStrictEqual(prompt.slots.find(({ row }) => row === "m3")?.message, user("do X"))
      assert.deepStrictEqual(faultsOf(prompt), [])
    }
    for (const { stays } of everyCut(messages)) assert.include(stays, "m3")
  })

  it("KEEP-04: fifty exchanges over the limit leave the system prompt as it was: first, and once", () => {
    for (const noPass of [true, false]) {
      const { prompt } = look(threadOf(chat(50, 30)), settings(2_000), { noPass })
      const wire = toOpenAiChat(
        prompt.slots.map(({ message }) => message),
        { system: prompt.system },
      )
      assert.deepStrictEqual(wire[0], { role: "system", content: SYSTEM })
      assert.lengthOf(
        wire.filter((message) => JSON.stringify(message).includes(SYSTEM)),
        1,
      )
    }
  })

  it("KEEP-05: in a budget of any size the system prompt and the newest user message are sent, or it is said why not", () => {
    const messages = [user("U1"), assistant("A1"), user("U2 is here"), assistant("A2")]
    const tags = new Set<string>()
    for (let window = 0; window <= 120; window++) {
      const { decision, prompt } = look(threadOf(messages), settings(window))
      tags.add(decision._tag)
      if (decision._tag === "CannotFit") {
        assert.isAbove(decision.needed, decision.limits.limit)
        assert.isAbove(decision.biggest.length, 0)
      } else {
        assert.strictEqual(prompt.system, SYSTEM)
        assert.include(sentRows(prompt), "m3")
        assert.isAtMost(prompt.tokens.total, decision.limits.limit)
      }
    }
    assert.includeMembers([...tags], ["CannotFit", "Truncate", "Keep"])
  })

  it("KEEP-07: what a cut covers and what it leaves are all rows, and none is both", () => {
    const messages = [user("U1"), ...[1, 2, 3, 4].flatMap((i) => used(`c${i}`, 100))]
    const all = messages.map((_, i) => `m${i + 1}`)
    const cuts = everyCut(messages)
    assert.isAbove(cuts.length, 3)
    for (const { covered, stays } of cuts)
      assert.deepStrictEqual([...covered, ...stays].toSorted(), all.toSorted())
    assert.deepInclude(
      cuts.map(({ stays }) => stays),
      ["m1", "m6", "m7", "m8", "m9"],
    )
  })

  it("KEEP-08: what a machine said in the user's place takes no place of the user's", () => {
    const messages = [
      ...chat(6, 100),
      user("The question"),
      assistant(words(600)),
      heartbeat,
      assistant(words(600)),
      heartbeat,
      assistant(words(50)),
    ]
    for (const { stays } of everyCut(messages)) assert.include(stays, "m13")
    const { prompt } = look(threadOf(messages), settings(300), { noPass: true })
    assert.deepStrictEqual(prompt.slots.find(({ row }) => row === "m13")?.message, user("The question"))
  })

  it("KEEP-09: one user message before a long chain of calls stays, with the newest calls", () => {
    const messages = [
      user("The only line"),
      ...Array.from({ length: 20 }, (_, i) => used(`c${i}`, 100)).flat(),
    ]
    for (const { stays } of everyCut(messages)) assert.includeMembers([...stays], ["m1", "m40", "m41"])
    for (const window of [300, 600, 1_200]) {
      const { prompt } = look(threadOf(messages), settings(window), { noPass: true })
      assert.includeMembers([...sentRows(prompt)], ["m1", "m40", "m41"])
      assert.deepStrictEqual(faultsOf(prompt), [])
    }
  })
})
