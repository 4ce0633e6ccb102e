import { assistant, user } from "@palimpsest/core"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import {
  allRows,
  awaiting,
  calls,
  faultsOf,
  honest,
  inputs,
  open,
  result,
  run,
  sentRows,
  sentTexts,
  summariserOf,
  talk,
  used,
  words,
} from "./Kit.ts"

describe("calls and their results over passes", () => {
  it("PAIR-01: a cut right after an unanswered call sends no lone call", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([...talk(8, 150), calls("c1"), user("hello?")]))
        const prompt = yield* step.compact()
        assert.strictEqual(prompt.passes[0]?.kind, "summary")
        assert.deepStrictEqual(faultsOf(prompt), [])
        assert.deepStrictEqual(prompt.slots.at(-1)?.message, user("hello?"))
      }),
    ))

  it("PAIR-03: a pass in the middle of a turn keeps the newest call and its result, after the summary", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(
          inputs([user("Go"), ...Array.from({ length: 9 }, (_, i) => used(`c${i}`, 200)).flat()]),
        )
        const prompt = yield* step.compact()
        const parts = prompt.slots.map(({ part, row }) => `${part} ${row}`)
        assert.isBelow(
          parts.findIndex((part) => part.startsWith("summary")),
          parts.indexOf("tail m18"),
        )
        assert.deepStrictEqual(sentRows(prompt).slice(-2), ["m18", "m19"])
        assert.include(prompt.coverage.verbatim, "m19")
        assert.deepStrictEqual(faultsOf(prompt), [])
      }),
    ))

  it("PAIR-04: a result larger than the summariser's window is asked for as text that fits", async () => {
    const model = summariserOf(honest, 8_000)
    await run(
      Effect.gen(function* () {
        const step = yield* open(200_000, { policy: { tailGroups: 1 } })
        yield* step.append(
          inputs([
            user("Go"),
            ...used("c1", 20_000),
            ...used("c2", 30_000),
            user("Next"),
            ...used("c3", 12_000),
          ]),
        )
        const { passes } = yield* step.compact()
        assert.strictEqual(passes[0]?.mark.kind === "summary" && passes[0].mark.pass.outcome, "model")
      }),
      { summariser: model.layer },
    )
    assert.isAbove(model.asked.length, 0)
    for (const { transcript } of model.asked) {
      assert.isAtMost(transcript.length / 4, 8_000)
      assert.match(transcript, /^\[row m\d+ (user|assistant|tool)\] /)
    }
    assert.deepStrictEqual(
      [...new Set(model.asked.flatMap(({ rows }) => rows))],
      ["m1", "m2", "m3", "m4", "m5"],
    )
  })

  it.each([
    ["announced", awaiting("c1")],
    ["in flight", calls("c1")],
  ])("PAIR-10: a call that is %s when a pass is asked for is there when its result comes", (_, call) =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        yield* step.append(inputs([...talk(8, 150), user("Do it"), call]))
        const before = yield* step.compact()
        assert.strictEqual(before.passes[0]?.kind, "summary")
        assert.include(sentRows(before), "m18")
        yield* step.append(inputs([result("c1", 20)], 19))
        const after = yield* step.prompt
        assert.deepStrictEqual(sentRows(after).slice(-2), ["m18", "m19"])
        assert.deepStrictEqual(after.repairs, [])
        assert.deepStrictEqual(faultsOf(after), [])
      }),
    ),
  )

  it("PAIR-11: a call that waits for a person is carried through every pass, and its answer finds it", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(4_000)
        const call = awaiting("confirm7")
        yield* step.append(inputs([user("Delete it"), call]))
        let passes = 0
        for (let round = 0; round < 20; round++) {
          yield* step.append(inputs([user(`Chat ${round}`), assistant(words(200))], 3 + 2 * round))
          const prompt = yield* step.prompt
          passes += prompt.passes.length
          assert.deepStrictEqual(faultsOf(prompt), [])
          assert.deepStrictEqual(prompt.slots.find(({ row }) => row === "m2")?.message, call)
        }
        assert.isAtLeast(passes, 2)
        yield* step.append(inputs([result("confirm7", 1)], 43))
        const prompt = yield* step.prompt
        const at = sentRows(prompt).indexOf("m2")
        assert.strictEqual(sentRows(prompt)[at + 1], "m43")
        assert.deepStrictEqual(faultsOf(prompt), [])
      }),
    ))

  it("PAIR-16: the run in progress keeps its result, shortened at most, and the store keeps every row", () =>
    run(
      Effect.gen(function* () {
        const step = yield* open(1_000)
        const messages = [...talk(10, 70), user(`Go ${words(50)}`), calls("c1"), result("c1", 900)]
        yield* step.append(inputs(messages))
        const prompt = yield* step.prompt
        const rows = sentRows(prompt)
        assert.includeMembers([...rows], ["m21", "m22", "m23"])
        assert.include(sentTexts(prompt).at(-1), "result of c1")
        assert.notInclude(rows, "m5")
        yield* step.end
        const stored = (yield* allRows()).flatMap((row) => (row.kind === "message" ? [row.message] : []))
        assert.deepStrictEqual(stored, messages)
      }),
    ))
})
