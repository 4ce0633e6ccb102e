import { countMessage, defaultAccounting, safeCounter, type TokenCounter, user } from "@palimpsest/core"
import { Engine, Tokens } from "@palimpsest/core/engine"
import { memoryStore } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { open } from "../cases/Kit.ts"

const SECRET = "hunter2"

const refusing = (fail: () => number): TokenCounter => ({
  name: "refusing",
  count: (text) => (text.includes(SECRET) ? fail() : text.length),
})

const run = <A, E>(program: Effect.Effect<A, E, Engine>, counter: TokenCounter): Promise<A> => {
  const services = Layer.merge(memoryStore, Layer.succeed(Tokens, counter))
  return Effect.runPromise(Effect.provide(program, Engine.layer.pipe(Layer.provide(services))))
}

const failures: ReadonlyArray<readonly [string, () => number, string]> = [
  [
    "throws",
    () => {
      throw new RangeError(`no ${SECRET} here`)
    },
    "it threw RangeError",
  ],
  ["gives no number", () => Number.NaN, "it gave NaN"],
  ["gives less than nothing", () => -3, "it gave -3"],
]

describe("a counter that fails for a text", () => {
  it.each(failures)("%s: the text is estimated, and the next prompt tells it once", (_, fail, reason) =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000)
        const message = user(`the word is ${SECRET}`)
        yield* step.append([{ message }])
        const first = yield* step.prompt
        const told = first.degraded.filter(({ stage }) => stage === "count")
        assert.lengthOf(told, 1)
        assert.include(told[0]?.reason, reason)
        assert.include(told[0]?.reason, "the counter refusing failed for")
        assert.notInclude(JSON.stringify(told), SECRET)
        assert.strictEqual(
          first.slots[0]?.tokens,
          countMessage(message, safeCounter(refusing(fail)), defaultAccounting),
        )
        yield* step.append([{ message: user("and a plain one") }])
        assert.deepStrictEqual((yield* step.prompt).degraded, [])
      }),
      refusing(fail),
    ),
  )

  it("says nothing of a text that could be counted", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000)
        yield* step.append([{ message: user("a plain one") }])
        assert.deepStrictEqual((yield* step.prompt).degraded, [])
      }),
      refusing(() => Number.NaN),
    ))
})
