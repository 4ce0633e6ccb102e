import { merge } from "@palimpsest/core"
import { deltaFor, mergeHistory, summaryOf } from "@palimpsest/core/testing"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

describe("the samples of law 13", () => {
  it("reach evictions, refusals, resolutions and withdrawals", () => {
    const reached = { evicted: 0, full: 0, foreign: 0, resolved: 0, withdrawn: 0 }
    for (const history of fc.sample(mergeHistory, { numRuns: 500, seed: 7 })) {
      const before = summaryOf(history)
      const delta = deltaFor(history.next, before)
      const { evicted, refused, summary } = merge(before, delta, history.options)
      const now = new Map(summary.items.map((item) => [item.id, item.kind]))
      if (evicted.length > 0) reached.evicted++
      if (refused.some(({ reason }) => reason === "ConstraintsFull")) reached.full++
      if (refused.some(({ reason }) => reason === "NotFromUser")) reached.foreign++
      if (before.items.some((item) => item.kind !== "resolved" && now.get(item.id) === "resolved"))
        reached.resolved++
      if (before.items.some((item) => item.kind === "constraint" && !now.has(item.id))) reached.withdrawn++
    }
    for (const [what, count] of Object.entries(reached)) assert.isAbove(count, 10, what)
  })
})
