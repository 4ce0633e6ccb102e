/**
 * What is taken out of the index at once, in the transaction that hides, changes or removes it.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { encodeText } from "../Text.ts"
import { deleteDocuments } from "./Extents.ts"
import { isHeld } from "./Held.ts"

/**
 * Makes the forgetting of what nobody is shown any more, of some chats (their names are encoded) after a position.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeForgetHidden =
  (sql: SqlClient) => (tenant: string, chats: ReadonlyArray<string>, position: number) =>
    deleteDocuments(
      sql,
      encodeText(tenant),
      sql`d.chat in (select json_array_elements_text(${JSON.stringify(chats)}::json) collate "C")
        and d.position > ${position}::int8 and not ${isHeld(sql, "d")}`,
    )

/**
 * Makes the forgetting of one row that was changed: it and what follows it is looked at again.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeForgetRow = (sql: SqlClient) =>
  Effect.fnUntraced(function* (key: ThreadKey, position: number) {
    const [tenant, chat] = [encodeText(key.tenant), encodeText(key.chat)]
    yield* deleteDocuments(sql, tenant, sql`d.chat = ${chat} and d.position = ${position}::int8`)
    yield* sql`
      update palimpsest_chats set indexed = least(indexed, ${position - 1}::int8), is_stale = true
      where tenant = ${tenant} and chat = ${chat}`
  })

/**
 * Makes the forgetting of a whole chat, whose lines are still there: with it goes what it alone was shown of others.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeForgetChat = (sql: SqlClient) => {
  const forgetHidden = makeForgetHidden(sql)
  return Effect.fnUntraced(function* (key: ThreadKey) {
    const [tenant, chat] = [encodeText(key.tenant), encodeText(key.chat)]
    yield* deleteDocuments(sql, tenant, sql`d.chat = ${chat}`)
    const shown = yield* sql<{ source: string }>`
      delete from palimpsest_stretches where tenant = ${tenant} and chat = ${chat} returning source`
    const sources = [...new Set(shown.map(({ source }) => source))].filter((source) => source !== chat)
    if (sources.length > 0) yield* forgetHidden(key.tenant, sources, 0)
    // The name of an owner is not kept for a memory that is empty.
    yield* sql`
      delete from palimpsest_extents as e using palimpsest_chats as c
      where c.tenant = ${tenant} and c.chat = ${chat} and e.tenant = c.tenant and e.owner = coalesce(c.owner, '')
        and e.documents <= 0`
  })
}
