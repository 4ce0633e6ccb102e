/**
 * The writes: each is a short transaction that holds the lock of its chat, and may be repeated.
 *
 * @since 0.1.0
 */
import type { Failure, Mark, MessageRow, ThreadKey } from "@palimpsest/core"
import { order, rank } from "@palimpsest/core"
import {
  adopt,
  checkNewFailure,
  conflict,
  encodeBatch,
  encodeNewMark,
  isCut,
  keptIds,
  type MarkOutcome,
  type NewMark,
  type NewMessage,
  readMessages,
  type StoredMessage,
  samePayload,
  unknownAnchor,
} from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { makeLiveCut } from "./Load.ts"
import { Key, MarkRecord, MessageRecord } from "./Rows.ts"
import { encodeJson, encodeText } from "./Text.ts"

const Counters = Schema.Struct({ position: Schema.Finite, seq: Schema.Finite })
const Position = Schema.Struct({ position: Schema.Finite })
const Ids = Schema.Struct({ ...Key.fields, ids: Schema.Array(Schema.String) })

/** UTF-16 units of rows that go into one statement. */
const CHUNK_UNITS = 4 * 1024 * 1024

type Placed = StoredMessage & { readonly position: number }

/** Ids as a parameter: one text however many there are, so that one prepared statement serves all. */
const idList = (ids: ReadonlyArray<string>): string => JSON.stringify(ids.map(encodeText))

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

const record = (row: Placed) => ({
  ...row,
  id: encodeText(row.id),
  payload: encodeJson(row.payload),
  cap: row.cap === null ? null : encodeJson(row.cap),
  tokenizer: encodeText(row.tokenizer),
  rawFormat: row.rawFormat === null ? null : encodeText(row.rawFormat),
  rawText: row.rawText === null ? null : encodeText(row.rawText),
  usage: row.usage === null ? null : encodeJson(row.usage),
})

/** Takes the lock of the chat until the end of the transaction, and reads its counters. */
const makeLock = (sql: SqlClient) => {
  const lock = SqlSchema.findAll({
    Request: Key,
    Result: Counters,
    execute: ({ tenant, chat }) => sql`
      select next_position::float8 as position, next_seq::float8 as seq from palimpsest_chats
      where tenant = ${tenant} and chat = ${chat} for update`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey) {
    const [found] = yield* lock(key)
    if (found !== undefined) return found
    yield* sql`insert into palimpsest_chats (tenant, chat)
      values (${encodeText(key.tenant)}, ${encodeText(key.chat)}) on conflict do nothing`
    const [made] = yield* lock(key)
    return made ?? { position: 1, seq: 1 }
  })
}

const makePositionOf = (sql: SqlClient) => {
  const find = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, id: Schema.String }),
    Result: Position,
    execute: ({ tenant, chat, id }) => sql`
      select position::float8 as position from palimpsest_messages
      where tenant = ${tenant} and chat = ${chat} and id = ${encodeText(id)}`,
  })
  return Effect.fnUntraced(function* (operation: string, key: ThreadKey, anchor: string) {
    if (anchor === "") return 0
    const [found] = yield* find({ ...key, id: anchor })
    return found === undefined ? yield* Effect.fail(unknownAnchor(operation, anchor)) : found.position
  })
}

/**
 * Makes the reader of messages by id.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeByIds = (sql: SqlClient) =>
  SqlSchema.findAll({
    Request: Ids,
    Result: MessageRecord,
    execute: ({ tenant, chat, ids }) => sql`
      select m.position::float8 as position, m.id, m.payload, m.tokens, m.tokenizer, m.cap,
        m.raw_format as "rawFormat", m.raw_text as "rawText", m.usage
      from json_array_elements_text(${idList(ids)}::json) as k(id)
      cross join lateral (
        select * from palimpsest_messages
        where tenant = ${tenant} and chat = ${chat} and id = k.id
        limit 1) as m`,
  })

/**
 * Makes `append`: positions are given under the lock of the chat, so that they increase in the order of commits.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeAppend = (sql: SqlClient) => {
  const lock = makeLock(sql)
  const byIds = makeByIds(sql)
  const insert = (tenant: string, chat: string, rows: ReadonlyArray<Placed>) => sql`
    insert into palimpsest_messages
      (tenant, chat, position, id, payload, tokens, tokenizer, cap, raw_format, raw_text, usage)
    select ${tenant}, ${chat}, position, id, payload, tokens, tokenizer, cap, "rawFormat", "rawText", usage
    from json_to_recordset(${JSON.stringify(rows.map(record))}::json) as r(
      position int8, id text, payload text, tokens float8, tokenizer text, cap text,
      "rawFormat" text, "rawText" text, usage text)`
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
      yield* sql`update palimpsest_chats set next_position = ${next + placed.length}
        where tenant = ${tenant} and chat = ${chat}`
    }
    return placed
  })
  return Effect.fnUntraced(function* (key: ThreadKey, messages: ReadonlyArray<NewMessage>) {
    const batch = yield* Effect.fromResult(encodeBatch(messages))
    if (batch.length === 0) return []
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const { position } = yield* lock(key)
        const found = yield* byIds({ ...key, ids: batch.map((row) => row.id) })
        const stored = new Map<string, Placed>(found.map((row) => [row.id, row]))
        const changed = batch.find((row) => {
          const other = stored.get(row.id)
          return other !== undefined && !samePayload(other.payload, row.payload)
        })
        if (changed !== undefined) return yield* Effect.fail(conflict(changed.id))
        const fresh = batch.filter((row) => !stored.has(row.id))
        for (const row of yield* place(key, fresh, position)) stored.set(row.id, row)
        const rows = batch.flatMap((row): ReadonlyArray<MessageRow> => {
          const placed = stored.get(row.id)
          return placed === undefined ? [] : readMessages([placed]).rows
        })
        yield* Effect.annotateCurrentSpan({ rows: rows.length, written: fresh.length })
        return rows
      }),
    )
  })
}

const makeExistingMark = (sql: SqlClient) =>
  SqlSchema.findAll({
    Request: Schema.Struct({
      ...Key.fields,
      id: Schema.String,
      position: Schema.Finite,
      rank: Schema.Finite,
      revision: Schema.Finite,
    }),
    Result: MarkRecord,
    execute: ({ tenant, chat, id, position, rank: place, revision }) => sql`
      select position::float8 as position, rank, revision::float8 as revision, seq::float8 as seq,
        id, kind, anchor, payload
      from palimpsest_marks
      where tenant = ${tenant} and chat = ${chat}
        and (id = ${encodeText(id)} or (position = ${position}::int8 and rank = ${place} and revision = ${revision}::int8))
      order by (id = ${encodeText(id)}) desc limit 1`,
  })

const makeInsertMark = (sql: SqlClient) =>
  Effect.fnUntraced(function* (key: ThreadKey, row: Mark, payload: string, seq: number) {
    const tenant = encodeText(key.tenant)
    const chat = encodeText(key.chat)
    yield* sql`insert into palimpsest_marks
      (tenant, chat, position, rank, revision, seq, id, kind, anchor, kept, payload)
      values (${tenant}, ${chat}, ${row.position}, ${rank(row.kind)}, ${row.revision}, ${seq},
        ${encodeText(row.id)}, ${row.kind}, ${encodeText(row.anchor)},
        ${idList(isCut(row) ? keptIds(row) : [])}, ${encodeJson(payload)})`
    yield* sql`update palimpsest_chats set next_seq = ${seq + 1} where tenant = ${tenant} and chat = ${chat}`
  })

/**
 * Makes `mark`: insert, adopt the row that is there, or step back for a later cut.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMark = (sql: SqlClient) => {
  const lock = makeLock(sql)
  const positionOf = makePositionOf(sql)
  const liveCut = makeLiveCut(sql)
  const existing = makeExistingMark(sql)
  const insert = makeInsertMark(sql)
  const put = Effect.fnUntraced(function* (key: ThreadKey, mark: NewMark) {
    const stored = yield* Effect.fromResult(encodeNewMark(mark))
    const { seq } = yield* lock(key)
    const position = yield* positionOf("mark", key, mark.anchor)
    const row = yield* Effect.fromResult(adopt({ ...stored, position }))
    const live = isCut(row) ? yield* liveCut(key) : null
    if (live !== null && live.id !== row.id && order(row, live) < 0) {
      return { _tag: "Superseded", id: live.id } satisfies MarkOutcome
    }
    const [other] = yield* existing({
      ...key,
      id: row.id,
      position,
      rank: rank(row.kind),
      revision: row.revision,
    })
    if (other !== undefined) {
      return { _tag: "Adopted", row: yield* Effect.fromResult(adopt(other)) } satisfies MarkOutcome
    }
    yield* insert(key, row, stored.payload, seq)
    return { _tag: "Written", row } satisfies MarkOutcome
  })
  return (key: ThreadKey, mark: NewMark) => sql.withTransaction(put(key, mark))
}

/**
 * Makes `fail`: one row for one failure, however often it is told.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFail = (sql: SqlClient) => {
  const lock = makeLock(sql)
  const positionOf = makePositionOf(sql)
  const put = Effect.fnUntraced(function* (key: ThreadKey, failure: Failure) {
    const { anchor, stage, reason, tokens } = yield* Effect.fromResult(checkNewFailure(failure))
    const { seq } = yield* lock(key)
    const position = yield* positionOf("fail", key, anchor)
    const tenant = encodeText(key.tenant)
    const chat = encodeText(key.chat)
    const why = encodeText(reason)
    yield* sql`insert into palimpsest_failures (tenant, chat, position, seq, anchor, stage, reason, tokens)
      select ${tenant}, ${chat}, ${position}::int8, ${seq}::int8, ${encodeText(anchor)}, ${stage}, ${why},
        ${tokens}::float8
      where not exists (
        select from palimpsest_failures
        where tenant = ${tenant} and chat = ${chat} and position = ${position}::int8
          and anchor = ${encodeText(anchor)} and stage = ${stage} and reason = ${why} and tokens = ${tokens}::float8)`
    yield* sql`update palimpsest_chats set next_seq = ${seq + 1} where tenant = ${tenant} and chat = ${chat}`
  })
  return (key: ThreadKey, failure: Failure) => sql.withTransaction(put(key, failure))
}
