/**
 * The port to all that is kept of an owner: to hand it out, and to delete it.
 *
 * @since 0.1.0
 */
import { Context, Effect, Option, Stream } from "effect"
import type { StoreError } from "./Errors.ts"
import type { OwnerKey } from "./FactStore.ts"

/**
 * One thing that is kept of an owner, as plain JSON that names its kind: `chat`, `message`, `version` (of a message,
 * before an edit), `mark`, `failure`, `draft`, `value` (a large one, which rows name), `line` (which rows of which
 * chats a fork or a rewound chat shows), `fact`, and what later tables hold.
 *
 * @category models
 * @since 0.1.0
 */
export interface OwnerRecord {
  readonly kind: string
  readonly [field: string]: unknown
}

/**
 * A page of what is kept of an owner.
 *
 * @category models
 * @since 0.1.0
 */
export interface OwnerPage {
  readonly records: ReadonlyArray<OwnerRecord>
  /** What to ask for next, or null at the end. */
  readonly next: string | null
}

/**
 * Hands out and deletes all that is kept of an owner. A chat belongs to the owner that it was opened with.
 *
 * @category services
 * @since 0.1.0
 */
export class OwnerData extends Context.Service<
  OwnerData,
  {
    /**
     * Reads a page of at most `limit` records, from the start or from where the one before it said. Everything is there:
     * what is covered, reduced, superseded, or hidden by a rewind. What is written meanwhile may be missing. It is as it was
     * said: nothing is redacted.
     */
    readonly page: (
      owner: OwnerKey,
      from: string | null,
      limit: number,
    ) => Effect.Effect<OwnerPage, StoreError>
    /**
     * Deletes every chat of an owner, its facts and whatever else is kept of it, and refuses what is written to any of them
     * later: chats keep their names, and a digest stands for the owner. The memory that a tenant shares has no owner:
     * remove its chats, or the tenant.
     */
    readonly remove: (owner: OwnerKey) => Effect.Effect<void, StoreError>
  }
>()("@palimpsest/core/OwnerData") {}

/** Records of one page: few, since one may be as large as a row. */
const PAGE = 50

/**
 * Streams all that is kept of an owner.
 *
 * @category combinators
 * @since 0.1.0
 */
export const ownerRecords = (
  owner: OwnerKey,
  pageSize = PAGE,
): Stream.Stream<OwnerRecord, StoreError, OwnerData> =>
  Stream.unwrap(
    Effect.map(OwnerData, (data) =>
      Stream.paginate<string | null, OwnerRecord, StoreError>(null, (from) =>
        Effect.map(data.page(owner, from, pageSize), ({ records, next }) => [
          records,
          next === null ? Option.none() : Option.some(next),
        ]),
      ),
    ),
  )

/**
 * Streams all that is kept of an owner as lines of JSON, one for each record, without line ends.
 *
 * @category combinators
 * @since 0.1.0
 */
export const exportOwner = (owner: OwnerKey): Stream.Stream<string, StoreError, OwnerData> =>
  Stream.map(ownerRecords(owner), (record) => JSON.stringify(record))
