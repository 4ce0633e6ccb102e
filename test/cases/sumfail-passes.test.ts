import { emptyDelta, explain, user } from "@palimpsest/core"
import { SummariserError } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { allRows, honest, inputs, open, run, summariserOf, talk, words } from "./Kit.ts"

const failing = (reason: string, isRetryable = true) =>
  Effect.fail(new SummariserError({ summariser: "fake", reason, isRetryable, detail: "told to" }))

describe("what a summariser is asked, and how often", () => {
  it.each([
    ["SUMFAIL-07", 300_000, 32_000, 10],
    ["SUMFAIL-08", 60_000, 8_000, 8],
    ["SUMFAIL-12", 90_000, 16_000, 6],
  ])(
    "%s: a span of %s tokens for a window of %s is asked in parts, and all of it is read",
    async (_, tokens, window, least) => {
      const model = summariserOf(honest, window)
      const turns = tokens / 1_000
      await run(
        Effect.gen(function* () {
          const step = yield* open(2 * tokens)
          yield* step.append(inputs([...talk(turns, 980), user("Next")]))
          const { passes } = yield* step.compact()
          const mark = passes[0]?.mark
          assert.strictEqual(mark?.kind === "summary" && mark.pass.outcome, "model")
          const covered = Array.from({ length: mark?.position ?? 0 }, (_, i) => `m${i + 1}`)
          assert.deepStrictEqual([...new Set(model.asked.flatMap(({ rows }) => rows))], covered)
        }),
        { summariser: model.layer },
      )
      assert.isAtLeast(model.asked.length, least)
      for (const { transcript } of model.asked) assert.isBelow(transcript.length / 4, window)
    },
  )

  it("SUMFAIL-08: rows that one failed request held are in no summary, under a policy that holds", async () => {
    const model = summariserOf(
      (request, call) => (call === 3 ? failing("TooLong", false) : honest(request)),
      8_000,
    )
    await run(
      Effect.gen(function* () {
        const step = yield* open(120_000, { policy: { onFailure: "hold" } })
        yield* step.append(inputs([...talk(40, 980), user("Next")]))
        const first = yield* step.compact()
        assert.lengthOf(first.passes, 0)
        assert.lengthOf(first.coverage.verbatim, 81)
        const second = yield* step.compact()
        assert.lengthOf(second.passes, 1)
        const { asked } = model
        assert.deepStrictEqual(
          asked[3]?.rows,
          asked[2]?.rows,
          "drafts of the parts before it are not paid again",
        )
      }),
      { summariser: model.layer },
    )
  })

  it("SUMFAIL-11: the second attempt reads what the first one read", async () => {
    const model = summariserOf((request, call) => (call === 1 ? failing("Unreachable") : honest(request)))
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([...talk(9, 150), user("Next")]))
        const { passes } = yield* step.compact()
        assert.strictEqual(passes[0]?.mark.kind === "summary" && passes[0].mark.pass.outcome, "model")
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 2)
    assert.deepStrictEqual(model.asked[1], model.asked[0])
    assert.include(model.asked[0]?.rows ?? [], "m1")
  })

  it("SUMFAIL-15: with nothing between head and tail nothing is asked", async () => {
    const model = summariserOf(honest)
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([user("Go"), ...talk(1, 200)]))
        assert.lengthOf((yield* step.compact()).passes, 0)
        yield* step.append(inputs(talk(9, 150), 4))
        assert.lengthOf((yield* step.compact()).passes, 1)
        assert.lengthOf((yield* step.compact()).passes, 0)
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 1)
  })

  it("SUMFAIL-18: a span that was refused as too large is told, in this prompt and in the next one", async () => {
    const model = summariserOf(() => failing("TooLong", false))
    await run(
      Effect.gen(function* () {
        const step = yield* open(4_000, { policy: { onFailure: "hold" } })
        yield* step.append(inputs(talk(13, 150)))
        const first = yield* step.prompt
        assert.match(first.degraded[0]?.reason ?? "", /TooLong/)
        const [decision] = (yield* step.prompt).decisions
        assert.isDefined(decision)
        if (decision !== undefined)
          assert.match(explain(decision), /^Hold: .*a pass failed \(summarise: .*TooLong/)
      }),
      { summariser: model.layer },
    )
    assert.lengthOf(model.asked, 1)
  })

  it("SUMFAIL-19: one failure does not keep the model from the next pass", async () => {
    const model = summariserOf((request, call) =>
      call === 1 ? failing("Unavailable", false) : honest(request),
    )
    const outcomes = await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        const outcomes: Array<string> = []
        for (let pass = 0; pass < 2; pass++) {
          yield* step.append(inputs(talk(10, 150, `pass ${pass}`), 1 + 20 * pass))
          const mark = (yield* step.compact()).passes[0]?.mark
          outcomes.push(mark?.kind === "summary" ? mark.pass.outcome : "none")
        }
        return outcomes
      }),
      { summariser: model.layer },
    )
    assert.deepStrictEqual(outcomes, ["extractive", "model"])
  })

  it("SUMFAIL-20: a model that answers nothing is asked three times, and then after 4 and 16 passes", async () => {
    const model = summariserOf(() => Effect.succeed(emptyDelta))
    const calls = await run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        const calls: Array<number> = []
        for (let pass = 0; pass < 18; pass++) {
          yield* step.append(inputs(talk(10, 150, `pass ${pass}`), 1 + 20 * pass))
          const { passes } = yield* step.compact()
          assert.strictEqual(passes[0]?.kind, "summary")
          calls.push(passes[0]?.calls ?? 0)
        }
        return calls
      }),
      { summariser: model.layer },
    )
    assert.deepStrictEqual(calls, [2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
  })

  it("SUMFAIL-20: of a span of many parts a model that fails is asked for two", async () => {
    const model = summariserOf(() => failing("Unreachable"), 8_000)
    await run(
      Effect.gen(function* () {
        const step = yield* open(120_000)
        yield* step.append(inputs([...talk(40, 980), user(`Next ${words(10)}`)]))
        const { passes } = yield* step.compact()
        assert.strictEqual(passes[0]?.calls, 3)
        assert.lengthOf(yield* allRows(), 82)
      }),
      { summariser: model.layer },
    )
  })
})
