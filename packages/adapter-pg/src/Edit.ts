/**
 * Edits: a message changes at its place, and what rests on it is taken out of force.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import {
  absent,
  decodeMessage,
  encodeBatch,
  inherited,
  type NewMessage,
  readable,
  readMessages,
  samePayload,
} from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { idList, makeByIds, makePositionOf } from "./Find.ts"
import { makeLock, makeRefuseRemoved } from "./Lock.ts"
import { Key, MessageRecord } from "./Rows.ts"
import { makeLockSharers } from "./Sharers.ts"
import { encodeText, PgText } from "./Text.ts"
import { type Placed, record } from "./Write.ts"

const columns = "position, id, payload, tokens, tokenizer, cap, raw_format, raw_text, usage"

/** Keeps what is there as a version, and puts the new content in its place. */
const makeReplace = (sql: SqlClient) =>
  Effect.fnUntraced(function* (key: ThreadKey, row: Placed) {
    const mine = sql`tenant = ${encodeText(key.tenant)} and chat = ${encodeText(key.chat)}
      and position = ${row.position}::int8`
    const { payload, tokens, tokenizer, cap, rawFormat, rawText, usage } = record(row)
    yield* sql`
      insert into palimpsest_edits (tenant, chat, version, ${sql.literal(columns)})
      select tenant, chat, (select count(*) + 1 from palimpsest_edits where ${mine}), ${sql.literal(columns)}
      from palimpsest_messages where ${mine}`
    yield* sql`update palimpsest_messages
      set payload = ${payload}, tokens = ${tokens}, tokenizer = ${tokenizer}, cap = ${cap},
        raw_format = ${rawFormat}, raw_text = ${rawText}, usage = ${usage}
      where ${mine}`
  })

/** Chats by their names, as a table expression. */
const showing = (sql: SqlClient, chats: string) =>
  sql`showing as materialized (select json_array_elements_text(${chats}::json) collate "C" as chat)`

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
const makeWithdrawOver = (sql: SqlClient) => {
  const lockSharers = makeLockSharers(sql, (time) => sql`low < ${time}::int8 and ${time}::int8 <= high`)
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
    yield* sql`
      with ${showing(sql, chats)}
      update palimpsest_chats set revision = greatest(revision, newest_revision) + 1
      where tenant = ${tenant} and chat in (select chat from showing)`
  })
}

/**
 * Makes `edit`, which needs a transaction that sees what others commit.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeEdit = (sql: SqlClient) => {
  const { lockLive } = makeLock(sql)
  const byIds = makeByIds(sql)
  const replace = makeReplace(sql)
  const withdrawOver = makeWithdrawOver(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, message: NewMessage) {
    const [stored] = yield* Effect.fromResult(encodeBatch([message]))
    yield* lockLive("edit", key)
    const [old] = yield* byIds({ ...key, ids: [message.id] })
    if (stored === undefined || old === undefined) return yield* Effect.fail(absent("edit", message.id))
    if (old.source !== key.chat) return yield* Effect.fail(inherited(message.id))
    if (samePayload(old.payload, stored.payload)) {
      return yield* Effect.fromResult(readable(decodeMessage(old), old.id))
    }
    const row = { ...stored, position: old.position }
    yield* replace(key, row)
    yield* withdrawOver(key, row.position)
    return yield* Effect.fromResult(readable(decodeMessage(row), row.id))
  })
}

/**
 * Makes `versions`: what edits of a message replaced.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeVersions = (sql: SqlClient) => {
  const positionOf = makePositionOf(sql)
  const refuseRemoved = makeRefuseRemoved(sql)
  const read = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, position: Schema.Finite }),
    Result: MessageRecord,
    execute: ({ tenant, chat, position }) => sql`
      select position::float8 as position, id, payload, tokens, tokenizer, cap, raw_format as "rawFormat",
        raw_text as "rawText", usage
      from palimpsest_edits
      where tenant = ${tenant} and chat = ${chat} and position = ${position}::int8
      order by version`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey, id: string) {
    const position = yield* positionOf(key, id)
    const rows = position === undefined ? [] : yield* read({ ...key, position })
    if (rows.length === 0) yield* refuseRemoved("versions", key)
    return readMessages(rows).rows
  })
}

/**
 * Makes `withdraw`, which needs a transaction: a mark is taken out of force by its id.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeWithdraw = (sql: SqlClient) => {
  const { lockLive } = makeLock(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, id: string) {
    yield* lockLive("withdraw", key)
    const mine = sql`tenant = ${encodeText(key.tenant)} and chat = ${encodeText(key.chat)}`
    const taken = yield* sql`
      update palimpsest_marks set withdrawn = true where ${mine} and id = ${encodeText(id)} and not withdrawn
      returning 1 as one`
    if (taken.length === 0) return
    yield* sql`update palimpsest_chats set revision = greatest(revision, newest_revision) + 1 where ${mine}`
  })
}
