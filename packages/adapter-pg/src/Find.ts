/**
 * Finding messages that a chat shows.
 *
 * @since 0.1.0
 */
import { OPEN, type ThreadKey } from "@palimpsest/core"
import { idFault } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { isShown, lineOf, sourcesOf, unwrittenOf, writtenOf } from "./Line.ts"
import { Key, MessageRecord } from "./Rows.ts"
import { encodeText, PgText } from "./Text.ts"

const Ids = Schema.Struct({ ...Key.fields, ids: Schema.Array(Schema.String) })
const Found = Schema.Struct({ ...MessageRecord.fields, source: PgText })
const Position = Schema.Struct({ position: Schema.Finite })

/**
 * Ids as a parameter: one text however many there are, so that one prepared statement serves all.
 *
 * @category codecs
 * @since 0.1.0
 */
export const idList = (ids: ReadonlyArray<string>): string => JSON.stringify(ids.map(encodeText))

/**
 * Such a list as a table: for `from`. As an array, of which the planner expects ten; of JSON it expects a hundred.
 *
 * @category statements
 * @since 0.1.0
 */
export const idsIn = (sql: SqlClient, list: Fragment): Fragment =>
  sql`unnest(array(select json_array_elements_text(${list}::json)))`

/**
 * Makes the reader of messages by id; `source` is the chat that a message is stored in.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeByIds = (sql: SqlClient) =>
  SqlSchema.findAll({
    Request: Ids,
    Result: Found,
    execute: ({ tenant, chat, ids }) => sql`
      select m.position::float8 as position, m.id, m.payload, m.tokens, m.tokenizer, m.cap,
        m.raw_format as "rawFormat", m.raw_text as "rawText", m.usage, m.said_at as at,
        m.chat as source
      from ${idsIn(sql, sql`${idList(ids)}`)} as k(id)
      cross join ${sourcesOf(sql, { tenant, chat })}
      cross join lateral (
        select * from palimpsest_messages as m
        where m.tenant = ${tenant} and m.chat = s.source and m.id >= k.id and m.id <= k.id
          and ${isShown(sql, { tenant, chat }, "m", "position")}
        order by m.id desc, m.position desc
        limit 1) as m`,
  })

/**
 * Makes the finder of the position of a message: 0 for the empty id, which is the start.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePositionOf = (sql: SqlClient) => {
  const find = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, id: PgText }),
    Result: Position,
    execute: ({ tenant, chat, id }) => sql`
      select m.position::float8 as position
      from ${sourcesOf(sql, { tenant, chat })}
      cross join lateral (
        select position from palimpsest_messages as m
        where m.tenant = ${tenant} and m.chat = s.source and m.id >= ${id} and m.id <= ${id}
          and ${isShown(sql, { tenant, chat }, "m", "position")}
        order by m.id desc, m.position desc
        limit 1) as m`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey, id: string) {
    if (id === "") return 0
    if (idFault(id) !== null) return undefined
    const [found] = yield* find({ ...key, id })
    return found?.position
  })
}

/**
 * Makes the finder of the newest position that is shown: 0 where there is none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeNewest = (sql: SqlClient) => {
  const last = (tenant: string) => sql`cross join lateral (
    select position from palimpsest_messages
    where tenant = ${tenant} and chat = s.source and position > s.low and position <= s.high
    order by position desc
    limit 1) as m`
  const find = SqlSchema.findAll({
    Request: Key,
    Result: Position,
    execute: ({ tenant, chat }) => sql`
      select m.position::float8 as position
      from (
        (select m.position from ${writtenOf(sql, { tenant, chat })} as s ${last(tenant)}
          order by s.low desc limit 1)
        union all
        select m.position from ${unwrittenOf(sql, { tenant, chat })} as s ${last(tenant)}) as m`,
  })
  return (key: ThreadKey) => Effect.map(find(key), ([found]) => found?.position ?? 0)
}

/**
 * Makes the finder of the message that follows a position: its position, or the end of time where there is none.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeNext = (sql: SqlClient) => {
  const find = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, position: Schema.Finite }),
    Result: Position,
    execute: ({ tenant, chat, position }) => sql`
      with ${lineOf(sql, { tenant, chat })}
      select m.position::float8 as position
      from (select * from line where high > ${position}::int8 order by low) as s
      cross join lateral (
        select position from palimpsest_messages
        where tenant = ${tenant} and chat = s.source
          and position > greatest(s.low, ${position}::int8) and position <= s.high
        order by position
        limit 1) as m
      order by s.low
      limit 1`,
  })
  return (key: ThreadKey, position: number) =>
    Effect.map(find({ ...key, position }), ([found]) => found?.position ?? OPEN)
}

/**
 * Makes the finder of the newest time of what is shown between a message and the next one, marks and failures: the view
 * that was live right before that one was appended ends with it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMoment = (sql: SqlClient) => {
  const find = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, position: Schema.Finite, next: Schema.Finite }),
    Result: Position,
    execute: ({ tenant, chat, position, next }) => {
      const newest = (table: string, force: string) => sql`(select time from ${sql.literal(table)}
        where tenant = ${tenant} and chat = s.source and time > greatest(s.low, ${position}::int8)
          and time <= least(s.high, ${next}::int8 - 1) ${sql.literal(force)}
        order by time desc limit 1)`
      return sql`
        with ${lineOf(sql, { tenant, chat })}
        select greatest(${position}::int8, coalesce(max(m.time), 0))::float8 as position
        from (select * from line where high > ${position}::int8 and low < ${next}::int8) as s
        cross join lateral (
          ${newest("palimpsest_marks", "and not withdrawn")}
          union all ${newest("palimpsest_failures", "")}) as m`
    },
  })
  return (key: ThreadKey, position: number, next: number) =>
    Effect.map(find({ ...key, position, next }), ([found]) => found?.position ?? position)
}
