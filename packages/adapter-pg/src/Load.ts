/**
 * Reading the live part of a thread: one statement, one snapshot.
 *
 * @since 0.1.0
 */
import type { Cut, Fault, Thread, ThreadKey } from "@palimpsest/core"
import { decodeMark, isCut, liveThread } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { atEnd, CutRecord, Key, LoadRecord, type Place } from "./Rows.ts"

const Below = Schema.Struct({
  ...Key.fields,
  position: Schema.Finite,
  rank: Schema.Finite,
  revision: Schema.Finite,
})

type Request = typeof Below.Encoded

/** The newest cut before a place, found by the end of an index. */
const newestCut = (sql: SqlClient, { tenant, chat, position, rank, revision }: Request): Fragment => sql`
  select k.position::float8 as position, k.rank, k.revision::float8 as revision, k.seq::float8 as seq,
    k.id, k.kind, k.anchor, k.payload, k.kept,
    (k.anchor = '' and k.position = 0) or exists (
      select from palimpsest_messages m
      where m.tenant = k.tenant and m.chat = k.chat and m.id = k.anchor and m.position = k.position
    ) as anchored
  from palimpsest_marks k
  where k.tenant = ${tenant} and k.chat = ${chat} and k.kind in ('summary', 'reset')
    and (k.position, k.rank, k.revision) < (${position}::int8, ${rank}::int4, ${revision}::int8)
  order by k.position desc, k.rank desc, k.revision desc
  limit 1`

/**
 * Makes the statement that reads a whole window: for `explain`. Its parameters are encoded with `encodeText`.
 *
 * Three things keep the planner from reading the whole thread when it has poor statistics: both ends of each range
 * are given (with one end alone it expects a third of the table), each range is asked for in the order of its key
 * (so that no other index looks as good), and kept rows are looked up one by one.
 *
 * @category statements
 * @since 0.1.0
 */
export const windowStatement = (sql: SqlClient, request: Request) => {
  const mine = sql`tenant = ${request.tenant} and chat = ${request.chat}`
  return sql`
  with thread as (select system, next_position from palimpsest_chats where ${mine}),
  cut as materialized (${newestCut(sql, request)}),
  edge as materialized (
    select coalesce(max(position), -1)::int8 as position, coalesce(max(rank), -1) as rank,
      coalesce(max(revision), -1)::int8 as revision, coalesce(max(seq), 0)::int8 as seq
    from cut)
  select 'chat' as source, null::float8 as position, null::int4 as rank, null::float8 as revision,
    null::float8 as seq, null::text as id, null::text as kind, null::text as anchor, system as payload,
    null::float8 as tokens, null::text as tokenizer, null::text as cap, null::text as "rawFormat",
    null::text as "rawText", null::text as usage, null::bool as anchored
  from thread
  union all
  select 'cut', position, rank, revision, seq, id, kind, anchor, payload, null, null, null, null, null, null, anchored
  from cut
  union all
  select 'kept', m.position::float8, null, null, null, m.id, null, null, m.payload, m.tokens, m.tokenizer, m.cap,
    m.raw_format, m.raw_text, m.usage, null
  from cut cross join json_array_elements_text(cut.kept::json) as k(id)
  cross join lateral (
    select * from palimpsest_messages
    where ${mine} and id = k.id and position <= cut.position
    limit 1) as m
  union all
  (select 'message', position::float8, null, null, null, id, null, null, payload, tokens, tokenizer, cap,
    raw_format, raw_text, usage, null
  from palimpsest_messages
  where ${mine} and position > (select position from edge) and position < (select next_position from thread)
  order by palimpsest_messages.position)
  union all
  (select 'mark', position::float8, rank, revision::float8, seq::float8, id, kind, anchor, payload, null, null, null,
    null, null, null, null
  from palimpsest_marks
  where ${mine} and position >= (select position from edge) and position < (select next_position from thread)
    and (position > (select position from edge) or rank > (select rank from edge))
    and kind not in ('summary', 'reset')
  order by palimpsest_marks.position)
  union all
  (select 'failure', position::float8, null, null, seq::float8, null, stage, anchor, reason, tokens, null, null,
    null, null, null, null
  from palimpsest_failures
  where ${mine} and position >= (select position from edge) and position < (select next_position from thread)
    and (position > (select position from edge) or seq > (select seq from edge))
  order by palimpsest_failures.position)`
}

type LoadRow = typeof LoadRecord.Type

const of = <S extends LoadRow["source"]>(rows: ReadonlyArray<LoadRow>, source: S) =>
  rows.filter((row): row is Extract<LoadRow, { readonly source: S }> => row.source === source)

/** A cut that can be read and stands at a message of the thread, or the fault of it. */
const readCut = (stored: typeof CutRecord.Type): Result.Result<Cut, Fault> => {
  const fault = (reason: string) => Result.fail({ row: stored.id, kind: stored.kind, reason })
  if (!stored.anchored) return fault("its anchor is no message of this thread")
  const mark = decodeMark(stored)
  if (Result.isFailure(mark)) return fault(mark.failure)
  return isCut(mark.success) ? Result.succeed(mark.success) : fault("it is no cut")
}

const failuresOf = (rows: ReadonlyArray<LoadRow>) =>
  of(rows, "failure")
    .sort((a, b) => a.seq - b.seq)
    .map(({ anchor, kind, payload, tokens }) => ({ anchor, stage: kind, reason: payload, tokens }))

const threadOf = (rows: ReadonlyArray<LoadRow>, cut: Cut | null, faults: ReadonlyArray<Fault>): Thread =>
  liveThread({
    system: of(rows, "chat")[0]?.payload ?? "",
    cut,
    kept: of(rows, "kept"),
    messages: of(rows, "message"),
    marks: of(rows, "mark"),
    failures: failuresOf(rows),
    faults,
    revision: 0,
  })

const bytesOf = (rows: ReadonlyArray<LoadRow>): number =>
  rows.reduce((sum, row) => sum + (row.payload?.length ?? 0), 0)

/**
 * Makes the reader of threads. A cut that cannot be read costs one more statement, which looks before it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLoad = (sql: SqlClient) => {
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
      const stored = of(rows, "cut")[0]
      const cut = stored === undefined ? null : readCut(stored)
      if (cut === null || stored === undefined || Result.isSuccess(cut)) {
        yield* Effect.annotateCurrentSpan({ rows: rows.length, bytes: bytesOf(rows), faults: faults.length })
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
