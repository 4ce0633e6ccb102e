/**
 * A database that goes away in the middle of a step, at each of its calls: the step gets its prompts, says what it
 * could not write, and writes it when the database is back. Nothing is lost, nothing doubled.
 */
import { assistant, messagesOf, type Row, toolResult, user } from "@palimpsest/core"
import { Engine, LongTermMemory, type Step, StoreError, ThreadStore, Tokens } from "@palimpsest/core/engine"
import { makeMemoryState, testCounter } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"

const key = { tenant: "t", chat: "c" }
const OPTIONS = { system: "Be kind.", budget: { window: 3_000, reserve: 300 } }

/** A database that is away from one of its calls on, until it is back. The call at which it goes may still be done. */
interface Outage {
  calls: number
  readonly from: number
  readonly side: "before" | "after"
  isBack: boolean
}

const away = (operation: string) =>
  Effect.fail(new StoreError({ operation, reason: "the connection broke", isRetryable: true }))

const during = (outage: Outage, store: ThreadStore["Service"]): ThreadStore["Service"] => {
  const over =
    <Given extends ReadonlyArray<unknown>, A, E>(
      operation: string,
      run: (...given: Given) => Effect.Effect<A, E>,
    ) =>
    (...given: Given): Effect.Effect<A, E | StoreError> =>
      Effect.suspend((): Effect.Effect<A, E | StoreError> => {
        outage.calls += 1
        if (outage.isBack || outage.calls < outage.from) return run(...given)
        const isLast = outage.calls === outage.from && outage.side === "after"
        return isLast ? Effect.andThen(run(...given), away(operation)) : away(operation)
      })
  return ThreadStore.of({
    ...store,
    open: over("open", store.open),
    load: over("load", store.load),
    append: over("append", store.append),
    mark: over("mark", store.mark),
    fail: over("fail", store.fail),
    row: over("row", store.row),
    draft: over("draft", store.draft),
    saveDraft: over("saveDraft", store.saveDraft),
  })
}

const words = (count: number, of: number): string =>
  Array.from({ length: count }, (_, i) => `word${of}x${i}`).join(" ")

const asked = (i: number) => ({ id: `u${i}`, message: user(`Question ${i}? ${words(30, i)}`) })

const said = (i: number) => [
  { id: `a${i}`, message: assistant("", [{ id: `c${i}`, name: "look", arguments: "{}" }]) },
  { id: `r${i}`, message: toolResult(`c${i}`, words(120, i)) },
]

const memory = LongTermMemory.of({
  retrieve: () => Effect.succeed({ memories: [{ id: "old", text: "They like tea.", origin: "chat 3" }] }),
})

/** A prompt with the newest question in it, word for word; and whether it told of the store. */
const promptOf = Effect.fnUntraced(function* (step: Step, newest: number) {
  const prompt = yield* step.prompt
  const texts = JSON.stringify(messagesOf(prompt))
  assert.include(texts, words(30, newest))
  assert.isAtMost(prompt.tokens.total, OPTIONS.budget.window - OPTIONS.budget.reserve)
  return prompt.degraded.map(({ reason }) => reason)
})

const inStep = <A, E>(store: ThreadStore["Service"], run: (step: Step) => Effect.Effect<A, E>) =>
  Effect.flatMap(Engine, (engine) => Effect.flatMap(engine.open(key, OPTIONS), run)).pipe(
    Effect.provide(Layer.fresh(Engine.layer)),
    Effect.provide([
      Layer.succeed(ThreadStore, store),
      Layer.succeed(Tokens, testCounter),
      Layer.succeed(LongTermMemory, memory),
    ]),
  )

/** What was appended before the step: close to a pass. */
const before = (step: Step) =>
  Effect.gen(function* () {
    for (let i = 0; i < 6; i++) yield* step.append([asked(i), ...said(i)])
    yield* step.end
  })

/** One long step over an outage: prompts all along, a checkpoint in the middle, the end until it goes well. */
const longStep = (outage: Outage) => (step: Step) =>
  Effect.gen(function* () {
    const told: Array<string> = []
    const unsaved: Array<boolean> = []
    for (let i = 6; i < 11; i++) {
      yield* step.append([asked(i)])
      told.push(...(yield* promptOf(step, i)))
      yield* step.append(said(i))
      told.push(...(yield* promptOf(step, i)))
      if (i % 2 === 1) {
        const saved = yield* Effect.result(step.checkpoint)
        unsaved.push(saved._tag === "Failure")
        if (saved._tag === "Failure") assert.strictEqual(saved.failure._tag, "StoreError")
      }
    }
    const first = yield* Effect.result(step.end)
    outage.isBack = true
    yield* step.end
    const again = yield* promptOf(step, 10)
    yield* step.end
    return { told, again, unsaved, failedAtEnd: first._tag === "Failure" }
  })

const rowsOf = (store: ThreadStore["Service"]) => Effect.map(store.page(key, 0, 1_000), ({ rows }) => rows)

/** Messages without the times at which they came: no two runs are of the same time. */
const kept = (rows: ReadonlyArray<Row>) =>
  rows.flatMap((row) => (row.kind === "message" ? [{ ...row, at: null }] : []))

const play = (from: number, side: Outage["side"]) =>
  Effect.gen(function* () {
    const outage: Outage = { calls: 0, from, side, isBack: false }
    const store = yield* Effect.provide(ThreadStore, makeMemoryState().layer)
    yield* inStep(store, before)
    const told = yield* inStep(during(outage, store), longStep(outage))
    const next = yield* inStep(store, (step) => Effect.andThen(step.append([asked(11)]), promptOf(step, 11)))
    return { ...told, next, calls: outage.calls, rows: yield* rowsOf(store) }
  })

/** Calls by which a step is opened: without them there is no window. */
const OPENING = 2

describe("a database that goes away in the middle of a step", () => {
  it("loses nothing and doubles nothing, whichever call is the first that fails", async () => {
    const twin = await Effect.runPromise(play(Number.POSITIVE_INFINITY, "before"))
    assert.deepStrictEqual(twin.told, [])
    assert.isTrue(twin.rows.some((row) => row.kind === "summary"))
    assert.isTrue(twin.rows.some((row) => row.kind === "recall"))
    assert.isAbove(twin.calls, 20)
    for (let from = OPENING + 1; from <= twin.calls; from++)
      for (const side of ["before", "after"] as const) {
        const where = `${side} call ${from}`
        const one = await Effect.runPromise(play(from, side))
        assert.deepStrictEqual(kept(one.rows), kept(twin.rows), where)
        const marks = one.rows.filter((row) => row.kind !== "message")
        const places = marks.map((row) => `${row.kind} ${row.position} ${row.revision}`)
        assert.strictEqual(new Set(places).size, places.length, where)
        assert.deepStrictEqual([...one.again, ...one.next], [], where)
      }
  })

  it("is told by each prompt that asked it for something, and by each checkpoint", async () => {
    const one = await Effect.runPromise(play(OPENING + 1, "before"))
    assert.isAbove(one.told.length, 4)
    for (const reason of one.told) assert.include(reason, "the connection broke")
    assert.deepStrictEqual(one.unsaved, [true, true])
    assert.isTrue(one.failedAtEnd)
  })

  it("opens no step while it is away: without the window there is no prompt", async () => {
    for (const from of [1, 2]) {
      const error = await Effect.runPromise(Effect.flip(play(from, "before")))
      assert.strictEqual(error._tag, "StoreError")
    }
  })
})
