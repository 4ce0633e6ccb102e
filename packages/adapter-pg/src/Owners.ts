/**
 * The lock of an owner, under which its memory is written and removed; what was removed stays so.
 *
 * @since 0.1.0
 */
import { canonicalJson, sha256 } from "@palimpsest/core"
import { type OwnerKey, removed, removedOwner } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { encodeText } from "./Text.ts"

/** What stands for an owner after it was removed: nothing that is known of a person is kept by its name. */
export const ownerDigest = ({ tenant, owner }: OwnerKey): string =>
  sha256(canonicalJson(["owner", tenant, owner]))

/**
 * Makes the lock of an owner, held until the end of the transaction, which must see what others commit: writers share
 * it, and who forgets or removes has it alone. It comes before the lock of any chat. The row of the tenant is locked while
 * that of the owner is made, so that none slips past the removal of the tenant.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeLockOwner = (sql: SqlClient) => {
  const lock = (tenant: string, digest: string, way: "share" | "update") =>
    sql<{ isRemoved: boolean }>`
      select removed_at is not null as "isRemoved" from palimpsest_owners
      where tenant = ${tenant} and digest = ${digest} for ${sql.literal(way)}`
  const ensure = Effect.fnUntraced(function* (tenant: string, digest: string) {
    yield* sql`insert into palimpsest_tenants (tenant) values (${tenant}) on conflict do nothing`
    yield* sql`
      insert into palimpsest_owners (tenant, digest)
      select t.tenant, ${digest}
      from (select tenant from palimpsest_tenants where tenant = ${tenant} and removed_at is null for share) as t
      on conflict do nothing`
  })
  const lockAny = Effect.fnUntraced(function* (operation: string, key: OwnerKey, way: "share" | "update") {
    const [tenant, digest] = [encodeText(key.tenant), ownerDigest(key)]
    const [found] = yield* lock(tenant, digest, way)
    if (found !== undefined) return found
    yield* ensure(tenant, digest)
    const [made] = yield* lock(tenant, digest, way)
    return made ?? (yield* Effect.fail(removed(operation)))
  })
  const lockOwner = Effect.fnUntraced(function* (operation: string, key: OwnerKey, way: "share" | "update") {
    const { isRemoved } = yield* lockAny(operation, key, way)
    if (isRemoved) yield* Effect.fail(removedOwner(operation))
  })
  return { lockAny, lockOwner }
}
