/**
 * Law 8: one row.
 *
 * @since 0.1.0
 */
import { Effect, Result } from "effect"
import fc from "fast-check"
import { markId } from "../../thread/Id.ts"
import { arbitraryHistory, type SummariserMode } from "../arbitraries/Histories.ts"
import { CHAT, copyOf, onHistories, openIn, runHistory, storedIn } from "../History.ts"
import { type Law, property } from "../Law.ts"
import { calmDown, makeWorld } from "../World.ts"
import { bytesOf } from "./Determinism.ts"
import { same } from "./Look.ts"

const ids = onHistories("each mark has the id of its place, and its place alone", ({ prompts }) => {
  const rows = prompts.at(-1)?.stored.rows ?? []
  const marks = rows.flatMap((row) => (row.kind === "message" ? [] : [row]))
  const places = marks.map(({ kind, anchor, revision }) => `${kind} ${revision} ${anchor}`)
  return (
    new Set(places).size === places.length &&
    marks.every((mark) => mark.id === markId(CHAT, mark.kind, mark.anchor, mark.revision))
  )
})

const workers: fc.Arbitrary<ReadonlyArray<SummariserMode>> = fc.array(
  fc.constantFrom<SummariserMode>("good", "every-rule", "twice", "down", "garbage"),
  { minLength: 2, maxLength: 3 },
)

/** Several workers with summarisers of their own make the same prompt at the same time, on one store. */
const race = property(
  "workers that race leave one row, and all send its text",
  fc.asyncProperty(arbitraryHistory, workers, (history, modes) =>
    Effect.runPromise(
      Effect.gen(function* () {
        const trace = yield* runHistory({
          ...history,
          policy: { ...history.policy, onFailure: "extractive" },
        })
        calmDown(trace.world)
        yield* Effect.orDie(trace.step.checkpoint)
        const memory = copyOf(trace.world.memory)
        const before = storedIn(memory).rows.length
        const steps = yield* Effect.forEach(modes, (mode) =>
          openIn({ ...makeWorld(memory), mode, isSlow: true }, trace.history, trace.budget),
        )
        const made = yield* Effect.forEach(steps, (step) => Effect.result(step.compact()), {
          concurrency: "unbounded",
        })
        const added = storedIn(memory).rows.slice(before)
        const summaries = added.filter((row) => row.kind === "summary")
        const anchors = summaries.map((row) => row.anchor)
        const sent = made.flatMap((one) => (Result.isSuccess(one) ? [bytesOf(one.success)] : []))
        return (
          new Set(anchors).size === anchors.length &&
          (sent.length === 0 || sent.every((one) => same(one, sent[0])))
        )
      }),
    ),
  ),
)

/**
 * Holds law 8: any number of retries and workers leaves one row at a boundary, and all of them send the same text.
 *
 * @category laws
 * @since 0.1.0
 */
export const oneRowLaw: Law = { number: 8, title: "One row", properties: [ids, race] }
