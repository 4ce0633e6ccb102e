/**
 * Law 15: rehydration.
 *
 * @since 0.1.0
 */
import { Effect, Result } from "effect"
import { canonicalJson } from "../../thread/Id.ts"
import { copyOf, onHistories, openIn, type Trace } from "../History.ts"
import type { Law } from "../Law.ts"
import { calmDown, makeWorld } from "../World.ts"
import { bytesOf } from "./Determinism.ts"

/** Whether the process knows the thread as the store does: nobody else wrote, and no failure was lost. */
const isAlone = ({ isStale, world }: Trace): boolean => !isStale && !world.lostFailure

/** Whether long-term memory always answered: a process asks it once for each message, and the next one asks again. */
const isRecalled = ({ history }: Trace): boolean =>
  history.actions.every(
    (action) => action.tag !== "trouble" || ["summariser", "facts"].includes(action.trouble.of),
  )

const threads = onHistories(
  "after a checkpoint the thread in the process is the one that is read back",
  (trace) =>
    Effect.gen(function* () {
      calmDown(trace.world)
      yield* Effect.orDie(trace.step.checkpoint)
      if (!isAlone(trace)) return true
      const other = yield* openIn(makeWorld(copyOf(trace.world.memory)), trace.history, trace.budget)
      return canonicalJson(yield* trace.step.thread) === canonicalJson(yield* other.thread)
    }),
)

const prompts = onHistories(
  "a process that opens the thread sends what the one before it would have sent",
  (trace) =>
    Effect.gen(function* () {
      calmDown(trace.world)
      yield* Effect.orDie(trace.step.checkpoint)
      if (!isAlone(trace) || !isRecalled(trace)) return true
      const copy = makeWorld(copyOf(trace.world.memory))
      const other = yield* openIn(copy, trace.history, trace.budget)
      const here = yield* Effect.result(trace.step.prompt)
      const there = yield* Effect.result(other.prompt)
      return Result.isSuccess(here)
        ? Result.isSuccess(there) && bytesOf(here.success) === bytesOf(there.success)
        : Result.isFailure(there) && here.failure.message === there.failure.message
    }),
)

/**
 * Holds law 15: the prompt assembled from storage equals the one assembled in the process.
 *
 * @category laws
 * @since 0.1.0
 */
export const rehydrationLaw: Law = { number: 15, title: "Rehydration", properties: [threads, prompts] }
