/**
 * Gives turns to workers that run at once: one call at a time, in an order that is data. Time is a turn too.
 *
 * @since 0.1.0
 */
import { type Clock, Duration, Effect, type Scheduler } from "effect"

interface Waiting {
  readonly worker: number
  readonly resume: () => void
}

interface Sleeping {
  readonly due: number
  readonly resume: () => void
}

/**
 * The turns of one history.
 *
 * @category models
 * @since 0.1.0
 */
export interface Turns {
  /** Waits until the worker may make a call. */
  readonly wait: (worker: number) => Effect.Effect<void>
  /** A clock that moves only when its turn has come. */
  readonly clock: Clock.Clock
  /** Runs fibers at once, in the order in which they become ready. */
  readonly scheduler: Scheduler.Scheduler
  /** Runs what is ready until everything waits. */
  readonly flush: () => void
  /** Gives the next turn; false when nobody waits for one. */
  readonly next: () => boolean
  /** Counts up whenever something begins to wait. */
  readonly waits: () => number
  /** From now on the order counts; before, and after `rest`, the workers run one after the other. */
  readonly begin: () => void
  readonly rest: () => void
}

const makeClock = (now: () => number, sleepUntil: (due: number) => Effect.Effect<void>): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
  currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
  monotonicTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
  sleep: (duration) => {
    const millis = Duration.toMillis(duration)
    if (millis <= 0) return Effect.yieldNow
    return Number.isFinite(millis) ? Effect.suspend(() => sleepUntil(now() + millis)) : Effect.never
  },
})

/** Waits in a list until it is taken out of it, or the fiber is interrupted. */
const waitIn = <W>(list: Array<W>, make: (resume: () => void) => W): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const entry = make(() => resume(Effect.void))
    list.push(entry)
    return Effect.sync(() => {
      const at = list.indexOf(entry)
      if (at !== -1) list.splice(at, 1)
    })
  })

const takeFrom = <W>(list: Array<W>, entry: W): void => void list.splice(list.indexOf(entry), 1)

const makeScheduler = () => {
  const tasks: Array<() => void> = []
  const flush = () => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) task()
  }
  const dispatcher = { scheduleTask: (task: () => void) => void tasks.push(task), flush }
  const scheduler: Scheduler.Scheduler = {
    executionMode: "sync",
    shouldYield: () => false,
    makeDispatcher: () => dispatcher,
  }
  return { scheduler, flush }
}

/**
 * Makes turns. Each number of the order chooses among those who wait: 0 stays with the worker who had the last turn,
 * and the last one is time. When the order is used up, the workers run one after the other.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeTurns = (order: ReadonlyArray<number>): Turns => {
  const waiting: Array<Waiting> = []
  const sleeping: Array<Sleeping> = []
  let now = 0
  let turn = Number.POSITIVE_INFINITY
  let last = 0
  let waits = 0
  const begins = (resume: () => void): (() => void) => {
    waits += 1
    return resume
  }
  const { scheduler, flush } = makeScheduler()
  const call = (one: Waiting) => {
    takeFrom(waiting, one)
    last = one.worker
    one.resume()
  }
  const wake = (one: Sleeping) => {
    takeFrom(sleeping, one)
    now = Math.max(now, one.due)
    one.resume()
  }
  const next = () => {
    const [soonest] = sleeping.toSorted((a, b) => a.due - b.due)
    const choices = [
      ...waiting.filter((one) => one.worker === last),
      ...waiting.filter((one) => one.worker !== last).toSorted((a, b) => a.worker - b.worker),
    ].map((one) => () => call(one))
    if (soonest !== undefined) choices.push(() => wake(soonest))
    const chosen = choices[(order[turn++] ?? 0) % Math.max(1, choices.length)]
    chosen?.()
    return chosen !== undefined
  }
  return {
    wait: (worker) => waitIn(waiting, (resume) => ({ worker, resume: begins(resume) })),
    clock: makeClock(
      () => now,
      (due) => waitIn(sleeping, (resume) => ({ due, resume: begins(resume) })),
    ),
    scheduler,
    flush,
    next,
    waits: () => waits,
    begin: () => {
      turn = 0
    },
    rest: () => {
      turn = Number.POSITIVE_INFINITY
    },
  }
}
