/**
 * How an operation reaches the database: with or without a transaction, and as which tenant.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { encodeText } from "./Text.ts"

/**
 * How a store uses its database.
 *
 * @category models
 * @since 0.1.0
 */
export interface StoreOptions {
  /**
   * Tells the database the tenant of each operation, for tables under `rowSecurity`. It is told inside of a
   * transaction, so that a pooler in transaction mode may stand between. An empty tenant is none then.
   */
  readonly rowSecurity?: boolean
}

type Run = <A, E, R>(tenant: string, run: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError, R>

/**
 * Three ways to run an operation.
 *
 * @category models
 * @since 0.1.0
 */
export interface Session {
  /** Of one statement, or of several that need not agree. */
  readonly plain: Run
  /** All or nothing. */
  readonly atomic: Run
  /**
   * All or nothing, and each statement sees what was committed before it, whatever the database does by default:
   * for operations that wait for the locks of several chats and then look again.
   */
  readonly looking: Run
}

/**
 * Makes the ways to run operations over a client.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeSession = (sql: SqlClient, { rowSecurity = false }: StoreOptions = {}): Session => {
  const tell = (tenant: string) =>
    rowSecurity
      ? Effect.asVoid(sql`select set_config('palimpsest.tenant', ${encodeText(tenant)}, true)`)
      : Effect.void
  const within: Run = (tenant, run) => sql.withTransaction(Effect.andThen(tell(tenant), run))
  const look = sql`set transaction isolation level read committed`
  return {
    plain: rowSecurity ? within : (_, run) => run,
    atomic: within,
    looking: (tenant, run) =>
      sql.withTransaction(look.pipe(Effect.andThen(tell(tenant)), Effect.andThen(run))),
  }
}
