/**
 * The chats that show rows of another one: its forks, and theirs.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { Key } from "./Rows.ts"
import { encodeText, PgText } from "./Text.ts"

const Chat = Schema.Struct({ chat: PgText })

/**
 * Makes the lock of all other chats that take rows from one, for whose `stretches` a condition holds. Who forks one of
 * them holds its lock, so that a fork that is not found yet is found when all that were found are locked. The
 * transaction must see what others commit meanwhile.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLockSharers = (sql: SqlClient, condition: (time: number) => Fragment) => {
  const find = SqlSchema.findAll({
    Request: Schema.Struct({ ...Key.fields, time: Schema.Finite }),
    Result: Chat,
    execute: ({ tenant, chat, time }) => sql`
      select distinct chat from palimpsest_stretches
      where tenant = ${tenant} and source = ${chat} and chat <> ${chat} and ${condition(time)}
      order by chat`,
  })
  return Effect.fnUntraced(function* (key: typeof Key.Type, time = 0) {
    const locked = new Set<string>()
    for (;;) {
      const found = (yield* find({ ...key, time })).filter(({ chat }) => !locked.has(chat))
      if (found.length === 0) return [...locked]
      for (const { chat } of found) {
        yield* sql`select from palimpsest_chats
          where tenant = ${encodeText(key.tenant)} and chat = ${encodeText(chat)} for update`
        locked.add(chat)
      }
    }
  })
}
