/**
 * The reads beside the window: single rows, and pages for a person who scrolls.
 *
 * @since 0.1.0
 */
import { order, type ThreadKey } from "@palimpsest/core"
import {
  decodeMessage,
  idFault,
  type Page,
  pageBounds,
  readable,
  readMarks,
  readMessages,
} from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { makeByIds } from "./Find.ts"
import { isShown, sourcesOf, stretchesFrom, unwrittenOf, writtenFrom } from "./Line.ts"
import { makeRefuseRemoved } from "./Lock.ts"
import { noteRead } from "./NoteRead.ts"
import { Key, PageRecord } from "./Rows.ts"

/**
 * Makes `row`: one message by its id.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRow = (sql: SqlClient) => {
  const byIds = makeByIds(sql)
  const refuseRemoved = makeRefuseRemoved(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, id: string) {
    const [stored] = yield* byIds({ ...key, ids: idFault(id) === null ? [id] : [] })
    yield* noteRead("row", stored === undefined ? [] : [stored])
    if (stored !== undefined) return yield* Effect.fromResult(readable(decodeMessage(stored), id))
    yield* refuseRemoved("row", key)
    return null
  })
}

const PageRequest = Schema.Struct({ ...Key.fields, from: Schema.Finite, limit: Schema.Finite })

/**
 * The first positions from one on that hold a row, numbered, with one more to tell where the next page begins. Marks
 * are looked for by their place in all of each chat, since those of late stretches may stand at early messages.
 */
const placesOf = (sql: SqlClient, request: typeof PageRequest.Encoded) => {
  const { tenant, from, limit } = request
  const inStretch = sql`cross join lateral (
    select position from palimpsest_messages
    where tenant = ${tenant} and chat = s.source and position > greatest(s.low, ${from}::int8 - 1)
      and position <= s.high
    order by position limit ${limit + 1}::int8) as m`
  return sql`
  select position, row_number() over (order by position) as n from (
    (select m.position from ${writtenFrom(sql, request, sql`${from}::int8`)} as s ${inStretch}
      order by s.low, m.position limit ${limit + 1}::int8)
    union
    (select m.position from ${unwrittenOf(sql, request)} as s ${inStretch})
    union
    (select m.position from ${sourcesOf(sql, request)} cross join lateral (
        select distinct m.position from palimpsest_marks as m
        where m.tenant = ${tenant} and m.chat = s.source and m.position >= ${from}::int8 and not m.withdrawn
          and ${isShown(sql, request, "m", "time")}
        order by m.position limit ${limit + 1}::int8) as m)
  ) as found
  order by position limit ${limit + 1}::int8`
}

const pageStatement = (sql: SqlClient, request: typeof PageRequest.Encoded) => {
  const { tenant, limit } = request
  const first = sql`(select min(position) from places where n <= ${limit}::int8)`
  const last = sql`(select max(position) from places where n <= ${limit}::int8)`
  return sql`
  with places as materialized (${placesOf(sql, request)})
  select 'next' as source, position::float8 as position, null::int4 as rank, null::float8 as revision,
    null::float8 as seq, null::text as id, null::text as kind, null::text as anchor, null::text as payload,
    null::float8 as tokens, null::text as tokenizer, null::text as cap, null::text as "rawFormat",
    null::text as "rawText", null::text as usage, null::float8 as at
  from places where n > ${limit}::int8
  union all
  select 'message', m.position::float8, null, null, null, m.id, null, null, m.payload, m.tokens, m.tokenizer, m.cap,
    m.raw_format, m.raw_text, m.usage, m.said_at
  from ${stretchesFrom(sql, request, first)} as s cross join lateral (
    select * from palimpsest_messages
    where tenant = ${tenant} and chat = s.source
      and position > greatest(s.low, ${first} - 1) and position <= least(s.high, ${last})
    order by position) as m
  where s.low < ${last}
  union all
  select 'mark', m.position::float8, m.rank, m.revision::float8, m.seq::float8, m.id, m.kind, m.anchor, m.payload,
    null, null, null, null, null, null, null
  from ${sourcesOf(sql, request)} cross join lateral (
    select * from palimpsest_marks as m
    where m.tenant = ${tenant} and m.chat = s.source and m.position >= ${first} and m.position <= ${last}
      and not m.withdrawn and ${isShown(sql, request, "m", "time")}
    order by m.position) as m`
}

/**
 * Makes `page`: every row of the next positions that the thread shows, covered or not.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePage = (sql: SqlClient) => {
  const refuseRemoved = makeRefuseRemoved(sql)
  const read = SqlSchema.findAll({
    Request: PageRequest,
    Result: PageRecord,
    execute: (request) => pageStatement(sql, request),
  })
  return Effect.fnUntraced(function* (key: ThreadKey, from: number, limit: number) {
    const found = yield* read({ ...key, ...pageBounds(from, limit) })
    if (found.length === 0) yield* refuseRemoved("page", key)
    yield* noteRead("page", found)
    const messages = readMessages(found.filter((row) => row.source === "message"))
    const marks = readMarks(found.filter((row) => row.source === "mark"))
    const page: Page = {
      rows: [...messages.rows, ...marks.rows].sort(order),
      faults: [...messages.faults, ...marks.faults],
      next: found.find((row) => row.source === "next")?.position ?? null,
    }
    return page
  })
}
