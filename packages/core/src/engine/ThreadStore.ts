/**
 * The port to where threads live.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { Failure, Mark, MessageRow, Row, ThreadKey } from "../thread/Row.ts"
import type { Fault, Thread } from "../thread/Thread.ts"
import type { RowError, StoreError } from "./Errors.ts"

/**
 * A message to append: a row without its position, which the store gives.
 *
 * @category models
 * @since 0.1.0
 */
export type NewMessage = Omit<MessageRow, "kind" | "position">

/**
 * A mark to put: without its position, which is its anchor's.
 *
 * @category models
 * @since 0.1.0
 */
export type NewMark = Mark extends infer M ? (M extends Mark ? Omit<M, "position"> : never) : never

/**
 * What became of a mark.
 *
 * - `Written`: this call wrote it.
 * - `Adopted`: a row with this id was there: `row` is the one that counts.
 * - `Superseded`: nothing was written, since the thread is no longer what the mark was made of: another cut is live
 *   (its `id`, or empty for none), or the thread was rewound or edited. Reload.
 *
 * @category models
 * @since 0.1.0
 */
export type MarkOutcome =
  | { readonly _tag: "Written"; readonly row: Mark }
  | { readonly _tag: "Adopted"; readonly row: Mark }
  | { readonly _tag: "Superseded"; readonly id: string }

/**
 * A page of a thread, for a person who scrolls.
 *
 * @category models
 * @since 0.1.0
 */
export interface Page {
  /** In order. Covered rows and every mark are here: nothing is ever deleted. */
  readonly rows: ReadonlyArray<Row>
  readonly faults: ReadonlyArray<Fault>
  /** Position to ask for next, or null at the end. */
  readonly next: number | null
}

/**
 * How a chat is opened.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenOptions {
  /** Changes the snapshot of the system prompt on purpose. */
  readonly replace?: boolean
  /** Whose memory the chat belongs to: kept when it is opened first, and never changed. Empty by default. */
  readonly owner?: string
}

/**
 * What an append may ask for.
 *
 * @category models
 * @since 0.1.0
 */
export interface AppendOptions {
  /**
   * Id of the message that these follow. When a rewind has hidden it, they belong to what was put away: nothing is
   * appended, and a `RowError` names it.
   */
  readonly after?: string
}

/**
 * Keeps threads. Each method is atomic, and safe to repeat. A chat that was removed answers every method with a
 * `StoreError` that may not be retried, so that no late write brings anything back.
 *
 * @category services
 * @since 0.1.0
 */
export class ThreadStore extends Context.Service<
  ThreadStore,
  {
    /**
     * Keeps the system prompt of a chat when it is opened first, and returns the one that is kept. With
     * `replace` the snapshot is changed on purpose.
     */
    readonly open: (
      key: ThreadKey,
      system: string,
      options?: OpenOptions,
    ) => Effect.Effect<string, StoreError>
    /**
     * Reads the live part of a thread. An unreadable mark is passed over for the one before it, and named in
     * `faults`; so is an unreadable message. An unknown chat is an empty thread.
     */
    readonly load: (key: ThreadKey) => Effect.Effect<Thread, StoreError>
    /**
     * Appends messages in one piece, and returns them with their positions. A message whose id is there with the
     * same content is left alone and returned as stored; with other content it is a `RowError`.
     */
    readonly append: (
      key: ThreadKey,
      messages: ReadonlyArray<NewMessage>,
      options?: AppendOptions,
    ) => Effect.Effect<ReadonlyArray<MessageRow>, StoreError | RowError>
    /**
     * Puts a mark after its anchor: insert, or adopt the row that has its id. A cut that is not later than the live
     * one is not written, unless it stands at the same anchor with a higher rank or revision; nor is a summary whose
     * `previous` is not the live cut, nor any mark of a lower revision than the thread's.
     * An anchor that is no message of this thread is a `RowError`.
     */
    readonly mark: (key: ThreadKey, mark: NewMark) => Effect.Effect<MarkOutcome, StoreError | RowError>
    /** Records a failed pass. The same anchor, stage, reason and tokens are recorded once. */
    readonly fail: (key: ThreadKey, failure: Failure) => Effect.Effect<void, StoreError | RowError>
    /** Reads one message row as it is stored, large values as references, wherever it stands in the thread; null when there is none. */
    readonly row: (key: ThreadKey, id: string) => Effect.Effect<MessageRow | null, StoreError | RowError>
    /**
     * Reads rows from a position on, in order, at most `limit` positions. What a rewind or an edit hid is left out;
     * large values are references.
     */
    readonly page: (key: ThreadKey, from: number, limit: number) => Effect.Effect<Page, StoreError>
    /** Reads a remembered draft: the paid work of a pass that did not end. */
    readonly draft: (key: ThreadKey, name: string) => Effect.Effect<string | null, StoreError>
    /** Remembers a draft. The first one of a name stays. */
    readonly saveDraft: (key: ThreadKey, name: string, text: string) => Effect.Effect<void, StoreError>
  }
>()("@palimpsest/core/ThreadStore") {}
