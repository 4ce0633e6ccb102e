import { type Decision, user } from "@palimpsest/core"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { look, settings, threadOf, used, words } from "./Kit.ts"

/** What is decided when only one old result can be made shorter, in a window of 30,000 tokens that is due. */
const decided = (clearable: number, minGain: number): Decision =>
  look(
    threadOf([user("Go"), ...used("c1", clearable), user(words(30_000 - clearable, "now"))]),
    settings(60_000, {
      minGain,
      trigger: { fraction: 1, tokens: 20_000 },
      target: 1,
      tailGroups: 0,
      head: { tokens: 0, fraction: 0 },
    }),
  ).decision

describe("clearing and its price", () => {
  it("CACHE-02: what frees less than the least gain is not cleared, and the decision names both numbers", () => {
    const decision = decided(500, 0.2)
    assert.strictEqual(decision._tag, "Hold")
    if (decision._tag !== "Hold" || decision.why._tag !== "TooLittle") return assert.fail(decision._tag)
    assert.isAtMost(decision.why.gain, 500)
    assert.isAtLeast(decision.why.least, 5_000)
  })

  it("CACHE-02: for any size and any least gain, a prune frees at least that", () => {
    const tags = new Set<string>()
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 15_000 }),
        fc.constantFrom(0.02, 0.1, 0.2, 0.5),
        (size, minGain) => {
          const decision = decided(size, minGain)
          tags.add(decision._tag)
          if (decision._tag === "Prune") assert.isAtLeast(decision.gain, minGain * 29_000)
          // A result of this size frees all of it but the line that stands for it.
          else assert.isBelow(size, minGain * 30_200 + 150)
        },
      ),
      { numRuns: 60, seed: 20_261_202 },
    )
    assert.deepStrictEqual([...tags].toSorted(), ["Hold", "Prune"])
  })
})
