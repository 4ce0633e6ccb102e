/**
 * Reading the live part of a thread: one statement, one snapshot.
 *
 * @since 0.1.0
 */
import type { Cut, Fault, Thread, ThreadKey } from "@palimpsest/core"
import { decodeMark, isCut, liveThread, removed } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { idsIn } from "./Find.ts"
import { isShown, sourcesOf, stretchAt, stretchesFrom, unwrittenOf, writtenOf } from "./Line.ts"
import { makeRefuseRemoved } from "./Lock.ts"
import { noteRead } from "./NoteRead.ts"
import { atEnd, CutRecord, Key, LoadRecord, type Place } from "./Rows.ts"

const Below = Schema.Struct({
  ...Key.fields,
  time: Schema.Finite,
  position: Schema.Finite,
  rank: Schema.Finite,
  revision: Schema.Finite,
})

type Request = typeof Below.Encoded

/**
 * The newest cut before a place: the stretches are walked from the newest on, each from the end of its index. They
 * are asked for apart from the line of a chat that has none, since of both together the planner would sort them all.
 */
const newestCut = (sql: SqlClient, request: Request): Fragment => {
  const { tenant, time, position, rank, revision } = request
  const inStretch = sql`cross join lateral (
    select * from palimpsest_marks
    where tenant = ${tenant} and chat = s.source and kind in ('summary', 'reset') and not withdrawn
      and time > s.low and time <= s.high
      and (time, position, rank, revision) < (${time}::int8, ${position}::int8, ${rank}::int4, ${revision}::int8)
    order by time desc, position desc, rank desc, revision desc
    limit 1) as k`
  return sql`
  select k.time::float8 as time, k.position::float8 as position, k.rank, k.revision::float8 as revision,
    k.seq::float8 as seq, k.id, k.kind, k.anchor, k.payload, k.kept,
    (k.anchor = '' and k.position = 0) or exists (
      select from ${stretchAt(sql, request, sql`k.position`)} as o cross join lateral (
        select from palimpsest_messages
        where tenant = ${tenant} and chat = o.source and id = k.anchor and position = k.position
        limit 1) as m
      where k.position <= o.high
    ) as flag
  from (
    (select k.* from ${writtenOf(sql, request)} as s ${inStretch} order by s.low desc limit 1)
    union all
    select k.* from ${unwrittenOf(sql, request)} as s ${inStretch}) as k`
}

/**
 * Makes the statement that reads a whole window: for `explain`. Its parameters are encoded with `encodeText`.
 *
 * Rows are read stretch by stretch of the line, so that what a rewind hid is never touched. Three things keep the
 * planner from reading a whole thread when it has poor statistics: both ends of each range are given (with one end
 * alone it expects a third of the table), each range is asked for in the order of its key (so that no other index
 * looks as good), and kept rows are looked up one by one. An id is a range too: of equals no order is asked for.
 *
 * @category statements
 * @since 0.1.0
 */
export const windowStatement = (sql: SqlClient, request: Request) => {
  const { tenant, chat } = request
  const edge = sql`(select position from edge)`
  const last = sql`least(s.high, (select next_position - 1 from thread))`
  const since = sql`time > greatest(s.low, ${edge} - 1) and time <= ${last}`
  return sql`
  with thread as (
    select system, owner, next_position, revision, removed_at from palimpsest_chats
    where tenant = ${tenant} and chat = ${chat}),
  cut as materialized (${newestCut(sql, request)}),
  edge as materialized (
    select coalesce(max(position), -1)::int8 as position, coalesce(max(rank), -1) as rank,
      coalesce(max(seq), 0)::int8 as seq
    from cut),
  line as materialized (select * from ${stretchesFrom(sql, request, edge)} as s)
  select 'chat' as source, null::float8 as time, null::float8 as position, null::int4 as rank,
    revision::float8 as revision, null::float8 as seq, null::text as id, owner as kind, null::text as anchor,
    system as payload, null::float8 as tokens, null::text as tokenizer, null::text as cap,
    null::text as "rawFormat", null::text as "rawText", null::text as usage, null::float8 as at,
    removed_at is not null as flag
  from thread
  union all
  select 'cut', time, position, rank, revision, seq, id, kind, anchor, payload, null, null, null, null, null, null,
    null, flag
  from cut
  union all
  select 'kept', null, m.position::float8, null, null, null, m.id, null, null, m.payload, m.tokens, m.tokenizer,
    m.cap, m.raw_format, m.raw_text, m.usage, m.said_at, null
  from cut cross join lateral ${idsIn(sql, sql`cut.kept`)} as k(id)
  cross join ${sourcesOf(sql, request)}
  cross join lateral (
    select * from palimpsest_messages as m
    where m.tenant = ${tenant} and m.chat = s.source and m.id >= k.id and m.id <= k.id
      and m.position <= cut.position and ${isShown(sql, request, "m", "position")}
    order by m.id desc, m.position desc
    limit 1) as m
  union all
  select 'message', null, m.position::float8, null, null, null, m.id, null, null, m.payload, m.tokens, m.tokenizer,
    m.cap, m.raw_format, m.raw_text, m.usage, m.said_at, null
  from line as s cross join lateral (
    select * from palimpsest_messages
    where tenant = ${tenant} and chat = s.source and position > greatest(s.low, ${edge}) and position <= ${last}
    order by position) as m
  where s.high > ${edge}
  union all
  select 'mark', null, m.position::float8, m.rank, m.revision::float8, m.seq::float8, m.id, m.kind, m.anchor,
    m.payload, null, null, null, null, null, null, null, null
  from line as s cross join lateral (
    select * from palimpsest_marks
    where tenant = ${tenant} and chat = s.source and ${since}
      and not withdrawn and kind not in ('summary', 'reset')
      and (position > ${edge} or position = ${edge} and rank > (select rank from edge))
    order by time) as m
  where s.high >= ${edge}
  union all
  select 'failure', null, m.position::float8, null, null, m.seq::float8, null, m.stage, m.anchor, m.reason, m.tokens,
    null, null, null, null, null, null, null
  from line as s cross join lateral (
    select * from palimpsest_failures
    where tenant = ${tenant} and chat = s.source and ${since}
      and (position > ${edge} or position = ${edge} and seq > (select seq from edge))
    order by time) as m
  where s.high >= ${edge}`
}

type LoadRow = typeof LoadRecord.Type

const of = <S extends LoadRow["source"]>(rows: ReadonlyArray<LoadRow>, source: S) =>
  rows.filter((row): row is Extract<LoadRow, { readonly source: S }> => row.source === source)

/** A cut that can be read and stands at a message of the thread, or the fault of it. */
const readCut = (stored: typeof CutRecord.Type): Result.Result<Cut, Fault> => {
  const fault = (reason: string) => Result.fail({ row: stored.id, kind: stored.kind, reason })
  if (!stored.flag) return fault("its anchor is no message of this thread")
  const mark = decodeMark(stored)
  if (Result.isFailure(mark)) return fault(mark.failure)
  return isCut(mark.success) ? Result.succeed(mark.success) : fault("it is no cut")
}

const failuresOf = (rows: ReadonlyArray<LoadRow>) =>
  of(rows, "failure")
    .sort((a, b) => a.seq - b.seq)
    .map(({ anchor, kind, payload, tokens }) => ({ anchor, stage: kind, reason: payload, tokens }))

const threadOf = (rows: ReadonlyArray<LoadRow>, cut: Cut | null, faults: ReadonlyArray<Fault>): Thread => {
  const chat = of(rows, "chat")[0]
  return liveThread({
    system: chat?.payload ?? "",
    owner: chat?.kind ?? "",
    cut,
    kept: of(rows, "kept"),
    messages: of(rows, "message"),
    marks: of(rows, "mark"),
    failures: failuresOf(rows),
    faults,
    revision: chat?.revision ?? 0,
  })
}

/**
 * Makes the reader of threads. A cut that cannot be read costs one more statement, which looks before it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLoad = (sql: SqlClient) => {
  const refuseRemoved = makeRefuseRemoved(sql)
  const read = SqlSchema.findAll({
    Request: Below,
    Result: LoadRecord,
    execute: (request) => windowStatement(sql, request),
  })
  return Effect.fnUntraced(function* (key: ThreadKey) {
    const faults: Array<Fault> = []
    let below: Place = atEnd
    for (;;) {
      const rows = yield* read({ ...key, ...below })
      const chat = of(rows, "chat")[0]
      if (chat === undefined) yield* refuseRemoved("load", key)
      if (chat?.flag === true) return yield* Effect.fail(removed("load"))
      const stored = of(rows, "cut")[0]
      const cut = stored === undefined ? null : readCut(stored)
      if (cut === null || stored === undefined || Result.isSuccess(cut)) {
        yield* noteRead("load", rows)
        yield* Effect.annotateCurrentSpan({ faults: faults.length })
        return threadOf(rows, cut === null ? null : Result.getOrNull(cut), faults)
      }
      faults.push(cut.failure)
      below = stored
    }
  })
}

/**
 * Makes the finder of the live cut, for writers that hold the lock of the chat.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLiveCut = (sql: SqlClient) => {
  const find = SqlSchema.findAll({
    Request: Below,
    Result: CutRecord,
    execute: (request) => sql`${newestCut(sql, request)}`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey) {
    let below: Place = atEnd
    for (;;) {
      const [stored] = yield* find({ ...key, ...below })
      if (stored === undefined) return null
      const cut = readCut(stored)
      if (Result.isSuccess(cut)) return cut.success
      below = stored
    }
  })
}
