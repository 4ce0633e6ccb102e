/**
 * Large values, out of the rows that name them.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import type { Blob } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { idList } from "./Find.ts"
import { sourcesOf } from "./Line.ts"
import { liveChat, makeBeside, makeRefuseRemoved } from "./Lock.ts"
import { noteRead } from "./NoteRead.ts"
import { Key } from "./Rows.ts"
import { PgText } from "./Text.ts"

const Value = { id: PgText, text: PgText }

/**
 * Makes `put`, which needs a transaction: a statement for each value, since one may be as large as a message of the
 * wire.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePut = (sql: SqlClient) => {
  const beside = makeBeside(sql)
  const refuseRemoved = makeRefuseRemoved(sql)
  const put = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, ...Value }),
    Result: Schema.Struct({ there: Schema.Boolean }),
    execute: ({ id, text, ...key }) => sql`
      with ${liveChat(sql, key)},
      put as (
        insert into palimpsest_blobs (tenant, chat, id, text)
        select tenant, chat, ${id}, ${text} from live
        on conflict do nothing)
      select exists (select from live) as there`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey, blobs: ReadonlyArray<Blob>) {
    if (blobs.length === 0) yield* refuseRemoved("put blobs", key)
    for (const { id, text } of blobs) yield* beside("put blobs", key, put({ ...key, id, text }))
  })
}

/**
 * Makes `get`: what a fork does not have itself, it reads from the chats that it shares rows with.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeGet = (sql: SqlClient) => {
  const refuseRemoved = makeRefuseRemoved(sql)
  const read = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, ids: Schema.Array(Schema.String) }),
    Result: Schema.Struct(Value),
    execute: ({ tenant, chat, ids }) => sql`
      select b.id, b.text
      from json_array_elements_text(${idList(ids)}::json) as k(id)
      cross join lateral (
        select b.id, b.text
        from ${sourcesOf(sql, { tenant, chat })} join palimpsest_blobs as b on b.chat = s.source
        where b.tenant = ${tenant} and b.id = k.id
        order by (b.chat = ${chat}) desc
        limit 1) as b`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey, ids: ReadonlyArray<string>) {
    const found = yield* read({ ...key, ids })
    yield* noteRead("get blobs", found)
    if (found.length === 0) yield* refuseRemoved("get blobs", key)
    return new Map(found.map(({ id, text }) => [id, text]))
  })
}
