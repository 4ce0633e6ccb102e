/** The flush gates the summary: tried again, put off, and told, also where the window cannot wait. */
import { assistant, user } from "@palimpsest/core"
import { Facts, FlushError, type FlushRequest, type Step, type StepPrompt } from "@palimpsest/core/engine"
import { makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { allRows, inputs, open, run, sentTexts, talk } from "../cases/Kit.ts"

interface Shelf {
  /** What the next flushes do; a flush beyond them succeeds. */
  readonly troubles: Array<Effect.Effect<never, FlushError>>
  readonly asked: Array<FlushRequest>
}

const failing = (isRetryable: boolean, reason = "down") =>
  Effect.fail(new FlushError({ boundary: "b", reason, isRetryable }))

const shelfOf = (...troubles: ReadonlyArray<Effect.Effect<never, FlushError>>): Shelf => ({
  troubles: [...troubles],
  asked: [],
})

const layerOf = ({ troubles, asked }: Shelf): Layer.Layer<Facts> =>
  Layer.succeed(Facts, {
    flush: (request) =>
      Effect.suspend(() => {
        asked.push(request)
        return troubles.shift() ?? Effect.succeed(3)
      }),
  })

/** A prompt, while time passes as fast as it likes. */
const inTime = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (let i = 0; i < 400; i++) {
      yield* TestClock.adjust("500 millis")
      for (let turn = 0; turn < 5; turn++) yield* Effect.yieldNow
    }
    return yield* Fiber.join(fiber)
  })

const grown = (from: number, turns: number) => inputs(talk(turns, 200), from)

const summariesOf = Effect.map(allRows(), (rows) => rows.filter(({ kind }) => kind === "summary"))

const at = (shelf: Shelf, program: (step: Step) => Effect.Effect<void, unknown>, window = 4_000) =>
  run(
    Effect.gen(function* () {
      const step = yield* open(window)
      yield* step.append(grown(1, 12))
      yield* program(step)
    }).pipe(Effect.provide(TestClock.layer())),
    { facts: layerOf(shelf), state: makeMemoryState() },
  )

const stages = ({ degraded }: StepPrompt) => degraded.map(({ stage, instead }) => `${stage}: ${instead}`)

const UNCHANGED = "flush: the thread and the window stay as they were"
const AGAIN = "flush: it was tried again"
const VIEW = "flush: a truncated view: what it leaves out stays in the thread"

describe("a flush that fails", () => {
  it("is tried again under the same boundary, and told; the summary follows", () => {
    const shelf = shelfOf(failing(true), failing(true))
    return at(shelf, (step) =>
      Effect.gen(function* () {
        const prompt = yield* inTime(step.prompt)
        assert.deepStrictEqual(stages(prompt), [AGAIN, AGAIN])
        assert.deepStrictEqual([prompt.passes.length, prompt.passes[0]?.facts], [1, 3])
        assert.lengthOf(shelf.asked, 3)
        assert.deepStrictEqual(
          new Set(shelf.asked.map(({ boundary }) => boundary)),
          new Set([prompt.passes[0]?.mark.id]),
        )
      }),
    )
  })

  it("is tried three times, and then the pass is put off until the window has grown", () => {
    const shelf = shelfOf(failing(true), failing(true), failing(true))
    return run(
      Effect.gen(function* () {
        const step = yield* open(8_000)
        yield* step.append(grown(1, 20))
        const prompt = yield* inTime(step.prompt)
        assert.deepStrictEqual(stages(prompt), [AGAIN, AGAIN, UNCHANGED])
        assert.deepStrictEqual(prompt.passes, [])
        assert.lengthOf(yield* summariesOf, 0)
        const next = yield* inTime(step.prompt)
        assert.strictEqual(next.decisions.at(-1)?._tag, "Hold")
        assert.lengthOf(shelf.asked, 3)
        yield* step.append(grown(41, 5))
        const later = yield* inTime(step.prompt)
        assert.lengthOf(later.passes, 1)
        assert.lengthOf(shelf.asked, 4)
      }).pipe(Effect.provide(TestClock.layer())),
      { facts: layerOf(shelf) },
    )
  })

  it.each([
    ["one that cannot be helped", failing(false, "no key")],
    ["one that dies", Effect.die(new Error("secret words"))],
    ["one that never answers", Effect.never],
  ])("is not tried again: %s", (_, trouble) => {
    const shelf = shelfOf(trouble)
    return at(shelf, (step) =>
      Effect.gen(function* () {
        const prompt = yield* inTime(step.prompt)
        assert.lengthOf(shelf.asked, 1)
        assert.include(stages(prompt), UNCHANGED)
        assert.notInclude(JSON.stringify(prompt), "secret words")
      }),
    )
  })

  it("is bounded in time, whatever the host allows in tries", () => {
    const shelf = shelfOf(...Array.from({ length: 50 }, () => failing(true)))
    return run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { flush: { tries: 40, pause: 1_000, timeout: 10_000 } })
        yield* step.append(grown(1, 12))
        yield* inTime(step.prompt)
        // At 0, 1, 3 and 7 seconds.
        assert.lengthOf(shelf.asked, 4)
      }).pipe(Effect.provide(TestClock.layer())),
      { facts: layerOf(shelf) },
    )
  })

  it("with no room left the step gets a view, and each says for whose failure, until the pass is done", () => {
    const shelf = shelfOf(failing(false))
    return run(
      Effect.gen(function* () {
        const step = yield* open(2_000)
        yield* step.append(grown(1, 12))
        const rows = (yield* allRows()).length
        const first = yield* step.prompt
        assert.strictEqual(first.decisions.at(-1)?._tag, "Truncate")
        assert.deepStrictEqual(stages(first), [UNCHANGED, VIEW])
        assert.isAtMost(first.tokens.total, first.decisions[0]?.limits.limit ?? 0)
        yield* step.append([{ message: user("And now?") }])
        const again = yield* step.prompt
        assert.deepStrictEqual(stages(again), [VIEW])
        assert.strictEqual(sentTexts(again).at(-1), "And now?")
        assert.strictEqual(rows, 0)
        const other = yield* open(2_000)
        assert.deepStrictEqual(stages(yield* other.prompt), [VIEW])
        yield* step.append([{ message: assistant(`Now ${"more ".repeat(1_500)}`) }, { message: user("So?") }])
        const last = yield* step.prompt
        assert.lengthOf(
          last.passes.filter(({ kind }) => kind === "summary"),
          1,
        )
        assert.deepStrictEqual(stages(last), [])
        assert.lengthOf(shelf.asked, 2)
      }),
      { facts: layerOf(shelf) },
    )
  })
})

describe("times of a flush", () => {
  it.each([
    [{ tries: 0 }, "flush.tries"],
    [{ tries: Number.NaN }, "flush.tries"],
    [{ pause: 0 }, "flush.pause"],
    [{ timeout: Number.POSITIVE_INFINITY }, "flush.timeout"],
  ])("%j is refused by name", (flush, field) =>
    run(
      Effect.gen(function* () {
        const error = yield* Effect.flip(open(2_000, { flush }))
        assert.include(error.message, field)
      }),
    ),
  )
})
