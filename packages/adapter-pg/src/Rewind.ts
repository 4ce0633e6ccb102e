/**
 * Rewinds: the line of a chat goes on after an earlier message, and no row moves.
 *
 * @since 0.1.0
 */
import { OPEN, type ThreadKey } from "@palimpsest/core"
import { unknownAnchor } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeNewest, makePositionOf } from "./Find.ts"
import { lineOf } from "./Line.ts"
import { makeLock } from "./Lock.ts"
import { encodeText } from "./Text.ts"

/** Truncates the line of a chat at a position, and lets it go on after the times that are used. */
const makeCutLine = (sql: SqlClient) =>
  Effect.fnUntraced(function* (key: ThreadKey, position: number, end: number) {
    const [tenant, chat] = [encodeText(key.tenant), encodeText(key.chat)]
    const mine = sql`tenant = ${tenant} and chat = ${chat}`
    // The line of a chat that was never rewound is written down first.
    yield* sql`
      with ${lineOf(sql, { tenant, chat })}
      insert into palimpsest_stretches (tenant, chat, low, high, source)
      select ${tenant}, ${chat}, low, high, source from line
      on conflict do nothing`
    yield* sql`delete from palimpsest_stretches where ${mine} and low >= ${position}::int8`
    yield* sql`update palimpsest_stretches set high = ${position}::int8 where ${mine} and high > ${position}::int8`
    yield* sql`insert into palimpsest_stretches (tenant, chat, low, high, source)
      values (${tenant}, ${chat}, ${end}, ${OPEN}, ${chat})`
  })

/**
 * Makes `rewind`, which needs a transaction.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRewind = (sql: SqlClient) => {
  const { lockLive } = makeLock(sql)
  const positionOf = makePositionOf(sql)
  const newest = makeNewest(sql)
  const cutLine = makeCutLine(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, to: string) {
    const { next } = yield* lockLive("rewind", key)
    const position = yield* positionOf(key, to)
    if (position === undefined) return yield* Effect.fail(unknownAnchor("rewind", to))
    if (position === (yield* newest(key))) return
    yield* cutLine(key, position, next - 1)
    yield* sql`update palimpsest_chats
      set next_position = ${next + 1}, revision = greatest(revision, newest_revision) + 1
      where tenant = ${encodeText(key.tenant)} and chat = ${encodeText(key.chat)}`
  })
}
