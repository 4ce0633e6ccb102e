import { assistant, type Message, toolResult, transcript, user } from "@palimpsest/core"
import { toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { rowsOf, testCounter } from "@palimpsest/core/testing"
import { assert, describe, it } from "vitest"
import {
  awaiting,
  calls,
  everyCut,
  faultsOf,
  look,
  result,
  sentRows,
  settings,
  threadOf,
  used,
  words,
} from "./Kit.ts"

/** Each set of rows stands whole on one side of every cut, and there is a cut on each side of it. */
const neverParts = (messages: ReadonlyArray<Message>, ...units: ReadonlyArray<ReadonlyArray<string>>) => {
  const cuts = everyCut(messages)
  assert.isAbove(cuts.length, 0)
  for (const { covered } of cuts)
    for (const unit of units) {
      const inside = unit.filter((id) => covered.includes(id))
      assert.isTrue(inside.length === 0 || inside.length === unit.length, `${unit} parted: ${covered}`)
    }
  for (const unit of units) {
    assert.isTrue(
      cuts.some(({ stays }) => unit.every((id) => stays.includes(id))),
      `${unit} never stays`,
    )
    assert.isTrue(
      cuts.some(({ covered }) => unit.every((id) => covered.includes(id))),
      `${unit} is never covered`,
    )
  }
}

const ids = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, i) => `m${from + i}`)

describe("calls and their results", () => {
  it("PAIR-01: a call that was never answered is closed, and what the user said stays last", () => {
    const { prompt } = look(threadOf([user("Fix it"), calls("c1"), user("hello?")]), settings(8_000))
    assert.deepStrictEqual(
      prompt.slots.map((slot) => slot.row),
      ["m1", "m2", null, "m3"],
    )
    assert.deepStrictEqual(prompt.slots.at(-1)?.message, user("hello?"))
    assert.deepStrictEqual(faultsOf(prompt), [])
    assert.deepStrictEqual(
      prompt.repairs.map(({ kind, row }) => [kind, row]),
      [["closed", "m2"]],
    )
  })

  it("PAIR-02: a tail of any size never begins with a result", () => {
    const messages = [
      user("Go"),
      ...used("c1", 900),
      ...used("c2", 900),
      ...used("c3", 900),
      assistant("done"),
      user("next"),
    ]
    neverParts(messages, ["m2", "m3"], ["m4", "m5"], ["m6", "m7"])
  })

  it("PAIR-03: when the newest message is a result, its call stays with it after the summary", () => {
    const old = Array.from({ length: 8 }, (_, i) => used(`c${i}`, 700)).flat()
    const messages = [user("Go"), ...old, ...used("c9", 700)]
    for (const { stays } of everyCut(messages)) assert.includeMembers([...stays], ["m18", "m19"])
  })

  it("PAIR-05: parallel calls and their results are one unit, however unlike their sizes", () => {
    const messages = [
      user("Go"),
      calls("c1", "c2"),
      result("c1", 2_500),
      result("c2", 200),
      assistant("done"),
      user("next"),
      assistant("ok"),
    ]
    neverParts(messages, ["m2", "m3", "m4"])
  })

  it("PAIR-06: the call of a result is found at any distance", () => {
    const many = Array.from({ length: 12 }, (_, i) => `c${i}`)
    const messages = [
      user("Go"),
      calls(...many),
      ...many.map((id) => result(id, 150)),
      user("U2"),
      assistant(words(300)),
      user("U3"),
    ]
    neverParts(messages, ids(2, 14))
  })

  it("PAIR-07: a cut lands before a batch of ten or behind it", () => {
    const ten = Array.from({ length: 10 }, (_, i) => `c${i}`)
    const messages = [
      user("Go"),
      calls(...ten),
      ...ten.map((id) => result(id, 200)),
      assistant("done"),
      user("more"),
    ]
    neverParts(messages, ids(2, 12))
  })

  it("PAIR-08: a truncated view holds a batch whole or not at all", () => {
    const messages = [
      user("Go"),
      calls("c1", "c2"),
      result("c1", 300),
      result("c2", 300),
      user("Next"),
      assistant("A"),
    ]
    const seen = new Set<number>()
    for (let window = 100; window < 1_200; window += 20) {
      const { decision, prompt } = look(threadOf(messages), settings(window), { noPass: true })
      if (decision._tag === "CannotFit") continue
      const rows = sentRows(prompt)
      seen.add(["m2", "m3", "m4"].filter((id) => rows.includes(id)).length)
      assert.deepStrictEqual(faultsOf(prompt), [])
    }
    assert.deepStrictEqual([...seen].toSorted(), [0, 3])
  })

  it("PAIR-08: the pre-pass shortens a result and takes no part away", () => {
    const messages = [
      user("Go"),
      calls("c1", "c2"),
      result("c1", 900),
      result("c2", 10),
      ...used("c3", 2_000),
    ]
    const { decision } = look(threadOf(messages), settings(4_000, { tailGroups: 0 }))
    assert.strictEqual(decision._tag, "Prune")
    assert.deepStrictEqual(
      decision._tag === "Prune" && decision.reductions.map((reduction) => reduction.row),
      ["m3"],
    )
  })

  it("PAIR-13: the calls of one response are one message, and one row of the summariser's text", () => {
    const messages = [user("Go"), calls("c1", "c2"), result("c1", 1), result("c2", 1)]
    const { prompt } = look(threadOf(messages), settings(8_000))
    assert.deepStrictEqual(
      prompt.slots.map(({ message }) => message.role),
      ["user", "assistant", "tool", "tool"],
    )
    const [part] = transcript(rowsOf(messages), { counter: testCounter, maxTokens: 1_000, perPart: 500 })
    assert.lengthOf(part?.text.match(/^\[row /gm) ?? [], 4)
  })

  it("PAIR-14: neither a cut nor a view begins with a result", () => {
    const messages = [user("Go"), ...used("c1", 600), user("Next"), assistant(words(200)), user("Last")]
    neverParts(messages, ["m2", "m3"])
    for (let window = 100; window < 1_300; window += 20) {
      const { prompt } = look(threadOf(messages), settings(window), { noPass: true })
      assert.notStrictEqual(prompt.slots[0]?.message.role, "tool")
    }
  })

  it("PAIR-15: a denial is the result of its call, and goes where the call goes", () => {
    const denied = toolResult("c1", "the user said no", { status: "denied" })
    const messages = [user("Go"), awaiting("c1"), user("No"), denied, assistant(words(900)), user("Next")]
    const { prompt } = look(threadOf(messages), settings(8_000))
    assert.deepStrictEqual(sentRows(prompt), ["m1", "m2", "m4", "m3", "m5", "m6"])
    assert.deepStrictEqual(faultsOf(prompt), [])
    for (const { covered } of everyCut(messages))
      assert.strictEqual(covered.includes("m2"), covered.includes("m4"))
  })

  it.each([
    ["a result first", [result("c1", 1), user("Go")]],
    ["a result twice", [user("Go"), ...used("c1", 1), result("c1", 2)]],
    ["a call and no result", [user("Go"), calls("c1"), user("Next")]],
    ["a late result", [user("Go"), calls("c1"), user("wait"), result("c1", 1)]],
    ["half a batch", [user("Go"), calls("c1", "c2"), result("c2", 1), user("Next")]],
  ])("PAIR-17: the check of the wire finds %s, and finds none in what is laid out", (_, messages) => {
    assert.isAbove(validateOpenAiChat(toOpenAiChat(messages)).length, 0)
    assert.deepStrictEqual(faultsOf(look(threadOf(messages), settings(8_000)).prompt), [])
  })

  it("PAIR-18: what a provider ran by itself stays in its message, call and result", () => {
    const served: Message = {
      role: "assistant",
      parts: [
        { type: "opaque", format: "anthropic", json: '{"type":"server_tool_use","id":"s1"}' },
        {
          type: "opaque",
          format: "anthropic",
          json: JSON.stringify({ type: "web_search_tool_result", tool_use_id: "s1", content: words(300) }),
        },
        { type: "text", text: "Found it." },
      ],
    }
    const messages = [user("Go"), served, ...used("c1", 2_200), user("Next"), ...used("c2", 100)]
    for (const window of [2_000, 3_000, 4_000, 6_000]) {
      const { prompt } = look(threadOf(messages), settings(window), { noPass: true })
      const sent = prompt.slots.find((slot) => slot.row === "m2")
      if (sent !== undefined) assert.deepStrictEqual(sent.message, served)
    }
    neverParts(messages, ["m2"])
    const { decision } = look(threadOf([...messages, ...used("c3", 900)]), settings(6_000, { tailGroups: 0 }))
    assert.deepStrictEqual(decision._tag === "Prune" && decision.reductions.map(({ row }) => row), [
      "m4",
      "m7",
    ])
  })
})
