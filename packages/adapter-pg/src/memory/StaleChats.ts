/**
 * What is to be indexed: chats that have rows which were not looked at, and those rows.
 *
 * @since 0.1.0
 */
import type { MessageRow } from "@palimpsest/core"
import { readMessages } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { PgJson, PgText } from "../Text.ts"
import { isHeld } from "./Held.ts"

/** Chats of one batch. */
const CHATS = 50

/** Rows before the first new one that are read as well: calls whose results come later, and what was said just before. */
const BEFORE = 40

/** UTF-16 units of payloads that one batch reads, when it has more than one row. */
const MOST_UNITS = 8 * 1024 * 1024

const Stale = Schema.Struct({
  chat: PgText,
  owner: PgText,
  indexed: Schema.Finite,
  last: Schema.Finite,
  revision: Schema.Finite,
})

/**
 * A chat with rows that were not looked at, as it was when it was read.
 *
 * @category models
 * @since 0.1.0
 */
export type StaleChat = typeof Stale.Type

/**
 * Makes the finder of such chats. Of one that was never opened it is not known yet whose it is: it waits.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFindStale = (sql: SqlClient) => {
  const find = SqlSchema.findAll({
    Request: Schema.Struct({ tenant: PgText }),
    Result: Stale,
    execute: ({ tenant }) => sql`
      select chat, coalesce(owner, '') as owner, indexed::float8 as indexed, (next_position - 1)::float8 as last, revision::float8 as revision
      from palimpsest_chats
      where tenant = ${tenant} and is_stale and removed_at is null and (owner is not null or system is not null)
      order by chat limit ${CHATS}`,
  })
  return (tenant: string) => find({ tenant })
}

const Request = Schema.Struct({
  tenant: PgText,
  chat: PgText,
  indexed: Schema.Finite,
  last: Schema.Finite,
  rows: Schema.Finite,
})

const Fresh = Schema.Struct({
  id: PgText,
  position: Schema.Finite,
  payload: PgJson,
  at: Schema.Finite,
  isNew: Schema.Boolean,
})

const columns = (sql: SqlClient) => sql`id, position::float8 as position, payload, at`

/**
 * Rows of a chat that are to be looked at, with some of those before them.
 *
 * @category models
 * @since 0.1.0
 */
export interface FreshRows {
  readonly before: ReadonlyArray<MessageRow>
  readonly rows: ReadonlyArray<MessageRow>
  /** How many were read, with those that cannot be. */
  readonly read: number
  /** Position up to which all was looked at. */
  readonly end: number
}

const withoutRest = { tokens: 0, tokenizer: "", cap: null, rawFormat: null, rawText: null, usage: null }

/** The beginning of a batch that is not too large. */
const within = (found: ReadonlyArray<typeof Fresh.Type>): ReadonlyArray<typeof Fresh.Type> => {
  let units = 0
  const end = found.findIndex(({ payload }, i) => {
    units += payload.length
    return i > 0 && units > MOST_UNITS
  })
  return end < 0 ? found : found.slice(0, end)
}

const messagesOf = (found: ReadonlyArray<typeof Fresh.Type>): ReadonlyArray<MessageRow> =>
  readMessages(found.map(({ isNew: _, ...row }) => ({ ...row, ...withoutRest }))).rows

/**
 * Makes the reader of rows that were not looked at. Rows that nobody is shown any more are passed over.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeReadFresh = (sql: SqlClient) => {
  const read = SqlSchema.findAll({
    Request,
    Result: Fresh,
    execute: ({ tenant, chat, indexed, last, rows }) => {
      const mine = sql`
        select id, position, payload, coalesce(said_at, floor(extract(epoch from created_at) * 1000))::float8 as at
        from palimpsest_messages as m
        where tenant = ${tenant} and chat = ${chat} and ${isHeld(sql, "m")}`
      return sql`
        (select ${columns(sql)}, false as "isNew" from (
          ${mine} and position > ${indexed - BEFORE}::int8 and position <= ${indexed}::int8
          order by position) as b)
        union all
        (select ${columns(sql)}, true as "isNew" from (
          ${mine} and position > ${indexed}::int8 and position <= ${last}::int8
          order by position limit ${rows}::int8) as n)
        order by position`
    },
  })
  return Effect.fnUntraced(function* (tenant: string, { chat, indexed, last }: StaleChat, rows: number) {
    const found = yield* read({ tenant, chat, indexed, last, rows })
    const all = found.filter(({ isNew }) => isNew)
    const fresh = within(all)
    const isWhole = fresh.length === all.length && all.length < rows
    const answer: FreshRows = {
      before: messagesOf(found.filter(({ isNew }) => !isNew)),
      rows: messagesOf(fresh),
      read: fresh.length,
      end: isWhole ? last : (fresh.at(-1)?.position ?? last),
    }
    return answer
  })
}
