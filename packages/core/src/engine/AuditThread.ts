/**
 * Audits a thread in the store, page by page.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { type Audit, auditRows, emptyAudit } from "../thread/Audit.ts"
import type { ThreadKey } from "../thread/Row.ts"
import type { StoreError } from "./Errors.ts"
import { ThreadEditor } from "./ThreadEditor.ts"
import { ThreadStore } from "./ThreadStore.ts"

/** Positions that are read at once. */
const PAGE = 500

/**
 * Reads a whole thread and checks each summary against the digest of what it covers: rows that were changed behind the
 * store's back show. It costs what the thread is long, and is no part of a step.
 *
 * @category combinators
 * @since 0.1.0
 */
export const auditThread = Effect.fn("Palimpsest.audit")(function* (
  key: ThreadKey,
): Effect.fn.Return<Audit, StoreError, ThreadStore> {
  const store = yield* ThreadStore
  let audit = emptyAudit
  for (let from: number | null = 0; from !== null; ) {
    const { rows, next }: { readonly rows: Parameters<typeof auditRows>[1]; readonly next: number | null } =
      yield* store.page(key, from, PAGE)
    audit = auditRows(audit, rows)
    from = next
  }
  yield* Effect.annotateCurrentSpan({
    "audit.summaries": audit.summaries,
    "audit.faults": audit.faults.length,
  })
  return audit
})

/**
 * Takes each summary out of force that an audit finds wrong, with those that were built on it, until none is left.
 * Returns the faults that it found. Nothing stale is sent afterwards: the next step summarises anew.
 *
 * @category combinators
 * @since 0.1.0
 */
export const repairThread = Effect.fn("Palimpsest.repair")(function* (
  key: ThreadKey,
): Effect.fn.Return<Audit["faults"], StoreError, ThreadStore | ThreadEditor> {
  const editor = yield* ThreadEditor
  const found: Array<Audit["faults"][number]> = []
  for (;;) {
    const { faults } = yield* auditThread(key)
    if (faults.length === 0) return found
    found.push(...faults)
    for (const mark of new Set(faults.map((fault) => fault.mark))) yield* editor.withdraw(key, mark)
  }
})
