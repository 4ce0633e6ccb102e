import {
  emptyDelta,
  emptySummary,
  extractDelta,
  itemsTokens,
  merge,
  renderSummary,
  renderSummaryFence,
  transcript,
} from "@palimpsest/core"
import { assert, describe, it } from "vitest"
import { counter, reply, said } from "../summary/Rows.ts"
import { add, fact, options, rich, times } from "./SummaryKit.ts"

describe("MERGE", () => {
  it("MERGE-01: nothing new leaves the summary as it is, byte for byte", () => {
    const { summary } = merge(rich, emptyDelta, options())
    assert.strictEqual(renderSummaryFence(summary), renderSummaryFence(rich))
    for (const [i, item] of summary.items.entries()) assert.strictEqual(item, rich.items[i])
  })

  it("MERGE-03: a unique fact of the old summary occurs once after rounds in which it comes again", () => {
    const echoed = add(...rich.items.map(({ kind, text, sources }) => ({ kind, text, sources })))
    let summary = rich
    for (let round = 0; round < 4; round++)
      for (const chunk of [add(fact(`chunk of round ${round}`)), echoed, add(fact("another"))])
        summary = merge(summary, chunk, options()).summary
    assert.strictEqual(times(renderSummary(summary), "The port is 8080."), 1)
    assert.strictEqual(summary.items.filter((item) => item.kind === "task").length, 1)
  })

  it("MERGE-05: an echoing summariser stays under the cap, with the newest facts", () => {
    let summary = rich
    for (let round = 0; round < 5; round++) {
      const old = summary.items.map(({ kind, text, sources }) => ({ kind, text, sources }))
      const news = Array.from({ length: 60 }, (_, i) =>
        fact(`round ${round} fact ${i} ${"w ".repeat(80)}`, `r${round}`),
      )
      const merged = merge(summary, add(...old, ...news), options())
      summary = merged.summary
      const others = summary.items.filter((item) => item.kind !== "constraint")
      assert.isAtMost(itemsTokens(others, counter), 1000)
      assert.include(renderSummary(summary), `round ${round} fact 59 `)
      assert.isAbove(merged.evicted.length, 0)
    }
    assert.include(renderSummary(summary), "Ship order ord_9f3")
  })

  it("MERGE-09: thirty rounds of new facts under a cap", () => {
    let summary = emptySummary
    for (let round = 0; round < 30; round++)
      summary = merge(
        summary,
        add(...Array.from({ length: 9 }, (_, i) => fact(`fact ${round}.${i} of many`))),
        options(),
      ).summary
    assert.isAtMost(itemsTokens(summary.items, counter), 1000)
    assert.include(renderSummary(summary), "fact 29.8 of many")
    assert.notInclude(renderSummary(summary), "fact 0.0 of many")
  })

  it("MERGE-10: old items need no rows: only the new span is read", () => {
    const rows = [said("m41", "Now fix the login in src/login.ts"), reply("m42", "I'll fix src/login.ts.")]
    const parts = transcript(rows, { counter, maxTokens: 1000, perPart: 500 })
    assert.deepStrictEqual(
      parts.flatMap((part) => part.rows),
      ["m41", "m42"],
    )
    const delta = extractDelta(rows, { previous: rich, maxTokens: 500, counter })
    assert.isTrue(delta.add.every((item) => item.sources.every((id) => id === "m41" || id === "m42")))
    const { summary } = merge(rich, delta, options({ users: new Set(["m41"]) }))
    assert.include(renderSummary(summary), "The port is 8080.")
  })

  it("MERGE-11: fifty merges leave one bounded summary", () => {
    let summary = rich
    for (let round = 0; round < 50; round++)
      summary = merge(
        summary,
        add({ kind: "task", text: `task ${round}`, sources: [`u${round}`] }, fact(`fact ${round}`)),
        options({ maxTokens: 300 }),
      ).summary
    assert.isAtMost(
      itemsTokens(
        summary.items.filter((item) => item.kind !== "constraint"),
        counter,
      ),
      300,
    )
    assert.deepStrictEqual(
      summary.items.filter((item) => item.kind === "task").map((item) => item.text),
      ["task 49"],
    )
    assert.include(renderSummary(summary), "never touch the prod database")
  })
})
