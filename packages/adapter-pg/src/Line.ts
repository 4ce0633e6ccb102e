/**
 * The line of a chat in SQL: which rows of which chats it shows.
 *
 * A thread may have been rewound a thousand times: what is hot asks only for the stretches that it needs, each found at
 * its end of the index.
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

const mine = (sql: SqlClient, { tenant, chat }: EncodedKey): Fragment =>
  sql`tenant = ${tenant} and chat = ${chat}`

/**
 * The stretches that are written down of a chat: for `from`. Who walks them orders outside, so that the planner knows
 * that it will not need them all.
 *
 * @category statements
 * @since 0.1.0
 */
export const writtenOf = (sql: SqlClient, key: EncodedKey): Fragment => sql`(
  select source, low, high from palimpsest_stretches where ${mine(sql, key)})`

/**
 * What a chat without rows of its own in `palimpsest_stretches` shows: all that is its own. Empty for others: for
 * `from`.
 *
 * @category statements
 * @since 0.1.0
 */
export const unwrittenOf = (sql: SqlClient, key: EncodedKey): Fragment => sql`(
  select ${key.chat}::text collate "C" as source, -1::int8 as low, ${OPEN}::int8 as high
  where (select low from palimpsest_stretches where ${mine(sql, key)} order by low limit 1) is null)`

/**
 * The whole line of a chat, as a table expression with the name `line`: for `with`.
 *
 * @category statements
 * @since 0.1.0
 */
export const lineOf = (sql: SqlClient, key: EncodedKey): Fragment => sql`
  line as materialized (
    select * from ${writtenOf(sql, key)} as s union all select * from ${unwrittenOf(sql, key)} as s)`

/**
 * The stretches that are written down of a chat, without those that end before a time: for `from`.
 *
 * @category statements
 * @since 0.1.0
 */
export const writtenFrom = (sql: SqlClient, key: EncodedKey, time: Fragment): Fragment => sql`(
  select source, low, high from palimpsest_stretches
  where ${mine(sql, key)} and low >= coalesce((
    select low from palimpsest_stretches where ${mine(sql, key)} and low < ${time} order by low desc limit 1), -1))`

/**
 * The line of a chat from a time on, as a table: for `from`.
 *
 * @category statements
 * @since 0.1.0
 */
export const stretchesFrom = (sql: SqlClient, key: EncodedKey, time: Fragment): Fragment => sql`(
  (select * from ${writtenFrom(sql, key, time)} as s order by low) union all select * from ${unwrittenOf(sql, key)} as s)`

/**
 * The chats that a line takes rows from, as a table with the name `s`: each is found by the one before it, since there
 * are few of them, however many stretches. As an array, of which the planner expects ten: of what is recursive it
 * expects so many that servers would compile the statement, which takes longer than running it.
 *
 * @category statements
 * @since 0.1.0
 */
export const sourcesOf = (sql: SqlClient, key: EncodedKey): Fragment => sql`unnest(array(
  with recursive walk as (
    (select source from palimpsest_stretches where ${mine(sql, key)} order by source limit 1)
    union all
    select (
      select s.source from palimpsest_stretches as s
      where ${mine(sql, key)} and s.source > walk.source
      order by s.source
      limit 1)
    from walk where walk.source is not null)
  select source from walk where source is not null
  union all
  select source from ${unwrittenOf(sql, key)} as s)) as s(source)`

/**
 * The stretch of a line in which a time lies, or the last one before it, as a table: for `from`.
 *
 * @category statements
 * @since 0.1.0
 */
export const stretchAt = (sql: SqlClient, key: EncodedKey, time: Fragment): Fragment => sql`(
  (select source, high from palimpsest_stretches
    where ${mine(sql, key)} and low < ${time} order by low desc limit 1)
  union all
  select source, high from ${unwrittenOf(sql, key)} as s)`

/**
 * Tells whether a line shows a row of the table with an alias: for `where`.
 *
 * @category statements
 * @since 0.1.0
 */
export const isShown = (
  sql: SqlClient,
  key: EncodedKey,
  alias: string,
  time: "position" | "time",
): Fragment => {
  const at = sql`${sql.literal(`${alias}.${time}`)}`
  return sql`exists (
    select from ${stretchAt(sql, key, at)} as l
    where l.source = ${sql.literal(`${alias}.chat`)} and ${at} <= l.high)`
}
