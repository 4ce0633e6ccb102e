/**
 * What a host does with facts: it states them, has them forgotten, and reads them.
 *
 * @since 0.1.0
 */
import { Clock, Effect } from "effect"
import type { StoreError } from "./Errors.ts"
import { type Fact, type FactQuery, FactStore, type ForgetRequest } from "./FactStore.ts"
import { Redactor } from "./Redactor.ts"
import { FactError, factOfStatement, type Statement } from "./StateFact.ts"

/**
 * Which facts a host asks for: of the memory that the tenant shares when no owner is named.
 *
 * @category models
 * @since 0.1.0
 */
export type FactsOf = Omit<FactQuery, "owner"> & { readonly owner?: string }

/**
 * What a host has forgotten, likewise.
 *
 * @category models
 * @since 0.1.0
 */
export type Forgetting = Omit<ForgetRequest, "owner"> & { readonly owner?: string }

const owned = <Q extends { readonly owner?: string }>(query: Q): Q & { readonly owner: string } => ({
  ...query,
  owner: query.owner ?? "",
})

const forgotten = new FactError({
  field: "value",
  reason: "Forgotten",
  remedy: "It was forgotten later than that: give `at` the time at which it was said again",
})

/** The same value is not stated twice: a retry finds that it holds. */
const held = Effect.fnUntraced(function* (store: FactStore["Service"], tenant: string, fact: Fact) {
  const { owner, subject, attribute, value } = fact
  const [now] = yield* store.current({ tenant, owner, subject, attribute, limit: 1 })
  return now !== undefined && now.value === value && now.at <= fact.at ? now : null
})

/**
 * Remembers what the host states, and returns the fact that holds it. A value that holds already is left as it is, unless
 * the statement has a time of its own. What is said now counts as said after whatever was forgotten before.
 *
 * @category combinators
 * @since 0.1.0
 */
export const remember = Effect.fn("Palimpsest.remember")(function* (
  statement: Statement,
): Effect.fn.Return<Fact, FactError | StoreError, FactStore> {
  const store = yield* FactStore
  const redact = yield* Redactor
  const now = yield* Clock.currentTimeMillis
  const fact = yield* Effect.fromResult(factOfStatement(statement, redact, now))
  if (statement.at === undefined) {
    const there = yield* held(store, statement.tenant, fact)
    if (there !== null) return there
  }
  if (yield* store.remember(statement.tenant, fact)) return fact
  // Something may have been forgotten within this millisecond, and before this call.
  const next = yield* Effect.fromResult(factOfStatement(statement, redact, now + 1))
  const isKept = next.id !== fact.id && (yield* store.remember(statement.tenant, next))
  return isKept ? next : yield* Effect.fail(forgotten)
})

/**
 * Has facts forgotten, by their ids or by what they are about, with all that they superseded; returns how many. What
 * was said up to now does not come back by a pass that comes later.
 *
 * @category combinators
 * @since 0.1.0
 */
export const forget = (request: Forgetting): Effect.Effect<number, StoreError, FactStore> =>
  Effect.flatMap(FactStore, (store) => store.forget(owned(request)))

/**
 * Lists the facts that hold of an owner, latest first.
 *
 * @category getters
 * @since 0.1.0
 */
export const currentFacts = (query: FactsOf): Effect.Effect<ReadonlyArray<Fact>, StoreError, FactStore> =>
  Effect.flatMap(FactStore, (store) => store.current(owned(query)))

/**
 * Lists all facts of an owner, superseded ones too, latest first.
 *
 * @category getters
 * @since 0.1.0
 */
export const factHistory = (query: FactsOf): Effect.Effect<ReadonlyArray<Fact>, StoreError, FactStore> =>
  Effect.flatMap(FactStore, (store) => store.history(owned(query)))
