/**
 * Rewinds: the line of a chat goes on after an earlier message, and no row moves.
 *
 * @since 0.1.0
 */
import { OPEN, type ThreadKey } from "@palimpsest/core"
import { unknownAnchor } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeMoment, makeNext, makePositionOf } from "./Find.ts"
import { lineOf } from "./Line.ts"
import { makeLock } from "./Lock.ts"
import { makeForgetHidden } from "./memory/Forget.ts"
import { encodeText } from "./Text.ts"

/**
 * Truncates the line of a chat at a time, and lets it go on after the times that are used. It answers the chats whose
 * rows it showed after that time.
 */
const makeCutLine = (sql: SqlClient) =>
  Effect.fnUntraced(function* (key: ThreadKey, time: number, end: number) {
    const [tenant, chat] = [encodeText(key.tenant), encodeText(key.chat)]
    const mine = sql`tenant = ${tenant} and chat = ${chat}`
    // The line of a chat that was never rewound is written down first.
    yield* sql`
      with ${lineOf(sql, { tenant, chat })}
      insert into palimpsest_stretches (tenant, chat, low, high, source)
      select ${tenant}, ${chat}, low, high, source from line
      on conflict do nothing`
    const gone = yield* sql<{ source: string }>`
      delete from palimpsest_stretches where ${mine} and low >= ${time}::int8 returning source`
    const shortened = yield* sql<{ source: string }>`
      update palimpsest_stretches set high = ${time}::int8 where ${mine} and high > ${time}::int8 returning source`
    yield* sql`insert into palimpsest_stretches (tenant, chat, low, high, source)
      values (${tenant}, ${chat}, ${end}, ${OPEN}, ${chat})`
    return [...gone, ...shortened].map(({ source }) => source)
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
  const nextOf = makeNext(sql)
  const momentOf = makeMoment(sql)
  const cutLine = makeCutLine(sql)
  const forgetHidden = makeForgetHidden(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, to: string) {
    const { next } = yield* lockLive("rewind", key)
    const position = yield* positionOf(key, to)
    if (position === undefined) return yield* Effect.fail(unknownAnchor("rewind", to))
    const following = yield* nextOf(key, position)
    if (following === OPEN) return
    const time = yield* momentOf(key, position, following)
    const sources = yield* cutLine(key, time, next - 1)
    yield* forgetHidden(key.tenant, sources, time)
    yield* sql`update palimpsest_chats
      set next_position = ${next + 1}, revision = greatest(revision, newest_revision) + 2
      where tenant = ${encodeText(key.tenant)} and chat = ${encodeText(key.chat)}`
  })
}
