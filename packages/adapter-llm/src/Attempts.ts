/**
 * Several tries within one deadline.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Random } from "effect"
import type { AiError } from "effect/ai"

/**
 * A failed try, and how long the provider wants us to wait.
 *
 * @category models
 * @since 0.1.0
 */
export interface FailedTry {
  readonly error: AiError.AiError
  /** Milliseconds. */
  readonly wait?: number
}

/**
 * Bounds of a call.
 *
 * @category models
 * @since 0.1.0
 */
export interface Bounds {
  /** Milliseconds for one try; 60,000 by default. */
  readonly timeout?: number
  /**
   * Milliseconds for all tries and the waits between them; 120,000 by default. Measured by Effect's clock. A wait
   * that would end after it is not begun.
   */
  readonly deadline?: number
  /** Tries after the first; 3 by default. */
  readonly retries?: number
  /** Milliseconds of the first wait, which doubles with each try, give or take a fifth; 500 by default. */
  readonly backoff?: number
}

/** The longest wait of our own making, milliseconds. A provider's own is bounded by the deadline alone. */
const LONGEST_WAIT = 20_000

const ownWait = (bounds: Bounds, tried: number) =>
  Effect.map(
    Random.next,
    (chance) => Math.min((bounds.backoff ?? 500) * 2 ** tried, LONGEST_WAIT) * (0.8 + 0.4 * chance),
  )

/**
 * Runs tries until one succeeds, cannot be helped, or the bounds are reached; the error is then that of the last try.
 *
 * @category combinators
 * @since 0.1.0
 */
export const attempts = Effect.fnUntraced(function* <A, R>(
  bounds: Bounds,
  onTimeout: (milliseconds: number) => FailedTry,
  once: Effect.Effect<A, FailedTry, R>,
) {
  const end = (yield* Clock.currentTimeMillis) + (bounds.deadline ?? 120_000)
  for (let tried = 0; ; tried++) {
    const limit = Math.min(bounds.timeout ?? 60_000, end - (yield* Clock.currentTimeMillis))
    const outcome = yield* once.pipe(
      Effect.timeoutOrElse({ duration: limit, orElse: () => Effect.fail(onTimeout(limit)) }),
      Effect.result,
    )
    if (outcome._tag === "Success") return outcome.success
    const { error, wait } = outcome.failure
    if (!error.isRetryable || tried >= (bounds.retries ?? 3)) return yield* error
    const pause = Math.max(wait ?? 0, yield* ownWait(bounds, tried))
    if ((yield* Clock.currentTimeMillis) + pause >= end) return yield* error
    yield* Effect.sleep(pause)
  }
})
