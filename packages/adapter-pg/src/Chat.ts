/**
 * The small texts of a chat: its system prompt, and drafts of paid work.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import { Key } from "./Rows.ts"
import { encodeText, PgText } from "./Text.ts"

const Kept = Schema.Struct({ text: Schema.NullOr(PgText) })

/**
 * Makes `open`: the first system prompt stays, unless it is replaced on purpose.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeOpen = (sql: SqlClient) => {
  const read = SqlSchema.findAll({
    Request: Key,
    Result: Kept,
    execute: ({ tenant, chat }) =>
      sql`select system as text from palimpsest_chats where tenant = ${tenant} and chat = ${chat}`,
  })
  const write = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, system: PgText, replace: Schema.Boolean }),
    Result: Kept,
    execute: ({ tenant, chat, system, replace }) => sql`
      insert into palimpsest_chats as kept (tenant, chat, system) values (${tenant}, ${chat}, ${system})
      on conflict (tenant, chat) do update
        set system = case when ${replace} or kept.system is null then excluded.system else kept.system end
      returning system as text`,
  })
  return Effect.fnUntraced(function* (key: ThreadKey, system: string, replace: boolean) {
    const [found] = replace ? [] : yield* read(key)
    if (typeof found?.text === "string") return found.text
    const [written] = yield* write({ ...key, system, replace })
    return written?.text ?? system
  })
}

/**
 * Makes `draft` and `saveDraft`: the first text of a name stays.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeDrafts = (sql: SqlClient) => {
  const read = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, name: PgText }),
    Result: Kept,
    execute: ({ tenant, chat, name }) => sql`
      select text from palimpsest_drafts where tenant = ${tenant} and chat = ${chat} and name = ${name}`,
  })
  return {
    draft: (key: ThreadKey, name: string) =>
      Effect.map(read({ ...key, name }), ([found]) => found?.text ?? null),
    saveDraft: (key: ThreadKey, name: string, text: string) => {
      const [tenant, chat] = [encodeText(key.tenant), encodeText(key.chat)]
      return Effect.asVoid(sql`
        insert into palimpsest_drafts (tenant, chat, name, text)
        values (${tenant}, ${chat}, ${encodeText(name)}, ${encodeText(text)}) on conflict do nothing`)
    },
  }
}
