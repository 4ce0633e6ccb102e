/** The name under which counts are stored: one name, one count. */
import {
  type Accounting,
  type Counting,
  countingName,
  countMessage,
  defaultAccounting,
  estimateCounter,
  type ImageRule,
  type Message,
} from "@palimpsest/core"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const image: fc.Arbitrary<ImageRule> = fc.oneof(
  fc.record({
    kind: fc.constant("openai-tiles" as const),
    base: fc.nat(90),
    perTile: fc.nat(3),
    unknown: fc.nat(9),
  }),
  fc.record({ kind: fc.constant("anthropic-area" as const), unknown: fc.nat(9) }),
  fc.record({ kind: fc.constant("anthropic-patches" as const), most: fc.nat(1600), unknown: fc.nat(9) }),
  fc.record({ kind: fc.constant("flat" as const), unknown: fc.nat(9) }),
  fc.record({ kind: fc.constant("encoding" as const), perThousand: fc.nat(9), unknown: fc.nat(9) }),
)

const accountings: fc.Arbitrary<Accounting> = fc.oneof(
  image.map((rule) => ({ ...defaultAccounting, image: rule })),
  fc.record({
    perMessage: fc.nat(4),
    perName: fc.nat(2),
    priming: fc.nat(4),
    perCall: fc.nat(4),
    perTool: fc.nat(12),
    perFile: fc.constant(3000),
    image,
  }),
)

const counting = (accounting: Accounting, name = "a"): Counting => ({
  accounting,
  counter: { ...estimateCounter, name },
})

const message: Message = {
  role: "user",
  name: "Ann",
  parts: [
    { type: "text", text: "Look." },
    { type: "media", mediaType: "image/png", data: "aaaa", width: 800, height: 600 },
  ],
}

describe("the name of a way of counting", () => {
  it("is that of the counter when nothing else is said", () => {
    assert.strictEqual(countingName(counting({ ...defaultAccounting })), "a")
  })

  it("is another one whenever a count may be another one, and the same whatever the order of fields", () => {
    fc.assert(
      fc.property(accountings, accountings, (one, other) => {
        const count = (accounting: Accounting) => countMessage(message, estimateCounter, accounting)
        if (countingName(counting(one)) === countingName(counting(other)))
          assert.strictEqual(count(one), count(other))
        const { image: rule, ...overheads } = one
        const turned: Accounting = { image: rule, ...overheads }
        assert.strictEqual(countingName(counting(turned)), countingName(counting(one)))
        assert.notStrictEqual(countingName(counting(one, "b")), countingName(counting(one)))
      }),
      { numRuns: 300, seed: 20_261_202 },
    )
  })
})
