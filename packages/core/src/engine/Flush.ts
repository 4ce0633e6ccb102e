/**
 * The flush before a summary: it gates the summary, so it is tried again a few times, within a bounded time.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Result } from "effect"
import { FlushError } from "./Errors.ts"
import type { Facts, FlushRequest } from "./Facts.ts"
import type { FlushPatience } from "./Options.ts"

/**
 * What came of a flush.
 *
 * @category models
 * @since 0.1.0
 */
export interface Flushed {
  /** How many facts were new; null when the span is not flushed. */
  readonly facts: number | null
  /** Why tries failed, one for each that did. */
  readonly failures: ReadonlyArray<string>
}

/**
 * Fills in the defaults: three tries within a minute, half a second and then a whole one apart. A pass that is put off is
 * tried again when the window has grown, so that it need not wait for a service that is down for longer.
 *
 * @category constructors
 * @since 0.1.0
 */
export const flushPatienceOf = ({
  tries = 3,
  pause = 500,
  timeout = 60_000,
}: FlushPatience = {}): Required<FlushPatience> => ({ tries, pause, timeout })

/** One try. A port that dies of a fault of its own, or stays silent, fails like any other, and is not tried again. */
const attempt = (
  facts: (typeof Facts)["Service"],
  request: FlushRequest,
  timeout: number,
): Effect.Effect<number, FlushError> => {
  const fail = (reason: string) =>
    Effect.fail(new FlushError({ boundary: request.boundary, reason, isRetryable: false }))
  return Effect.suspend(() => facts.flush(request)).pipe(
    Effect.catchDefect(() => fail("it died")),
    Effect.timeoutOrElse({ duration: timeout, orElse: () => fail("no answer in time") }),
  )
}

/**
 * Keeps the durable facts of a span. No summary is made of what was not flushed.
 *
 * @category combinators
 * @since 0.1.0
 */
export const flushSpan = Effect.fn("Palimpsest.flush")(function* (
  facts: (typeof Facts)["Service"] | null,
  request: FlushRequest,
  { tries: most, pause, timeout }: Required<FlushPatience>,
): Effect.fn.Return<Flushed> {
  const failures: Array<string> = []
  if (facts === null) return { facts: 0, failures }
  const end = (yield* Clock.currentTimeMillis) + timeout
  for (let tries = 1; ; tries++) {
    yield* Effect.annotateCurrentSpan({ "flush.rows": request.rows.length, "flush.tries": tries })
    const now = yield* Clock.currentTimeMillis
    const result = yield* Effect.result(attempt(facts, request, Math.max(0, end - now)))
    if (Result.isSuccess(result)) {
      yield* Effect.annotateCurrentSpan({ "flush.facts": result.success })
      return { facts: result.success, failures }
    }
    failures.push(result.failure.message)
    const wait = pause * 2 ** (tries - 1)
    const isLate = (yield* Clock.currentTimeMillis) + wait >= end
    if (!result.failure.isRetryable || tries >= most || isLate) return { facts: null, failures }
    yield* Effect.sleep(wait)
  }
})
