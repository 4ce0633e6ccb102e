/**
 * The port to the index over what was said in all chats of a tenant: by words, and by meaning where vectors are kept.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { MemoryDocument, MemoryRole } from "../recall/Document.ts"
import type { StoreError } from "./Errors.ts"

/**
 * What is searched for, and where: within the memory of one owner of one tenant.
 *
 * @category models
 * @since 0.1.0
 */
export interface SearchRequest {
  readonly tenant: string
  readonly owner: string
  readonly query: string
  /** Most documents that are answered. */
  readonly limit: number
  /** Those chats alone; all by default. */
  readonly chats?: ReadonlyArray<string>
  /** Said by these alone; by anybody by default. */
  readonly roles?: ReadonlyArray<MemoryRole>
  /** Said at this time or later, in milliseconds since 1970. */
  readonly since?: number
  /** Said before this time. */
  readonly until?: number
  /** Rows that need not be found: they are visible. */
  readonly except?: { readonly chat: string; readonly rows: ReadonlyArray<string> }
}

/**
 * A document that was found.
 *
 * @category models
 * @since 0.1.0
 */
export interface Found {
  readonly document: MemoryDocument
  /** Sum of the reciprocal ranks, by words and by vectors: larger is better, and comparable within one answer. */
  readonly score: number
  /** Rank by words, from 1; null when it has none of them. */
  readonly words: number | null
  /** Rank by vectors, from 1; null when it is not among the nearest. */
  readonly vectors: number | null
}

/**
 * The answer to a search.
 *
 * @category models
 * @since 0.1.0
 */
export interface SearchResult {
  /** Best first; of equal scores the newest first. */
  readonly found: ReadonlyArray<Found>
  /** How vectors were searched: not at all, each one, or through an approximate index. */
  readonly scan: "none" | "exact" | "index"
  /** What did not work, and what was done instead, such as a search by words alone. */
  readonly degraded: ReadonlyArray<string>
}

/**
 * What one run of the indexer did.
 *
 * @category models
 * @since 0.1.0
 */
export interface IndexReport {
  /** Rows that were looked at. */
  readonly rows: number
  /** Documents that were written. */
  readonly documents: number
  /** Documents that got a vector. */
  readonly vectors: number
  /** Whether more is left to do: run it again. */
  readonly left: boolean
  /** What did not work, such as an embedder that is down: it is tried again by the next run. */
  readonly degraded: ReadonlyArray<string>
}

/**
 * Indexes and searches. Indexing is off the path of a step: a worker or the end of a step runs it, as often as it likes,
 * in any number of processes; killed in the middle, it goes on where it was.
 *
 * @category services
 * @since 0.1.0
 */
export class MemoryIndex extends Context.Service<
  MemoryIndex,
  {
    /** Indexes a batch of what was said in a tenant since the last run. */
    readonly index: (
      tenant: string,
      options?: { readonly rows?: number },
    ) => Effect.Effect<IndexReport, StoreError>
    /** Searches. An embedder that fails costs the vectors, not the search. */
    readonly search: (request: SearchRequest) => Effect.Effect<SearchResult, StoreError>
  }
>()("@palimpsest/core/MemoryIndex") {}
