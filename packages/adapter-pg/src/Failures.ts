/**
 * What becomes of the errors of a database: retried where that is safe, then one typed error of the port.
 *
 * @since 0.1.0
 */
import { StoreError } from "@palimpsest/core/engine"
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

const isPassing = (error: unknown): boolean => isSqlError(error) && PASSING.has(error.reason._tag)

const backOff = Schedule.exponential("25 millis").pipe(Schedule.jittered)

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
        reason: `the database answered with ${error.reason._tag}`,
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
 * Runs an operation of the store: at most five tries with a jittered pause between them, then a typed error.
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
      Effect.retry({ times: 4, schedule: backOff, while: isPassing }),
      Effect.mapError((error) =>
        isForeign(error) ? toStoreError(operation, error) : (error as Exclude<E, SqlError | SchemaError>),
      ),
    )
