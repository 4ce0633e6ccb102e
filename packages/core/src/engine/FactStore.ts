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
 * Of two facts about one attribute of one subject the later one holds: by `at`, then by position, then by id. The earlier
 * one is superseded, and kept.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fact {
  /** Derived from the thread, the row and what is said: the same fact of the same row has the same id, and no other fact has it. */
  readonly id: string
  /** Whose memory it belongs to, within the tenant; empty for the one that the tenant shares. */
  readonly owner: string
  /** The chat in which it was said; empty for a fact that the host stated outside of any. */
  readonly chat: string
  /** Whom or what it is about, such as `user`. */
  readonly subject: string
  /** Which property, such as `email`. */
  readonly attribute: string
  readonly value: string
  /** The words of the row that state it, verbatim; empty for a fact that the host stated. */
  readonly quote: string
  /** Id of the message row that it comes from; empty for a fact that the host stated. */
  readonly row: string
  /** Position of that row in its chat; 0 for a fact that the host stated. */
  readonly position: number
  /** When it was said, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Names the memory of one owner: the empty one is that which the tenant shares.
 *
 * @category models
 * @since 0.1.0
 */
export interface OwnerKey {
  readonly tenant: string
  readonly owner: string
}

/**
 * Which facts are asked for, of one owner.
 *
 * @category models
 * @since 0.1.0
 */
export interface FactQuery extends OwnerKey {
  readonly subject?: string
  readonly attribute?: string
  /** Most facts that are answered; 500 by default. */
  readonly limit?: number
}

/**
 * What is to be forgotten of an owner: facts by their ids, or by what they are about. All that is given must hold of a
 * fact; a request that gives nothing forgets nothing.
 *
 * @category models
 * @since 0.1.0
 */
export interface ForgetRequest extends OwnerKey {
  readonly ids?: ReadonlyArray<string>
  readonly subject?: string
  readonly attribute?: string
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
    /**
     * Puts those facts whose id is not there yet, in one piece, and returns how many were new. What was forgotten
     * is not put again: neither the same fact, nor one of the same owner, subject, attribute and value that was said no
     * later than it was forgotten. The chat of a fact is `key.chat`; a chat that was removed is a `StoreError`.
     */
    readonly put: (key: ThreadKey, facts: ReadonlyArray<Fact>) => Effect.Effect<number, StoreError>
    /** Lists the facts said in a chat, by position and then id. Superseded ones are among them. */
    readonly list: (key: ThreadKey) => Effect.Effect<ReadonlyArray<Fact>, StoreError>
    /** Lists the facts that hold: of each subject and attribute the latest one, latest first. */
    readonly current: (query: FactQuery) => Effect.Effect<ReadonlyArray<Fact>, StoreError>
    /** Lists all facts, superseded ones too, latest first. */
    readonly history: (query: FactQuery) => Effect.Effect<ReadonlyArray<Fact>, StoreError>
    /** Of the facts said in some rows, those that no longer hold, since a later one is about the same. */
    readonly superseded: (
      owner: OwnerKey,
      rows: ReadonlyArray<{ readonly chat: string; readonly row: string }>,
    ) => Effect.Effect<ReadonlyArray<Fact>, StoreError>
    /**
     * Keeps a fact that the host states; it is in no chat. A fact whose id is there is left alone. Returns whether it
     * is kept: what was forgotten is not.
     */
    readonly remember: (tenant: string, fact: Fact) => Effect.Effect<boolean, StoreError>
    /** Deletes facts, with all that they superseded, so that no earlier value comes back; returns how many were deleted. */
    readonly forget: (request: ForgetRequest) => Effect.Effect<number, StoreError>
  }
>()("@palimpsest/core/FactStore") {}
