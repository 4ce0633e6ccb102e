/**
 * Taking marks out of force, in every chat that shows them.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import { idFault } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { idList } from "./Find.ts"
import { isShown, sourcesOf } from "./Line.ts"
import { makeLock } from "./Lock.ts"
import { Key } from "./Rows.ts"
import { makeLockSharers } from "./Sharers.ts"
import { encodeText, PgText } from "./Text.ts"

/** Chats by their names, as a table expression. */
const showing = (sql: SqlClient, chats: string) =>
  sql`showing as materialized (select json_array_elements_text(${chats}::json) collate "C" as chat)`

/** Raises the revisions of chats: what was made before has too low a one from now on. */
const raise = (sql: SqlClient, tenant: string, chats: string) => sql`
  with ${showing(sql, chats)}
  update palimpsest_chats set revision = greatest(revision, newest_revision) + 2
  where tenant = ${tenant} and chat in (select chat from showing)`

const showsTime = (sql: SqlClient) => (time: number) => sql`low < ${time}::int8 and ${time}::int8 <= high`

/** The chats that some chats take rows from, and they themselves. */
const makeSourcesOf = (sql: SqlClient) =>
  SqlSchema.findAll({
    Request: Schema.Struct({ tenant: PgText, chats: Schema.Array(Schema.String) }),
    Result: Schema.Struct({ source: PgText }),
    execute: ({ tenant, chats }) => sql`
      with ${showing(sql, idList(chats))}
      select chat as source from showing
      union
      select source from palimpsest_stretches
      where tenant = ${tenant} and chat in (select chat from showing)`,
  })

/**
 * Takes the summaries and prunes that rest on a message out of force, in every chat that shows it: those of its own,
 * and those that it shows of a chat between, which may itself have been rewound to before the message.
 */
export const makeWithdrawOver = (sql: SqlClient) => {
  const lockSharers = makeLockSharers(sql, showsTime(sql))
  const sourcesOf = makeSourcesOf(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, position: number) {
    const sharers = yield* lockSharers(key, position)
    const tenant = encodeText(key.tenant)
    const chats = idList([key.chat, ...sharers])
    const sources = yield* sourcesOf({ ...key, chats: [key.chat, ...sharers] })
    for (const { source } of sources) {
      yield* sql`
        with ${showing(sql, chats)}
        update palimpsest_marks as m set withdrawn = true
        where m.tenant = ${tenant} and m.chat = ${encodeText(source)} and m.position >= ${position}::int8
          and m.kind in ('summary', 'prune') and not m.withdrawn
          and (m.chat in (select chat from showing) or exists (
            select from palimpsest_stretches as s
            where s.tenant = ${tenant} and s.chat in (select chat from showing) and s.source = m.chat
              and s.low < m.time and m.time <= s.high))`
    }
    yield* raise(sql, tenant, chats)
  })
}

const makeFindMark = (sql: SqlClient) =>
  SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, id: PgText }),
    Result: Schema.Struct({ source: PgText, time: Schema.Finite }),
    execute: ({ tenant, chat, id }) => sql`
      select m.chat as source, m.time::float8 as time
      from ${sourcesOf(sql, { tenant, chat })} cross join lateral (
        select chat, time from palimpsest_marks as m
        where m.tenant = ${tenant} and m.chat = s.source and m.id >= ${id} and m.id <= ${id}
          and not m.withdrawn and ${isShown(sql, { tenant, chat }, "m", "time")}
        order by m.id
        limit 1) as m`,
  })

/**
 * Makes `withdraw`, which needs a transaction that sees what others commit: a mark that is shown is taken out of force
 * by its id, wherever it is stored.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeWithdraw = (sql: SqlClient) => {
  const { lockLive } = makeLock(sql)
  const findMark = makeFindMark(sql)
  const lockSharers = makeLockSharers(sql, showsTime(sql))
  return Effect.fnUntraced(function* (key: ThreadKey, id: string) {
    yield* lockLive("withdraw", key)
    const [found] = idFault(id) === null ? yield* findMark({ ...key, id }) : []
    if (found === undefined) return
    const owner = { tenant: key.tenant, chat: found.source }
    if (owner.chat !== key.chat) yield* lockLive("withdraw", owner)
    const chats = [owner.chat, ...(yield* lockSharers(owner, found.time))]
    const tenant = encodeText(key.tenant)
    yield* sql`
      update palimpsest_marks set withdrawn = true
      where tenant = ${tenant} and chat = ${encodeText(owner.chat)} and id = ${encodeText(id)}
        and time = ${found.time}::int8 and not withdrawn`
    yield* raise(sql, tenant, idList(chats))
  })
}
