/**
 * The line of a chat in SQL: which rows of which chats it shows.
 *
 * @since 0.1.0
 */
import { OPEN } from "@palimpsest/core"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** The key of a chat as parameters. */
export interface EncodedKey {
  readonly tenant: string
  readonly chat: string
}

/**
 * The stretches of a chat, as a table expression with the name `line`: for `with`. A chat without rows of its own in
 * `palimpsest_stretches` shows all that is its own.
 *
 * @category statements
 * @since 0.1.0
 */
export const lineOf = (sql: SqlClient, { tenant, chat }: EncodedKey): Fragment => sql`
  line as materialized (
    select coalesce(s.source, ${chat}) as source, coalesce(s.low, -1) as low, coalesce(s.high, ${OPEN}::int8) as high
    from (select 1) as one
    left join palimpsest_stretches s on s.tenant = ${tenant} and s.chat = ${chat})`

/**
 * The chats that a line takes rows from.
 *
 * @category statements
 * @since 0.1.0
 */
export const sourcesOf = (sql: SqlClient): Fragment => sql`(select distinct source from line) as s`

/**
 * Tells whether a line shows a row of the chat `chat` of the table with an alias: for `where`.
 *
 * @category statements
 * @since 0.1.0
 */
export const isShown = (sql: SqlClient, alias: string, time: "position" | "time"): Fragment => {
  const [chat, at] = [sql.literal(`${alias}.chat`), sql.literal(`${alias}.${time}`)]
  return sql`exists (
    select from line as l where l.source = ${chat} and l.low < ${at} and ${at} <= l.high)`
}
