import { assistant, messagesOf, type ThreadKey, user } from "@palimpsest/core"
import { Engine, ThreadStore, Tokens } from "@palimpsest/core/engine"
import { memoryStore, testCounter } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { type Bench, freshKey } from "./Damage.ts"

/** A process of its own: a fresh engine over the store that is there. */
const process = Layer.fresh(Engine.layer).pipe(Layer.provide(Layer.succeed(Tokens, testCounter)))

const opened = Effect.fnUntraced(function* (key: ThreadKey) {
  const engine = yield* Engine
  return yield* engine.open(key, { model: "m", system: "Be kind.", budget: { window: 20_000 } })
})

/** Asks twice, is answered with usage of a half more each time, and ends; the same again after a cut if wanted. */
export const countedStep = Effect.fnUntraced(
  function* (key: ThreadKey, from: number) {
    const step = yield* opened(key)
    for (const i of [from, from + 1]) {
      yield* step.append([{ id: `u${i}`, message: user(`${i} ${"word ".repeat(1_000)}`) }])
      const { tokens } = yield* step.prompt
      const usage = {
        input_tokens: 10,
        cache_read_input_tokens: Math.round(1.5 * tokens.total),
        output_tokens: 3,
      }
      yield* step.append([{ id: `a${i}`, message: assistant("done"), usage }])
    }
    yield* step.end
  },
  (step) => Effect.provide(step, process),
)

/** What a new process would send, and how it counts. */
export const nextPrompt = Effect.fnUntraced(
  function* (key: ThreadKey) {
    const step = yield* opened(key)
    yield* step.append([{ id: "next", message: user("Next") }])
    const prompt = yield* step.prompt
    return { messages: messagesOf(prompt), calibration: prompt.calibration, decisions: prompt.decisions }
  },
  (step) => Effect.provide(step, process),
)

const cut = Effect.fnUntraced(
  function* (key: ThreadKey) {
    const step = yield* opened(key)
    yield* step.reset
  },
  (step) => Effect.provide(step, process),
)

const story = Effect.fnUntraced(function* (key: ThreadKey) {
  yield* countedStep(key, 1)
  const before = yield* nextPrompt(key)
  yield* cut(key)
  const after = yield* nextPrompt(key)
  yield* countedStep(key, 3)
  return { before, after, again: yield* nextPrompt(key) }
})

export const readingsSuite = (bench: Bench) =>
  describe("readings", () => {
    it("TOK-14 a new process counts as the one before it, and a cut makes what was read void", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const key = freshKey()
          const stored = yield* story(key)
          assert.approximately(stored.before.calibration.factor, 1.5, 0.02)
          assert.strictEqual(stored.before.calibration.readings, 2)
          assert.deepStrictEqual(stored.after.calibration, { factor: 1, readings: 0, ceiling: null })
          assert.strictEqual(stored.again.calibration.readings, 2)
          assert.deepStrictEqual(stored, yield* Effect.provide(story(key), memoryStore))
          const rows = (yield* (yield* ThreadStore).page(key, 0, 99)).rows
          const read = rows.flatMap((row) => (row.kind === "message" && row.usage ? [row.id] : []))
          assert.deepStrictEqual(read, ["a1", "a2", "a3", "a4"])
        }),
      ))
  })
