/**
 * What every method of a port over SQL does around its work.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import { checkKey, StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { guarded } from "./Failures.ts"
import { makeSession, type Session, type StoreOptions } from "./Session.ts"

/** Under row-level security an empty name cannot be told from none. */
const checkTenant = (operation: string, { tenant }: ThreadKey, options: StoreOptions) =>
  options.rowSecurity === true && tenant === ""
    ? Effect.fail(
        new StoreError({
          operation,
          reason: "tenant: it is empty, which row-level security takes for none: name it",
          isRetryable: false,
        }),
      )
    : Effect.void

/**
 * Makes the three kinds of methods, one for each way of a `Session`: a span, the key checked, then the work, retried
 * where the database asks for it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const methodsOf = (port: string, sql: SqlClient, options: StoreOptions = {}) => {
  const session = makeSession(sql, options)
  const method =
    (way: keyof Session) =>
    <A, E>(operation: string, key: ThreadKey, work: Effect.Effect<A, E>, names?: ReadonlyArray<string>) =>
      Effect.fromResult(checkKey(operation, key, names)).pipe(
        Effect.andThen(checkTenant(operation, key, options)),
        Effect.andThen(session[way](key.tenant, work)),
        guarded(operation, options),
        Effect.withSpan(`${port}.${operation}`),
      )
  return { plain: method("plain"), atomic: method("atomic"), looking: method("looking") }
}
