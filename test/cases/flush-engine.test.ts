import { FactExtractor, factsLayer, offlineFacts } from "@palimpsest/adapter-llm"
import { user } from "@palimpsest/core"
import { FactStore, type Facts, type FlushRequest } from "@palimpsest/core/engine"
import { makeMemoryState, memoryFacts } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { allRows, inputs, KEY, open, run, talk, used } from "./Kit.ts"

/** The real flush over patterns, which notes what it was asked for. */
const realFacts = (state = makeMemoryState()) => {
  const asked: Array<FlushRequest> = []
  const noting = Layer.effect(
    FactExtractor,
    Effect.map(FactExtractor, (one) => ({
      ...one,
      extract: (request: FlushRequest) =>
        Effect.suspend(() => {
          asked.push(request)
          return one.extract(request)
        }),
    })),
  ).pipe(Layer.provide(offlineFacts))
  const store = Effect.runSync(Effect.provide(FactStore, memoryFacts))
  const facts: Layer.Layer<Facts> = factsLayer().pipe(
    Layer.provide([noting, state.layer, Layer.succeed(FactStore, store)]),
  )
  return { asked, store, state, facts }
}

const idsOf = (asked: ReadonlyArray<FlushRequest>) => asked.flatMap(({ rows }) => rows.map(({ id }) => id))

describe("the flush before a summary", () => {
  it("FLUSH-01: four passes are four flushes, of ranges that do not overlap and together are what is covered", () => {
    const { asked, state, facts } = realFacts()
    return run(
      Effect.gen(function* () {
        const step = yield* open(8_000)
        for (let pass = 0; pass < 4; pass++) {
          yield* step.append(inputs(talk(9, 200), 1 + pass * 18))
          assert.lengthOf((yield* step.compact()).passes, 1)
          assert.lengthOf(asked, pass + 1)
        }
        const rows = yield* allRows()
        const covered = rows.findLast(({ kind }) => kind === "summary")?.position ?? 0
        const messages = rows.filter(({ kind, position }) => kind === "message" && position <= covered)
        assert.deepStrictEqual(
          idsOf(asked),
          messages.map(({ id }) => id),
        )
      }),
      { facts, state },
    )
  })

  it("FLUSH-02: with default settings a pass is a flush and then a summary, under one boundary", () => {
    const { asked, state, facts } = realFacts()
    return run(
      Effect.gen(function* () {
        const step = yield* open(32_000)
        yield* step.append(inputs(talk(60, 400)))
        const { passes } = yield* step.prompt
        const summaries = passes.filter(({ kind }) => kind === "summary")
        assert.lengthOf(summaries, 1)
        assert.deepStrictEqual(
          asked.map(({ boundary }) => boundary),
          summaries.map(({ mark }) => mark.id),
        )
      }),
      { facts, state },
    )
  })

  it("FLUSH-03: each way to a pass goes through the same flush: trigger, tool loop, by hand, overflow", () => {
    const { asked, store, state, facts } = realFacts()
    return run(
      Effect.gen(function* () {
        const step = yield* open(8_000, { model: "m" })
        yield* step.append(inputs([user("My name is Ana."), ...talk(22, 200)]))
        yield* step.prompt
        assert.lengthOf(asked, 1)
        yield* step.append([{ message: user("I live in Lyon.") }])
        for (let i = 0; asked.length < 2 && i < 30; i++) {
          yield* step.append(used(`c${i}`, 300).map((message) => ({ message })))
          yield* step.prompt
        }
        assert.lengthOf(asked, 2)
        yield* step.append(inputs([user("I prefer trains."), ...talk(9, 200)], 200))
        yield* step.compact()
        assert.lengthOf(asked, 3)
        yield* step.append(inputs([user("I am allergic to nuts."), ...talk(11, 200)], 300))
        yield* step.prompt
        assert.lengthOf(asked, 3)
        yield* step.overflowed
        yield* step.prompt
        assert.lengthOf(asked, 4)
        const ids = idsOf(asked)
        assert.strictEqual(new Set(ids).size, ids.length)
        const values = (yield* store.list(KEY)).map(({ value }) => value)
        assert.deepStrictEqual(values, ["Ana", "Lyon", "trains", "nuts"])
      }),
      { facts, state },
    )
  })

  it("FLUSH-04: after a pass whose size no provider has told yet nothing is flushed again", () => {
    const { asked, state, facts } = realFacts()
    return run(
      Effect.gen(function* () {
        const step = yield* open(8_000, { model: "m" })
        yield* step.append(inputs(talk(22, 200)))
        yield* step.prompt
        for (const process of [step, yield* open(8_000, { model: "m" })]) {
          const { passes } = yield* process.prompt
          assert.deepStrictEqual(passes, [])
        }
        assert.lengthOf(asked, 1)
      }),
      { facts, state },
    )
  })
})
