import { messagesOf, type OutboundFilter, user, WITHHELD } from "@palimpsest/core"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { outside } from "./FilterKit.ts"
import { allRows, inputs, open, run, sentTexts, talk } from "./Kit.ts"

describe("a filter that fails", () => {
  const blocks: OutboundFilter = (text) => {
    if (text.includes("TOP SECRET")) throw new Error("blocked: TOP SECRET")
    return text
  }

  it.each<[string, OutboundFilter]>([
    ["throws", blocks],
    ["gives no text", (text) => (text.includes("TOP SECRET") ? (undefined as never) : text)],
    [
      "gives a promise",
      ((text: string) => (text.includes("TOP SECRET") ? Promise.resolve(text) : text)) as never,
    ],
  ])(
    "VIS-02: what it %s on is withheld, covered by no pass, and told, and the step goes on",
    async (_, outbound) => {
      const world = outside()
      await run(
        Effect.gen(function* () {
          const step = yield* open(4_000, { outbound, policy: { tailGroups: 1 } })
          yield* step.append(inputs([user("This is TOP SECRET"), ...talk(14, 150), user("And now?")]))
          const prompt = yield* step.compact()
          assert.deepStrictEqual(prompt.passes, [])
          assert.deepStrictEqual(
            prompt.degraded.map(({ stage, reason }) => [stage, reason.includes("m1")]),
            [
              ["filter", true],
              ["filter", true],
            ],
          )
          assert.notInclude(JSON.stringify([prompt.degraded, messagesOf(prompt)]), "TOP SECRET")
          assert.strictEqual(sentTexts(prompt)[0], WITHHELD)
          assert.deepStrictEqual([world.asked, world.flushed], [[], []])
          // What was withheld is not lost: another filter lets it pass.
          yield* step.end
          const next = yield* open(4_000, { outbound: (text) => text.replace("TOP SECRET", "[secret]") })
          assert.strictEqual((yield* next.compact()).passes[0]?.kind, "summary")
          assert.notInclude(world.said(), "TOP SECRET")
        }),
        world.plugs,
      )
    },
  )

  it("VIS-02: over the limit, the view of the last resort is sent, and nothing is written", async () => {
    const world = outside()
    await run(
      Effect.gen(function* () {
        const step = yield* open(3_000, { outbound: blocks })
        yield* step.append(inputs([user("This is TOP SECRET"), ...talk(30, 150), user("And now?")]))
        const prompt = yield* step.prompt
        assert.strictEqual(prompt.decisions.at(-1)?._tag, "Truncate")
        assert.isAtMost(prompt.tokens.total, 3_000)
        assert.deepStrictEqual([world.asked, world.flushed], [[], []])
        assert.isTrue((yield* allRows()).every(({ kind }) => kind === "message" || kind === "recall"))
      }),
      world.plugs,
    )
  })

  it("VIS-02: a query that must not leave is not searched for", async () => {
    const world = outside()
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { outbound: blocks })
        yield* step.append([{ message: user("TOP SECRET?") }])
        const prompt = yield* step.prompt
        assert.deepStrictEqual(world.queries, [])
        assert.deepStrictEqual(
          prompt.degraded.map(({ stage }) => stage),
          ["recall", "filter"],
        )
      }),
      world.plugs,
    )
  })
})
