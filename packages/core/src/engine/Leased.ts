/**
 * Paid work under a lease: of several processes that want the same summary, one pays, and the others wait for its row.
 *
 * @since 0.1.0
 */
import { Effect, Result } from "effect"
import type { ThreadKey } from "../thread/Row.ts"
import type { Lease, Leases } from "./Leases.ts"

/**
 * The leases that a process takes.
 *
 * @category models
 * @since 0.1.0
 */
export interface LeaseHolder {
  readonly leases: (typeof Leases)["Service"]
  readonly holder: string
  /** Milliseconds without a sign of life after which a holder counts as dead. */
  readonly millis: number
  /** Milliseconds that a process waits for another before it does the work itself. */
  readonly patience: number
}

/**
 * How a process came to its work.
 *
 * - `Alone`: nobody else was at it.
 * - `After`: somebody else was, and is done or gone: what they left behind should be looked at first.
 * - `Without`: no lease could be had, for a reason; the work is done all the same.
 *
 * @category models
 * @since 0.1.0
 */
export type Turn =
  | { readonly _tag: "Alone" }
  | { readonly _tag: "After"; readonly waited: number }
  | { readonly _tag: "Without"; readonly reason: string }

/** Looks in a lease's time, so that the end of another's work is not missed by much. */
const LOOKS = 40

const claim = Effect.fnUntraced(function* (
  { leases, millis, patience }: LeaseHolder,
  key: ThreadKey,
  lease: Lease,
): Effect.fn.Return<Turn> {
  const pause = Math.max(5, Math.ceil(millis / LOOKS))
  for (let waited = 0; ; waited += pause) {
    const got = yield* Effect.result(leases.claim(key, lease, millis))
    if (Result.isFailure(got)) return { _tag: "Without", reason: got.failure.message }
    if (got.success) return waited === 0 ? { _tag: "Alone" } : { _tag: "After", waited }
    if (waited >= patience) return { _tag: "Without", reason: `another process is at it for ${waited} ms` }
    yield* Effect.sleep(pause)
  }
})

/** Prolongs a lease until the work is done. One that cannot be prolonged lapses: it costs money, nothing else. */
const staying = ({ leases, millis }: LeaseHolder, key: ThreadKey, lease: Lease): Effect.Effect<never> =>
  Effect.sleep(Math.ceil(millis / 3)).pipe(
    Effect.andThen(Effect.ignore(leases.claim(key, lease, millis))),
    Effect.forever,
  )

/**
 * Does a piece of work when its turn has come. A lease is given back however the work ends.
 *
 * @category combinators
 * @since 0.1.0
 */
export const leased = <A, E>(
  holder: LeaseHolder | null,
  key: ThreadKey,
  name: string,
  work: (turn: Turn) => Effect.Effect<A, E>,
): Effect.Effect<A, E> => {
  if (holder === null) return work({ _tag: "Alone" })
  const lease = { name, holder: holder.holder }
  return Effect.acquireUseRelease(
    Effect.interruptible(claim(holder, key, lease)),
    (turn) =>
      turn._tag === "Without" ? work(turn) : Effect.raceFirst(work(turn), staying(holder, key, lease)),
    (turn) => (turn._tag === "Without" ? Effect.void : Effect.ignore(holder.leases.release(key, lease))),
  ).pipe(Effect.withSpan("Palimpsest.lease"))
}
