/**
 * The reads beside the window: single rows, and pages for a person who scrolls.
 *
 * @since 0.1.0
 */
import { order, type ThreadKey } from "@palimpsest/core"
import { decodeMessage, type Page, readable, readMarks, readMessages } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { Key, PageRecord } from "./Rows.ts"
import { makeByIds } from "./Write.ts"

/**
 * Makes `row`: one message by its id.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRow = (sql: SqlClient) => {
  const byIds = makeByIds(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, id: string) {
    const [stored] = yield* byIds({ ...key, ids: [id] })
    return stored === undefined ? null : yield* Effect.fromResult(readable(decodeMessage(stored), id))
  })
}

const PageRequest = Schema.Struct({ ...Key.fields, from: Schema.Finite, limit: Schema.Finite })

/** The first positions from one on that hold a row, numbered, with one more to tell where the next page begins. */
const placesOf = (sql: SqlClient, { tenant, chat, from, limit }: typeof PageRequest.Encoded) => sql`
  select position, row_number() over (order by position) as n from (
    (select position from palimpsest_messages
      where tenant = ${tenant} and chat = ${chat} and position >= ${from}::int8
      order by position limit ${limit + 1}::int8)
    union
    (select distinct position from palimpsest_marks
      where tenant = ${tenant} and chat = ${chat} and position >= ${from}::int8
      order by position limit ${limit + 1}::int8)
  ) as found
  order by position limit ${limit + 1}::int8`

const pageStatement = (sql: SqlClient, request: typeof PageRequest.Encoded) => {
  const within = sql`tenant = ${request.tenant} and chat = ${request.chat}
    and position >= (select min(position) from places where n <= ${request.limit}::int8)
    and position <= (select max(position) from places where n <= ${request.limit}::int8)`
  return sql`
  with places as materialized (${placesOf(sql, request)})
  select 'next' as source, position::float8 as position, null::int4 as rank, null::float8 as revision,
    null::float8 as seq, null::text as id, null::text as kind, null::text as anchor, null::text as payload,
    null::float8 as tokens, null::text as tokenizer, null::text as cap, null::text as "rawFormat",
    null::text as "rawText", null::text as usage
  from places where n > ${request.limit}::int8
  union all
  select 'message', position::float8, null, null, null, id, null, null, payload, tokens, tokenizer, cap,
    raw_format, raw_text, usage
  from palimpsest_messages where ${within}
  union all
  select 'mark', position::float8, rank, revision::float8, seq::float8, id, kind, anchor, payload, null, null, null,
    null, null, null
  from palimpsest_marks where ${within}`
}

const clamp = (value: number, least: number, most: number): number =>
  Number.isNaN(value) ? least : Math.min(most, Math.max(least, Math.ceil(value)))

/**
 * Makes `page`: every row of the next positions, covered or not.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePage = (sql: SqlClient) => {
  const read = SqlSchema.findAll({
    Request: PageRequest,
    Result: PageRecord,
    execute: (request) => pageStatement(sql, request),
  })
  return Effect.fnUntraced(function* (key: ThreadKey, from: number, limit: number) {
    const found = yield* read({
      ...key,
      from: clamp(from, 0, Number.MAX_SAFE_INTEGER),
      limit: clamp(limit, 0, 1_000_000),
    })
    yield* Effect.annotateCurrentSpan({ rows: found.length })
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
