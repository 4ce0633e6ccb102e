/**
 * The removal of all that is kept of an owner.
 *
 * @since 0.1.0
 */
import { type OwnerKey, sharedOwner } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { makeLockOwner, ownerDigest } from "./Owners.ts"
import { makeHandOver } from "./Remove.ts"
import { makeLockSharers } from "./Sharers.ts"
import { chatTables, ownerTables } from "./Tables.ts"
import { decodeText, encodeText } from "./Text.ts"

/** Locks the chats of an owner, and looks again: one that was forked meanwhile has its owner too. */
const makeLockChats = (sql: SqlClient) =>
  Effect.fnUntraced(function* (tenant: string, owner: string) {
    for (let before = -1; ; ) {
      const found = yield* sql`
        select from palimpsest_chats where tenant = ${tenant} and owner = ${owner} order by chat for update`
      if (found.length === before) return
      before = found.length
    }
  })

/** Gives the chats of others that show rows of these their own: who forks a chat has its owner, but for odd histories. */
const makeHandOverAll = (sql: SqlClient) => {
  const handOver = makeHandOver(sql)
  const lockSharers = makeLockSharers(sql, () => sql`true`)
  return Effect.fnUntraced(function* (tenant: string, owner: string) {
    const isMine = (column: string) => sql`${sql.literal(column)} in (
      select chat from palimpsest_chats where tenant = ${tenant} and owner = ${owner})`
    const shown = yield* sql<{ source: string }>`
      select distinct source from palimpsest_stretches
      where tenant = ${tenant} and ${isMine("source")} and not ${isMine("chat")} order by source`
    for (const { source } of shown) {
      yield* lockSharers({ tenant: decodeText(tenant), chat: decodeText(source) })
      yield* handOver(tenant, source)
    }
  })
}

/**
 * Makes `remove` of an owner, which needs a transaction that sees what others commit: who writes for the owner meanwhile
 * is waited for, and who writes later is refused. A digest stays of the owner, and of its chats their names.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeRemoveOwner = (sql: SqlClient) => {
  const { lockAny } = makeLockOwner(sql)
  const lockChats = makeLockChats(sql)
  const handOverAll = makeHandOverAll(sql)
  return Effect.fnUntraced(function* (key: OwnerKey) {
    if (key.owner === "") return yield* Effect.fail(sharedOwner("remove owner"))
    // Nothing is left of an owner whose tenant was removed.
    const found = yield* Effect.catchTag(lockAny("remove owner", key, "update"), "StoreError", () =>
      Effect.succeed(null),
    )
    if (found === null) return
    const [tenant, owner] = [encodeText(key.tenant), encodeText(key.owner)]
    yield* sql`update palimpsest_owners set removed_at = coalesce(removed_at, now())
      where tenant = ${tenant} and digest = ${ownerDigest(key)}`
    yield* lockChats(tenant, owner)
    yield* handOverAll(tenant, owner)
    for (const table of chatTables) {
      yield* sql`delete from ${sql.literal(table)} where tenant = ${tenant} and chat in (
        select chat from palimpsest_chats where tenant = ${tenant} and owner = ${owner})`
    }
    for (const table of ownerTables) {
      yield* sql`delete from ${sql.literal(table)} where tenant = ${tenant} and owner = ${owner}`
    }
    yield* sql`update palimpsest_chats set system = null, owner = null, removed_at = now(), is_stale = false
      where tenant = ${tenant} and owner = ${owner}`
  })
}
