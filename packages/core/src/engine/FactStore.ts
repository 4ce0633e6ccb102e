/**
 * The port to where durable facts live.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { ThreadKey } from "../thread/Row.ts"
import type { StoreError } from "./Errors.ts"

/**
 * A durable fact: what is known of a subject, and the words that say so.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fact {
  /** Derived from the thread, the row and what is said: the same fact of the same row has the same id. */
  readonly id: string
  /** Whom or what it is about, such as `user`. */
  readonly subject: string
  /** Which property, such as `email`. */
  readonly attribute: string
  readonly value: string
  /** The words of the row that state it, verbatim. */
  readonly quote: string
  /** Id of the message row that it comes from. */
  readonly row: string
  /** Position of that row: of two facts about one attribute, the later one holds. */
  readonly position: number
}

/**
 * Keeps facts. Each method is atomic, and safe to repeat.
 *
 * @category services
 * @since 0.1.0
 */
export class FactStore extends Context.Service<
  FactStore,
  {
    /** Puts those facts whose id is not there yet, in one piece, and returns how many were new. */
    readonly put: (key: ThreadKey, facts: ReadonlyArray<Fact>) => Effect.Effect<number, StoreError>
    /** Lists the facts of a thread, by position and then id. Superseded ones are among them. */
    readonly list: (key: ThreadKey) => Effect.Effect<ReadonlyArray<Fact>, StoreError>
  }
>()("@palimpsest/core/FactStore") {}
