/**
 * Removals: the only operations that delete anything.
 *
 * @since 0.1.0
 */
import type { ThreadKey } from "@palimpsest/core"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeLock } from "./Lock.ts"
import { makeForgetChat } from "./memory/Forget.ts"
import { makeLockSharers } from "./Sharers.ts"
import { chatTables, tenantTables } from "./Tables.ts"
import { encodeText } from "./Text.ts"

const rowColumns = {
  palimpsest_messages:
    "position, id, payload, tokens, tokenizer, cap, raw_format, raw_text, usage, said_at, created_at",
  palimpsest_marks:
    "time, position, rank, revision, seq, id, kind, anchor, kept, payload, withdrawn, created_at",
  palimpsest_failures: "time, position, seq, anchor, stage, reason, tokens, created_at",
}

/** Gives every fork rows of its own in the place of those that it shares with a chat. */
export const makeHandOver = (sql: SqlClient) => {
  const copy = (table: keyof typeof rowColumns, time: string, tenant: string, chat: string) => {
    const columns = rowColumns[table].split(", ")
    const [into, from] = [columns.join(", "), columns.map((column) => `m.${column}`).join(", ")]
    return sql`
      insert into ${sql.literal(table)} (tenant, chat, ${sql.literal(into)})
      select s.tenant, s.chat, ${sql.literal(from)}
      from palimpsest_stretches as s
      join ${sql.literal(table)} as m on m.tenant = s.tenant and m.chat = s.source
        and ${sql.literal(`m.${time}`)} > s.low and ${sql.literal(`m.${time}`)} <= s.high
      where s.tenant = ${tenant} and s.source = ${chat} and s.chat <> ${chat}
        ${sql.literal(table === "palimpsest_marks" ? "and not m.withdrawn" : "")}`
  }
  return Effect.fnUntraced(function* (tenant: string, chat: string) {
    yield* copy("palimpsest_messages", "position", tenant, chat)
    yield* copy("palimpsest_marks", "time", tenant, chat)
    yield* copy("palimpsest_failures", "time", tenant, chat)
    yield* sql`
      insert into palimpsest_blobs (tenant, chat, id, text, created_at)
      select s.tenant, s.chat, b.id, b.text, b.created_at
      from (select distinct tenant, chat, source from palimpsest_stretches
        where tenant = ${tenant} and source = ${chat} and chat <> ${chat}) as s
      join palimpsest_blobs as b on b.tenant = s.tenant and b.chat = s.source
      on conflict do nothing`
    // What a fork has now of its own is not in the index yet: before its first position, so that no run is taken for it.
    yield* sql`update palimpsest_chats set indexed = -1, is_stale = true
      where tenant = ${tenant} and chat in (
        select chat from palimpsest_stretches where tenant = ${tenant} and source = ${chat} and chat <> ${chat})`
    yield* sql`update palimpsest_stretches set source = chat where tenant = ${tenant} and source = ${chat}`
  })
}

/**
 * Makes `remove`, which needs a transaction that sees what others commit. The row of the chat stays, so that late
 * writes are refused.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRemove = (sql: SqlClient) => {
  const { lockAny } = makeLock(sql)
  const lockSharers = makeLockSharers(sql, () => sql`true`)
  const handOver = makeHandOver(sql)
  const forgetChat = makeForgetChat(sql)
  return Effect.fnUntraced(function* (key: ThreadKey) {
    // Nothing is left of a chat whose tenant was removed.
    const found = yield* Effect.catchTag(lockAny("remove", key), "StoreError", () => Effect.succeed(null))
    if (found === null || found.isRemoved) return
    const [tenant, chat] = [encodeText(key.tenant), encodeText(key.chat)]
    if ((yield* lockSharers(key)).length > 0) yield* handOver(tenant, chat)
    yield* forgetChat(key)
    for (const table of chatTables) {
      yield* sql`delete from ${sql.literal(table)} where tenant = ${tenant} and chat = ${chat}`
    }
    yield* sql`
      update palimpsest_chats set system = null, owner = null, removed_at = now(), is_stale = false
      where tenant = ${tenant} and chat = ${chat}`
  })
}

/**
 * Makes `removeTenant`, which needs a transaction that sees what others commit. The row of the tenant comes first: no
 * chat is made after it. The rows of owners and chats come next: whoever writes has their locks until then.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRemoveTenant = (sql: SqlClient) =>
  Effect.fnUntraced(function* (name: string) {
    const tenant = encodeText(name)
    yield* sql`
      insert into palimpsest_tenants as t (tenant, removed_at) values (${tenant}, now())
      on conflict (tenant) do update set removed_at = coalesce(t.removed_at, excluded.removed_at)`
    for (const table of tenantTables.slice(1)) {
      yield* sql`delete from ${sql.literal(table)} where tenant = ${tenant}`
    }
  })
