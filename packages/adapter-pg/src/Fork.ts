/**
 * Forks: a chat whose line begins with that of another. No row is copied.
 *
 * @since 0.1.0
 */
import { goesOn, type Line, type ThreadKey } from "@palimpsest/core"
import { otherChat, unknownAnchor } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { makeMoment, makeNewest, makeNext, makePositionOf } from "./Find.ts"
import { lineOf } from "./Line.ts"
import { makeLock } from "./Lock.ts"
import { Key } from "./Rows.ts"
import { encodeText, PgText } from "./Text.ts"

const makeReadLine = (sql: SqlClient) =>
  SqlSchema.findAll({
    Request: Key,
    Result: Schema.Struct({ source: PgText, low: Schema.Finite, high: Schema.Finite }),
    execute: ({ tenant, chat }) => sql`
      with ${lineOf(sql, { tenant, chat })}
      select source, low::float8 as low, high::float8 as high from line order by low`,
  })

const sameLine = (a: Line, b: Line): boolean =>
  a.length === b.length &&
  a.every(({ source, low, high }, i) => {
    const other = b[i]
    return other?.source === source && other.low === low && other.high === high
  })

/** What the first times of a fork are: the chat that it comes from uses none of them any more. */
const makePart = (sql: SqlClient) =>
  Effect.fnUntraced(function* (from: ThreadKey, to: string, position: number, line: Line) {
    const [tenant, source, chat] = [from.tenant, from.chat, to].map(encodeText)
    const rows = line.map((stretch) => ({ ...stretch, source: encodeText(stretch.source) }))
    yield* sql`
      insert into palimpsest_stretches (tenant, chat, low, high, source)
      select ${tenant}, ${chat}, low, high, source
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(low int8, high int8, source text)`
    yield* sql`update palimpsest_chats set next_position = greatest(next_position, ${position + 2}::int8)
      where tenant = ${tenant} and chat = ${source}`
    yield* sql`
      update palimpsest_chats as c
      set system = f.system, owner = f.owner, next_position = ${position + 2}::int8, next_seq = f.next_seq,
        revision = f.revision, newest_revision = f.newest_revision
      from palimpsest_chats as f
      where c.tenant = ${tenant} and c.chat = ${chat} and f.tenant = ${tenant} and f.chat = ${source}`
  })

/**
 * Makes `fork`, which needs a transaction that sees what others commit. It holds the lock of the chat that is forked:
 * see `makeLockSharers`.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeFork = (sql: SqlClient) => {
  const { lockAny, lockLive } = makeLock(sql)
  const positionOf = makePositionOf(sql)
  const newest = makeNewest(sql)
  const nextOf = makeNext(sql)
  const momentOf = makeMoment(sql)
  const readLine = makeReadLine(sql)
  const part = makePart(sql)
  const written = (key: ThreadKey) =>
    Effect.map(
      sql`select from palimpsest_stretches
        where tenant = ${encodeText(key.tenant)} and chat = ${encodeText(key.chat)} limit 1`,
      (rows) => rows.length > 0,
    )
  return Effect.fnUntraced(function* (key: ThreadKey, to: string, at: string | undefined) {
    yield* lockLive("fork", key)
    const position = at === undefined ? yield* newest(key) : yield* positionOf(key, at)
    if (position === undefined) return yield* Effect.fail(unknownAnchor("fork", at ?? ""))
    const made = { tenant: key.tenant, chat: to }
    const next = yield* nextOf(key, position)
    const there = yield* lockAny("fork", made)
    const own = (yield* written(made)) ? yield* readLine(made) : []
    const isUsed = there.isOpened || there.isRemoved || there.next > 1 || there.seq > 1 || own.length > 0
    // A chat that is there is this very fork when it parted at the message or later, before the next one.
    const parted = isUsed
      ? own.find(({ source }) => source === to)?.low
      : yield* momentOf(key, position, next)
    if (parted === undefined || parted < position || parted >= next || to === key.chat)
      return yield* Effect.fail(otherChat(to))
    const line = goesOn(yield* readLine(key), parted, to, parted)
    if (!isUsed) yield* part(key, to, parted, line)
    else if (there.isRemoved || !sameLine(own.slice(0, line.length), line))
      return yield* Effect.fail(otherChat(to))
    return made
  })
}
