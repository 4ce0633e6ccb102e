/**
 * The lock on what spaces of vectors a tenant has: whoever writes documents shares it, so that each document is known to
 * every space.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { LOCK } from "../Migrations.ts"

/**
 * Takes the lock until the end of the transaction. The tenant is encoded.
 *
 * @category constructors
 * @since 0.1.0
 */
export const lockSpaces = (sql: SqlClient, tenant: string, way: "shared" | "alone") => {
  const name = sql.literal(way === "shared" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock")
  return Effect.asVoid(sql`select ${name}(hashtextextended(${tenant}, ${LOCK}::int8))::text`)
}
