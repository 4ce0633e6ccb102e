/**
 * What becomes of the errors of a database: retried where that is safe, then one typed error of the port.
 *
 * @since 0.1.0
 */
import { StoreError } from "@palimpsest/core/engine"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SchemaError } from "effect/Schema"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** Reasons that pass by themselves. Every operation of the store may be repeated, so that all of them are retried. */
const PASSING: ReadonlySet<string> = new Set([
  "ConnectionError",
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
])

/**
 * States of a server that goes down, comes up or has no connection left, which the client knows no name for
 * (PostgreSQL, Appendix A): admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout,
 * idle_in_transaction_session_timeout, too_many_connections.
 */
const AWAY: ReadonlySet<unknown> = new Set(["57P01", "57P02", "57P03", "57P05", "25P03", "53300"])

const isAway = ({ reason: { cause } }: SqlError): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && AWAY.has(cause.code)

const isPassing = (error: unknown): boolean =>
  isSqlError(error) && (PASSING.has(error.reason._tag) || isAway(error))

// Some 2.5 seconds in all: enough for writers of one chat to queue up on a database that is serializable by default.
const RETRIES = 9
const backOff = Schedule.exponential("15 millis", 1.7).pipe(Schedule.jittered)

/**
 * Maps an error of the database to the port's. Its own message may quote content and is kept in the cause alone.
 *
 * @category errors
 * @since 0.1.0
 */
export const toStoreError = (operation: string, error: SqlError | SchemaError): StoreError =>
  isSqlError(error)
    ? new StoreError({
        operation,
        reason:
          error.reason._tag === "ConnectionError" || isAway(error)
            ? "the database cannot be reached, or the connection broke"
            : `the database answered with ${error.reason._tag}`,
        isRetryable: isPassing(error) || error.reason.isRetryable,
        cause: error,
      })
    : new StoreError({
        operation,
        reason: "the database answered with rows of an unexpected shape",
        isRetryable: false,
        cause: error,
      })

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
 * Runs an operation of the store: at most ten tries with a jittered, growing pause between them, then a typed error.
 *
 * @category error handling
 * @since 0.1.0
 */
export const guarded =
  (operation: string) =>
  <A, E, R>(
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, Exclude<E, SqlError | SchemaError> | StoreError, R> =>
    effect.pipe(
      Effect.catchCause(withoutRollback),
      Effect.retry({ times: RETRIES, schedule: backOff, while: isPassing }),
      Effect.mapError((error) =>
        isForeign(error) ? toStoreError(operation, error) : (error as Exclude<E, SqlError | SchemaError>),
      ),
    )
