import { emptyDelta, user } from "@palimpsest/core"
import { Effect, Exit } from "effect"
import { assert, describe, it } from "vitest"
import { inputs, open, run, summariserOf, talk } from "./Kit.ts"

/** Answers of no use, and deaths of the process while the model thinks: by the number of the request. */
const pass = (deaths: ReadonlyArray<number>) => {
  const model = summariserOf((_, call) =>
    deaths.includes(call) ? Effect.interrupt : Effect.succeed(emptyDelta),
  )
  const outcome = run(
    Effect.gen(function* () {
      const first = yield* open(4_000)
      yield* first.append(inputs([...talk(9, 150), user("Next")]))
      yield* first.checkpoint
      for (;;) {
        const step = yield* open(4_000)
        const exit = yield* Effect.exit(step.compact())
        if (Exit.isFailure(exit)) continue
        const [report] = exit.value.passes
        return report?.mark.kind === "summary" ? report.mark.pass.outcome : "none"
      }
    }),
    { summariser: model.layer },
  )
  return outcome.then((one) => ({ outcome: one, asked: model.asked.length }))
}

describe("a pass that is taken up again where the model was of no use", () => {
  it.each<readonly [string, ReadonlyArray<number>, number]>([
    ["without a death, twice", [], 2],
    ["after a death at the second request, that one again and no more", [2], 3],
    ["after a death at the first request, that one again and no more", [1], 3],
    ["after a death at each of them, each again and no more", [1, 3], 4],
  ])("asks %s", async (_, deaths, asked) => {
    assert.deepStrictEqual(await pass(deaths), { outcome: "extractive", asked })
  })
})
