import { assistant, user } from "@palimpsest/core"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Result } from "effect"
import { assert, describe, it } from "vitest"
import { honest, inputs, open, run, sentTexts, summariserOf, talk, used, words } from "../cases/Kit.ts"

const usageOf = (tokens: number) => ({ input_tokens: tokens, output_tokens: 9 })

describe("a prompt that the provider refused as too long", () => {
  it("raises the factor to what it proves, and the next prompt stays below it", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000, { model: "m" })
        yield* step.append(inputs([user("Go"), ...used("c1", 3_000), ...used("c2", 3_000)]))
        const first = yield* step.prompt
        const refused = first.tokens.total
        yield* step.overflowed
        const second = yield* step.prompt
        assert.strictEqual(second.calibration.ceiling, refused)
        assert.strictEqual(second.calibration.readings, 1)
        const proven = Math.min(2.5, Math.max(20_000, refused) / refused)
        assert.approximately(second.calibration.factor, proven, 0.005)
        assert.isBelow(second.tokens.total, refused)
        assert.isBelow(second.decisions.at(-1)?.limits.limit ?? refused, refused)
      }),
    ))

  it("leads to one pass, after which the window is another one", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(40_000, { model: "m" })
        yield* step.append(inputs([...talk(14, 990), user("Next")]))
        const first = yield* step.prompt
        assert.lengthOf(first.passes, 0)
        yield* step.overflowed
        const second = yield* step.prompt
        assert.strictEqual(second.passes[0]?.kind, "summary")
        assert.isBelow(second.tokens.total, first.tokens.total)
        assert.deepStrictEqual(second.calibration, { factor: 1, readings: 0, ceiling: null })
        yield* step.append([{ id: "a", message: assistant("done"), usage: usageOf(2 * second.tokens.total) }])
        yield* step.append([{ id: "b", message: user("More") }])
        const third = yield* step.prompt
        assert.lengthOf(third.passes, 0)
        assert.strictEqual(third.calibration.factor, 2)
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 1)
  })

  it("may be refused again: each time the ceiling is lower", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000, { policy: { onFailure: "hold" } })
        yield* step.append(inputs([...talk(9, 700), user("Next")]))
        const sizes: Array<number> = []
        for (let i = 0; i < 4; i++) {
          const made = yield* Effect.result(step.prompt)
          if (Result.isFailure(made)) return assert.fail(made.failure.message)
          sizes.push(made.success.tokens.total)
          yield* step.overflowed
        }
        assert.deepStrictEqual(
          sizes,
          sizes.toSorted((a, b) => b - a),
        )
        assert.strictEqual(new Set(sizes).size, sizes.length)
      }),
    ))

  it("that can be no smaller is a typed error, and no summariser is asked", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(20_000)
        yield* step.append(inputs([user(words(9_000))]))
        yield* step.prompt
        yield* step.overflowed
        for (let i = 0; i < 3; i++) {
          const made = yield* Effect.result(step.prompt)
          if (Result.isSuccess(made)) return assert.fail("it was sent again")
          assert.strictEqual(made.failure._tag, "CannotFitError")
        }
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 0)
  })

  it("changes nothing when no prompt is waiting for an answer", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000, { model: "m" })
        yield* step.overflowed
        yield* step.append(inputs([user(words(2_000))]))
        const first = yield* step.prompt
        yield* step.append([{ message: assistant("done") }])
        yield* step.overflowed
        const second = yield* step.prompt
        assert.deepStrictEqual(first.calibration, { factor: 1, readings: 0, ceiling: null })
        assert.deepStrictEqual(second.calibration, first.calibration)
      }),
    ))

  it("is no prompt that an answer belongs to", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(20_000, { model: "m" })
        yield* step.append(inputs([user("Go"), ...used("c1", 2_000)]))
        yield* step.prompt
        yield* step.overflowed
        yield* step.append([{ message: assistant("late"), usage: usageOf(900) }])
        const { degraded, calibration } = yield* step.prompt
        assert.include(degraded.map(({ reason }) => reason).join(), "no prompt of this step")
        assert.strictEqual(calibration.readings, 1)
      }),
    ))

  it("is kept by no row: the next process is told by the pass, or by a refusal of its own", async () => {
    const state = makeMemoryState()
    const sent = await run(
      Effect.gen(function* () {
        const step = yield* open(20_000, { model: "m" })
        yield* step.append(inputs([...talk(6, 900), user("Next")]))
        yield* step.prompt
        yield* step.overflowed
        const prompt = yield* step.prompt
        yield* step.end
        return prompt
      }),
      { state },
    )
    assert.strictEqual(sent.passes[0]?.kind, "summary")
    const next = await run(
      Effect.gen(function* () {
        return yield* (yield* open(20_000, { model: "m" })).prompt
      }),
      { state },
    )
    assert.deepStrictEqual(sentTexts(next), sentTexts(sent))
  })
})
