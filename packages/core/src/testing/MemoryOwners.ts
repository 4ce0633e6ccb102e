/**
 * All that is kept of owners in memory, handed out and removed.
 *
 * @since 0.1.0
 */
import { Effect, Result } from "effect"
import { sharedOwner } from "../engine/FactFaults.ts"
import type { OwnerKey } from "../engine/FactStore.ts"
import { OwnerData } from "../engine/OwnerData.ts"
import { checkKey } from "../engine/RowFaults.ts"
import type { MemoryTenant } from "./memory/Chat.ts"
import { recordsOf, removeOwner } from "./memory/Owner.ts"

/** Makes what hands out and removes all that tenants in memory keep of their owners. */
export const ownersOf = (tenantOf: (name: string) => MemoryTenant): OwnerData["Service"] => {
  const within = <A>(operation: string, { tenant, owner }: OwnerKey, run: () => A) =>
    Effect.suspend(() =>
      Effect.fromResult(Result.map(checkKey(operation, { tenant, chat: "" }, [owner]), run)),
    )
  return OwnerData.of({
    page: (key, from, limit) =>
      within("export", key, () => {
        const all = recordsOf(tenantOf(key.tenant), key.tenant, key.owner)
        const start = Number(from ?? 0)
        const end = start + Math.max(1, Math.floor(limit))
        return { records: all.slice(start, end), next: end < all.length ? String(end) : null }
      }),
    remove: (key) =>
      key.owner === ""
        ? Effect.fail(sharedOwner("remove owner"))
        : within("remove owner", key, () => removeOwner(tenantOf(key.tenant), key.owner)),
  })
}
