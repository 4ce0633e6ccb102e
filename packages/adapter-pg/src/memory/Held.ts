/**
 * Which of the rows of a chat are still shown, by the chat itself or by a fork.
 *
 * @since 0.1.0
 */
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/**
 * Tells whether anybody is shown a row or a document of the table with an alias: for `where`. A chat that was never
 * rewound has no stretches written down, and shows all that is its own.
 *
 * @category statements
 * @since 0.1.0
 */
export const isHeld = (sql: SqlClient, alias: string): Fragment => {
  const of = (column: string) => sql.literal(`${alias}.${column}`)
  return sql`(
    not exists (
      select from palimpsest_stretches as s where s.tenant = ${of("tenant")} and s.chat = ${of("chat")})
    or exists (
      select from palimpsest_stretches as s
      where s.tenant = ${of("tenant")} and s.source = ${of("chat")}
        and s.low < ${of("position")} and ${of("position")} <= s.high))`
}
