import { type Delta, emptyDelta, user } from "@palimpsest/core"
import { SummariserError, type SummaryRequest } from "@palimpsest/core/engine"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { allRows, faultsOf, honest, inputs, open, run, sentRows, summariserOf, talk, used } from "./Kit.ts"

const error = (reason: string, isRetryable = true) =>
  new SummariserError({ summariser: "fake", reason, isRetryable, detail: "told to" })

const says = (text: string) => (request: SummaryRequest) =>
  Effect.succeed<Delta>({
    add: [{ kind: "fact", text, sources: request.rows.slice(0, 1) }],
    resolve: [],
    drop: [],
  })

const BAD: ReadonlyArray<
  readonly [
    id: string,
    what: string,
    answer: (request: SummaryRequest) => Effect.Effect<Delta, SummariserError>,
  ]
> = [
  ["SUMFAIL-01", "nothing", () => Effect.succeed(emptyDelta)],
  ["SUMFAIL-01", "blanks", says("   \n")],
  ["SUMFAIL-03", "a refusal", says("I'm sorry, but I can't write a summary of this conversation.")],
  ["SUMFAIL-04", "tool syntax", says('<tool_call>{"name":"search"}</tool_call>')],
  ["SUMFAIL-05", "a text that was cut off", () => Effect.fail(error("CutOff"))],
  ["SUMFAIL-10", "an error", () => Effect.fail(error("Unreachable"))],
  [
    "SUMFAIL-10",
    "an exception",
    () => {
      throw new Error("broken")
    },
  ],
  ["SUMFAIL-10", "a fault inside", () => Effect.die("broken")],
]

describe("a summariser that fails", () => {
  it.each(BAD)("%s: %s changes nothing, and it is told", async (_, __, answer) => {
    const model = summariserOf((request, call) => (call === 1 ? honest(request) : answer(request)))
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { onFailure: "hold" } })
        yield* step.append(inputs([...talk(9, 150), user("Next")]))
        const first = yield* step.compact()
        assert.strictEqual(first.passes[0]?.kind, "summary")
        yield* step.append(inputs([...talk(9, 150), user("And then?")], 20))
        yield* step.checkpoint
        const before = yield* allRows()
        const prompt = yield* step.compact()
        assert.lengthOf(prompt.passes, 0)
        assert.deepStrictEqual(yield* allRows(), before)
        assert.deepStrictEqual(prompt.slots.slice(0, first.slots.length), first.slots)
        assert.deepStrictEqual(prompt.slots.at(-1)?.message, user("And then?"))
        assert.strictEqual(prompt.degraded[0]?.stage, "summarise")
        assert.isAtMost(model.asked.length, 3)
      }),
      { summariser: model.layer },
    )
  })

  it.each(BAD)("%s: after %s the fallback covers the span without it, by default", async (_, __, answer) => {
    const model = summariserOf(answer)
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([...talk(9, 150), user("Next")]))
        const prompt = yield* step.compact()
        const mark = prompt.passes[0]?.mark
        assert.strictEqual(mark?.kind === "summary" && mark.pass.outcome, "extractive")
        assert.isAbove(mark?.kind === "summary" ? mark.summary.items.length : 0, 0)
        assert.isAtMost(model.asked.length, 2)
        assert.isAbove(prompt.degraded.length, 0)
      }),
      { summariser: model.layer },
    )
  })

  it("SUMFAIL-09: one that never answers costs its time-out, and what is sent fits", async () => {
    const model = summariserOf(() => Effect.never)
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { onFailure: "hold" }, summariserTimeout: 9_000 })
        yield* step.append(inputs([...talk(8, 150), user("Do it"), ...used("c1", 2_500), ...used("c2", 500)]))
        const fiber = yield* Effect.forkChild(step.compact())
        yield* TestClock.adjust(8_999)
        assert.isUndefined(fiber.pollUnsafe())
        yield* TestClock.adjust(1)
        const prompt = yield* Fiber.join(fiber)
        assert.include(prompt.degraded[0]?.reason, "Timeout")
        assert.isAtMost(prompt.tokens.total, 3_160)
        assert.includeMembers([...sentRows(prompt)], ["m17"])
        assert.deepStrictEqual(faultsOf(prompt), [])
        assert.lengthOf(yield* allRows(), 21)
        assert.lengthOf(model.asked, 1)
      }).pipe(Effect.provide(TestClock.layer())),
      { summariser: model.layer },
    )
  })
})
