/**
 * The port to leases: who does a piece of paid work, so that others need not.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { ThreadKey } from "../thread/Row.ts"
import type { StoreError } from "./Errors.ts"

/**
 * A piece of work of one thread, and who wants to do it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Lease {
  /** What is done, in a word. */
  readonly name: string
  /** Who does it: a word that no other process has. */
  readonly holder: string
}

/**
 * Lends pieces of work. It saves money only: without it, or with two holders at once, a thread is as right as ever.
 * A lease of a holder that died ends by itself, by the clock of the store.
 *
 * @category services
 * @since 0.1.0
 */
export class Leases extends Context.Service<
  Leases,
  {
    /** Takes a lease for so many milliseconds, or prolongs one's own. False while another holder has it. */
    readonly claim: (key: ThreadKey, lease: Lease, millis: number) => Effect.Effect<boolean, StoreError>
    /** Gives a lease back. One that is not held is left alone. */
    readonly release: (key: ThreadKey, lease: Lease) => Effect.Effect<void, StoreError>
  }
>()("@palimpsest/core/Leases") {}
