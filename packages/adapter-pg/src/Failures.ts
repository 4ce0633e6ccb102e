/**
 * What becomes of the errors of a database: retried where that is safe, then one typed error of the port.
 *
 * @since 0.1.0
 */
import { StoreError } from "@palimpsest/core/engine"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type { SchemaError } from "effect/Schema"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { type Verdict, verdictOn } from "./SqlState.ts"

const isWorth = (again: Verdict["again"]) => (error: unknown) =>
  isSqlError(error) && verdictOn(error).again === again

// Some 2.5 seconds in all: enough for writers of one chat to queue up on a database that is serializable by default.
const RETRIES = 9
const backOff = Schedule.exponential("15 millis", 1.7).pipe(Schedule.jittered)

/**
 * Maps an error of the database to the port's. Its own message may quote content and is kept in the cause alone.
 *
 * @category errors
 * @since 0.1.0
 */
export const toStoreError = (operation: string, error: SqlError | SchemaError): StoreError => {
  if (!isSqlError(error)) {
    const reason = "the database answered with rows of an unexpected shape"
    return new StoreError({ operation, reason, isRetryable: false, cause: error })
  }
  const { reason, isRetryable, remedy } = verdictOn(error)
  const fields = { operation, reason, isRetryable, cause: error }
  return new StoreError(remedy === undefined ? fields : { ...fields, remedy })
}

const isForeign = (error: unknown): error is SqlError | SchemaError =>
  isSqlError(error) ||
  (typeof error === "object" && error !== null && "_tag" in error && error._tag === "SchemaError")

/**
 * A rollback that finds its connection dead adds a defect to the failure that caused it, and the pair would not be
 * retried. The server rolls back by itself: the failure alone counts.
 */
const withoutRollback = <E>(cause: Cause.Cause<E>): Effect.Effect<never, E | SqlError> => {
  const defects = cause.reasons.filter(Cause.isDieReason).map((reason) => reason.defect)
  const sqlDefect = defects.find(isSqlError)
  if (sqlDefect === undefined || !defects.every(isSqlError) || Cause.hasInterrupts(cause)) {
    return Effect.failCause(cause)
  }
  const failure = cause.reasons.find(Cause.isFailReason)
  return Effect.fail(failure === undefined ? sqlDefect : failure.error)
}

/**
 * How long an operation may take.
 *
 * @category models
 * @since 0.1.0
 */
export interface TimeLimit {
  /** Milliseconds, with all that is tried again; as long as it takes by default. */
  readonly timeout?: number
}

/**
 * The caller goes on in time also where the database answers neither the rollback nor the cancel: these end by
 * themselves. Who interrupts the operation waits for its end, as ever.
 */
const inTime =
  (operation: string, { timeout }: TimeLimit) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreError, R> =>
    timeout === undefined
      ? effect
      : Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(Effect.forkDetach(restore(effect)), (work) => {
            const giveUp = Effect.andThen(
              Effect.forkDetach(Fiber.interrupt(work)),
              tooLate(operation, timeout),
            )
            return restore(
              Effect.raceFirst(Fiber.join(work), Effect.andThen(Effect.sleep(timeout), giveUp)),
            ).pipe(Effect.onInterrupt(() => Fiber.interrupt(work)))
          }),
        )

const tooLate = (operation: string, timeout: number) =>
  Effect.fail(
    new StoreError({
      operation,
      reason: `it was not done within ${timeout} ms: the database does not answer, every connection is taken, or the chat is locked`,
      isRetryable: true,
      remedy: "Try again later; raise `maxConnections` or `timeout` where this happens under load.",
    }),
  )

/**
 * Runs an operation of the store: at most ten tries with a jittered, growing pause between them, then a typed error.
 *
 * @category error handling
 * @since 0.1.0
 */
export const guarded =
  (operation: string, limit: TimeLimit = {}) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, Exclude<E, SqlError | SchemaError> | StoreError, R> =>
    effect.pipe(
      Effect.catchCause(withoutRollback),
      Effect.retry({ times: 1, while: isWorth("once") }),
      Effect.retry({ times: RETRIES, schedule: backOff, while: isWorth("often") }),
      Effect.mapError((error) =>
        isForeign(error) ? toStoreError(operation, error) : (error as Exclude<E, SqlError | SchemaError>),
      ),
      inTime(operation, limit),
    )
