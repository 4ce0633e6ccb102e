/**
 * Marks and failures: short transactions that hold the lock of their chat, and may be repeated.
 *
 * @since 0.1.0
 */
import type { Failure, Mark, ThreadKey } from "@palimpsest/core"
import { order, rank } from "@palimpsest/core"
import {
  adopt,
  checkNewFailure,
  encodeNewMark,
  isCut,
  keptIds,
  type MarkOutcome,
  type NewMark,
  unknownAnchor,
} from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { idList, makePositionOf } from "./Find.ts"
import { isShown, sourcesOf, stretchesFrom } from "./Line.ts"
import { makeLiveCut } from "./Load.ts"
import { makeLock } from "./Lock.ts"
import { Key, MarkRecord } from "./Rows.ts"
import { encodeJson, encodeText, PgText } from "./Text.ts"

const makeExisting = (sql: SqlClient) =>
  SqlSchema.findAll({
    Request: Schema.Struct({
      ...Key.fields,
      id: PgText,
      position: Schema.Finite,
      rank: Schema.Finite,
      revision: Schema.Finite,
    }),
    Result: MarkRecord,
    execute: ({ tenant, chat, id, position, rank: place, revision }) => sql`
      select m.position::float8 as position, m.rank, m.revision::float8 as revision, m.seq::float8 as seq,
        m.id, m.kind, m.anchor, m.payload
      from ${sourcesOf(sql, { tenant, chat })} cross join lateral (
        (select * from palimpsest_marks as m
          where m.tenant = ${tenant} and m.chat = s.source and m.id >= ${id} and m.id <= ${id}
            and not m.withdrawn and ${isShown(sql, { tenant, chat }, "m", "time")}
          order by m.id
          limit 1)
        union all
        (select * from palimpsest_marks as m
          where m.tenant = ${tenant} and m.chat = s.source
            and m.position >= ${position}::int8 and m.position <= ${position}::int8
            and m.rank = ${place} and m.revision = ${revision}::int8
            and not m.withdrawn and ${isShown(sql, { tenant, chat }, "m", "time")}
          order by m.position
          limit 1)) as m
      order by (m.id = ${id}) desc, m.time
      limit 1`,
  })

interface Place {
  readonly seq: number
  readonly time: number
}

const makeInsert = (sql: SqlClient) =>
  Effect.fnUntraced(function* (key: ThreadKey, row: Mark, payload: string, { seq, time }: Place) {
    const tenant = encodeText(key.tenant)
    const chat = encodeText(key.chat)
    yield* sql`insert into palimpsest_marks
      (tenant, chat, time, position, rank, revision, seq, id, kind, anchor, kept, payload)
      values (${tenant}, ${chat}, ${time}, ${row.position}, ${rank(row.kind)}, ${row.revision}, ${seq},
        ${encodeText(row.id)}, ${row.kind}, ${encodeText(row.anchor)},
        ${idList(isCut(row) ? keptIds(row) : [])}, ${encodeJson(payload)})`
    yield* sql`update palimpsest_chats
      set next_seq = ${seq + 1}, newest_revision = greatest(newest_revision, ${row.revision}::int8)
      where tenant = ${tenant} and chat = ${chat}`
  })

/** Whether a mark was made of another thread than there is now. */
const isStale = (mark: NewMark, revision: number, live: string | null): boolean =>
  mark.revision < revision ||
  (mark.kind === "summary" && mark.previous !== undefined && mark.previous !== live)

/**
 * Makes `mark`, which needs a transaction: insert, adopt the row that is there, or step back for what is newer.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeMark = (sql: SqlClient) => {
  const { lockLive } = makeLock(sql)
  const positionOf = makePositionOf(sql)
  const liveCut = makeLiveCut(sql)
  const existing = makeExisting(sql)
  const insert = makeInsert(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, mark: NewMark) {
    const stored = yield* Effect.fromResult(encodeNewMark(mark))
    const { seq, next, revision } = yield* lockLive("mark", key)
    const position = yield* positionOf(key, mark.anchor)
    if (position === undefined) return yield* Effect.fail(unknownAnchor("mark", mark.anchor))
    const row = yield* Effect.fromResult(adopt({ ...stored, position }))
    const live = isCut(row) ? yield* liveCut(key) : null
    const superseded: MarkOutcome = { _tag: "Superseded", id: live?.id ?? "" }
    if (live !== null && live.id !== row.id && order(row, live) < 0) return superseded
    const [other] = yield* existing({ ...key, ...row, rank: rank(row.kind) })
    if (other !== undefined) {
      return { _tag: "Adopted", row: yield* Effect.fromResult(adopt(other)) } satisfies MarkOutcome
    }
    if (isStale(mark, revision, live?.id ?? null)) return superseded
    yield* insert(key, row, stored.payload, { seq, time: next - 1 })
    return { _tag: "Written", row } satisfies MarkOutcome
  })
}

/**
 * Makes `fail`, which needs a transaction: one row for one failure, however often it is told.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFail = (sql: SqlClient) => {
  const { lockLive } = makeLock(sql)
  const positionOf = makePositionOf(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, failure: Failure) {
    const { anchor, stage, reason, tokens } = yield* Effect.fromResult(checkNewFailure(failure))
    const { seq, next } = yield* lockLive("fail", key)
    const position = yield* positionOf(key, anchor)
    if (position === undefined) return yield* Effect.fail(unknownAnchor("fail", anchor))
    const tenant = encodeText(key.tenant)
    const chat = encodeText(key.chat)
    const at = encodeText(anchor)
    const why = encodeText(reason)
    yield* sql`
      insert into palimpsest_failures (tenant, chat, time, position, seq, anchor, stage, reason, tokens)
      select ${tenant}, ${chat}, ${next - 1}::int8, ${position}::int8, ${seq}::int8, ${at}, ${stage}, ${why},
        ${tokens}::float8
      where not exists (
        select from ${stretchesFrom(sql, { tenant, chat }, sql`${position}::int8`)} as s cross join lateral (
          select from palimpsest_failures
          where tenant = ${tenant} and chat = s.source
            and time > greatest(s.low, ${position}::int8 - 1) and time <= s.high
            and anchor = ${at} and stage = ${stage} and reason = ${why} and tokens = ${tokens}::float8
          limit 1) as f)`
    yield* sql`update palimpsest_chats set next_seq = ${seq + 1} where tenant = ${tenant} and chat = ${chat}`
  })
}
