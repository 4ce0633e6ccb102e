/** Of workers that want the same summary one pays, and a dead one is not waited for long. */
import { estimateCounter, messagesOf, user } from "@palimpsest/core"
import { Engine, extractiveSummariser, Leases, StoreError, Summariser, Tokens } from "@palimpsest/core/engine"
import { makeMemoryState, type StorePorts } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"

const KEY = { tenant: "t", chat: "c" }
const OPTIONS = { budget: { window: 1_500, reserve: 100, margin: 0 }, lease: 300, policy: { minGain: 0.05 } }
const words = (n: number, w: number) => Array.from({ length: n }, (_, i) => `w${w}n${i}`).join(" ")

const world = (summary = "40 millis") => {
  const asked = { times: 0 }
  const model = extractiveSummariser(estimateCounter)
  const summariser = Layer.succeed(
    Summariser,
    Summariser.of({
      ...model,
      name: "slow",
      summarise: (request) =>
        Effect.suspend(() => {
          asked.times += 1
          const fact = { kind: "fact" as const, text: "Seen.", sources: request.rows.slice(-1) }
          return Effect.delay(
            Effect.map(model.summarise(request), (delta) => ({ ...delta, add: [...delta.add, fact] })),
            summary as "40 millis",
          )
        }),
    }),
  )
  const state = makeMemoryState()
  /** A process of its own on the same chat. */
  const process = (store: Layer.Layer<StorePorts> = state.layer) =>
    Layer.fresh(
      Layer.provide(Engine.layer, Layer.mergeAll(store, summariser, Layer.succeed(Tokens, estimateCounter))),
    )
  return { asked, state, process }
}

const open = Effect.flatMap(Engine, (engine) => engine.open(KEY, OPTIONS))

const fill = Effect.gen(function* () {
  const step = yield* open
  for (let i = 0; i < 6; i++) yield* step.append([{ id: `u${i}`, message: user(words(60, i)) }])
  yield* step.end
})

const compact = Effect.gen(function* () {
  const step = yield* open
  const prompt = yield* step.compact()
  return { text: JSON.stringify(messagesOf(prompt)), degraded: prompt.degraded }
})

describe("RACE-03 workers that compact at once", () => {
  it("pay for one summary, and all send its text", async () => {
    const { asked, process } = world()
    await Effect.runPromise(Effect.provide(fill, process()))
    const workers = Array.from({ length: 6 }, () => Effect.provide(compact, process()))
    const made = await Effect.runPromise(Effect.all(workers, { concurrency: "unbounded" }))
    assert.strictEqual(asked.times, 1)
    assert.strictEqual(new Set(made.map(({ text }) => text)).size, 1)
    assert.deepStrictEqual(
      made.flatMap(({ degraded }) => degraded),
      [],
    )
  })

  it("wait for a holder that works longer than its lease, as long as it lives", async () => {
    const { asked, process } = world("900 millis")
    await Effect.runPromise(Effect.provide(fill, process()))
    const second = Effect.delay(Effect.provide(compact, process()), "50 millis")
    await Effect.runPromise(
      Effect.all([Effect.provide(compact, process()), second], { concurrency: "unbounded" }),
    )
    assert.strictEqual(asked.times, 1)
  })

  it("take over from one that died, when its lease is over", async () => {
    const { asked, process } = world("2 seconds")
    await Effect.runPromise(Effect.provide(fill, process()))
    const killed = Effect.timeoutOption(Effect.provide(compact, process()), "50 millis")
    await Effect.runPromise(killed)
    // Interruption gives a lease back; a kill does not.
    const dead = Effect.flatMap(Leases, (leases) =>
      leases.claim(KEY, { name: "summary", holder: "dead" }, OPTIONS.lease),
    )
    const { state, process: fast, asked: again } = world("1 millis")
    await Effect.runPromise(Effect.provide(fill, fast()))
    await Effect.runPromise(Effect.provide(dead, state.layer))
    const before = Date.now()
    const { degraded } = await Effect.runPromise(Effect.provide(compact, fast()))
    assert.isAtLeast(Date.now() - before, OPTIONS.lease * 0.8)
    assert.deepStrictEqual([asked.times, again.times, degraded], [1, 1, []])
  })

  it("go on without a lease when none can be had, and say so", async () => {
    const { asked, state, process } = world("1 millis")
    const down = new StoreError({ operation: "claim", reason: "down", isRetryable: true })
    const broken = Layer.merge(
      state.layer,
      Layer.succeed(Leases, Leases.of({ claim: () => Effect.fail(down), release: () => Effect.fail(down) })),
    )
    await Effect.runPromise(Effect.provide(fill, process()))
    const { degraded } = await Effect.runPromise(Effect.provide(compact, process(broken)))
    assert.strictEqual(asked.times, 1)
    assert.deepStrictEqual(
      degraded.map(({ stage }) => stage),
      ["lease"],
    )
  })
})
