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
import { makeByIds, makePositionOf } from "./Find.ts"
import { makeLock, makeRefuseRemoved } from "./Lock.ts"
import { makeForgetRow } from "./memory/Forget.ts"
import { Key, MessageRecord } from "./Rows.ts"
import { encodeText } from "./Text.ts"
import { makeWithdrawOver } from "./Withdraw.ts"
import { type Placed, record } from "./Write.ts"

const columns = "position, id, payload, tokens, tokenizer, cap, raw_format, raw_text, usage, said_at"

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
  const forgetRow = makeForgetRow(sql)
  return Effect.fnUntraced(function* (key: ThreadKey, message: NewMessage) {
    const [stored] = yield* Effect.fromResult(encodeBatch([message]))
    yield* lockLive("edit", key)
    const [old] = yield* byIds({ ...key, ids: [message.id] })
    if (stored === undefined || old === undefined) return yield* Effect.fail(absent("edit", message.id))
    if (old.source !== key.chat) return yield* Effect.fail(inherited(message.id))
    if (samePayload(old.payload, stored.payload)) {
      return yield* Effect.fromResult(readable(decodeMessage(old), old.id))
    }
    const row = { ...stored, position: old.position, at: old.at }
    yield* replace(key, row)
    yield* withdrawOver(key, row.position)
    yield* forgetRow(key, row.position)
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
        raw_text as "rawText", usage, said_at as at
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
