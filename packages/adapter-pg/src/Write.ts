/**
 * Appending: a short transaction that holds the lock of its chat, and may be repeated.
 *
 * @since 0.1.0
 */
import type { MessageRow, ThreadKey } from "@palimpsest/core"
import {
  type AppendOptions,
  conflict,
  encodeBatch,
  hidden,
  type NewMessage,
  readMessages,
  type StoredMessage,
  samePayload,
} from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeByIds, makePositionOf } from "./Find.ts"
import { makeLock } from "./Lock.ts"
import { encodeJson, encodeText } from "./Text.ts"

/** UTF-16 units of rows that go into one statement. */
const CHUNK_UNITS = 4 * 1024 * 1024

/** A message with its place. */
export type Placed = StoredMessage & { readonly position: number }

const chunks = (rows: ReadonlyArray<Placed>): ReadonlyArray<ReadonlyArray<Placed>> => {
  const all: Array<Array<Placed>> = []
  let units = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = row.payload.length + (row.rawText?.length ?? 0)
    if (units + size > CHUNK_UNITS) {
      all.push([])
      units = 0
    }
    all.at(-1)?.push(row)
    units += size
  }
  return all
}

/** The columns of a message, as parameters. */
export const record = (row: Placed) => ({
  ...row,
  id: encodeText(row.id),
  payload: encodeJson(row.payload),
  cap: row.cap === null ? null : encodeJson(row.cap),
  tokenizer: encodeText(row.tokenizer),
  rawFormat: row.rawFormat === null ? null : encodeText(row.rawFormat),
  rawText: row.rawText === null ? null : encodeText(row.rawText),
  usage: row.usage === null ? null : encodeJson(row.usage),
})

/**
 * Makes `append`, which needs a transaction: positions are given under the lock of the chat, so that they increase in
 * the order of commits, and ids of shown messages differ.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeAppend = (sql: SqlClient) => {
  const { lockLive } = makeLock(sql)
  const positionOf = makePositionOf(sql)
  const byIds = makeByIds(sql)
  const insert = (tenant: string, chat: string, rows: ReadonlyArray<Placed>) => sql`
    insert into palimpsest_messages
      (tenant, chat, position, id, payload, tokens, tokenizer, cap, raw_format, raw_text, usage, said_at)
    select ${tenant}, ${chat}, position, id, payload, tokens, tokenizer, cap, "rawFormat", "rawText", usage, at
    from json_to_recordset(${JSON.stringify(rows.map(record))}::json) as r(
      position int8, id text, payload text, tokens float8, tokenizer text, cap text,
      "rawFormat" text, "rawText" text, usage text, at float8)`
  const place = Effect.fnUntraced(function* (
    key: ThreadKey,
    fresh: ReadonlyArray<StoredMessage>,
    next: number,
  ) {
    const tenant = encodeText(key.tenant)
    const chat = encodeText(key.chat)
    const placed = fresh.map((row, i) => ({ ...row, position: next + i }))
    for (const rows of chunks(placed)) yield* insert(tenant, chat, rows)
    if (placed.length > 0) {
      yield* sql`update palimpsest_chats set next_position = ${next + placed.length}, is_stale = true
        where tenant = ${tenant} and chat = ${chat}`
    }
    return placed
  })
  return Effect.fnUntraced(function* (
    key: ThreadKey,
    messages: ReadonlyArray<NewMessage>,
    { after = "" }: AppendOptions = {},
  ) {
    const batch = yield* Effect.fromResult(encodeBatch(messages))
    const { next } = yield* lockLive("append", key)
    if ((yield* positionOf(key, after)) === undefined) return yield* Effect.fail(hidden("append", after))
    const found = batch.length === 0 ? [] : yield* byIds({ ...key, ids: batch.map((row) => row.id) })
    const stored = new Map<string, Placed>(found.map((row) => [row.id, row]))
    const changed = batch.find((row) => {
      const other = stored.get(row.id)
      return other !== undefined && !samePayload(other.payload, row.payload)
    })
    if (changed !== undefined) return yield* Effect.fail(conflict(changed.id))
    const fresh = batch.filter((row) => !stored.has(row.id))
    for (const row of yield* place(key, fresh, next)) stored.set(row.id, row)
    const rows = batch.flatMap((row): ReadonlyArray<MessageRow> => {
      const placed = stored.get(row.id)
      return placed === undefined ? [] : readMessages([placed]).rows
    })
    yield* Effect.annotateCurrentSpan({ rows: rows.length, written: fresh.length })
    return rows
  })
}
