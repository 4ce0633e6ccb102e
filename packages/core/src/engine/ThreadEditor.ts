/**
 * The port to what people do to threads: they rewind, edit, fork and remove them.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { MessageRow, ThreadKey } from "../thread/Row.ts"
import type { RowError, StoreError } from "./Errors.ts"
import type { NewMessage } from "./ThreadStore.ts"

/**
 * Changes what of a thread is in force. Each method is atomic, and safe to repeat; only `remove` and `removeTenant`
 * delete anything. Each that takes marks out of force raises the thread's revision, so that a pass that is running
 * meanwhile is not written.
 *
 * @category services
 * @since 0.1.0
 */
export class ThreadEditor extends Context.Service<
  ThreadEditor,
  {
    /**
     * Hides every message after one, and brings back the view that was live right before the next was appended:
     * marks that were put later are hidden too. `to` is the id of a message of the thread, or empty for its start.
     * The id of a hidden message may be used again. Nothing happens when nothing follows `to`.
     */
    readonly rewind: (key: ThreadKey, to: string) => Effect.Effect<void, StoreError | RowError>
    /**
     * Gives a message other content, at its place. The summaries and prunes that rest on it are taken out of force,
     * and the older version is kept. In forks, which share the row, it changes as well. Nothing happens when
     * the content is the same. A message that is not there, is hidden, or belongs to the chat that this one was
     * forked from, is a `RowError`.
     */
    readonly edit: (key: ThreadKey, message: NewMessage) => Effect.Effect<MessageRow, StoreError | RowError>
    /** Reads the versions that edits replaced, oldest first. */
    readonly versions: (
      key: ThreadKey,
      id: string,
    ) => Effect.Effect<ReadonlyArray<MessageRow>, StoreError | RowError>
    /**
     * Makes a new chat that begins with this thread up to a message (its newest one by default, empty for the
     * start), and copies no rows. What is said in one of them later does not reach the other. A chat that is
     * there already is a `RowError`, unless it is this very fork.
     */
    readonly fork: (
      key: ThreadKey,
      chat: string,
      at?: string,
    ) => Effect.Effect<ThreadKey, StoreError | RowError>
    /** Takes a mark out of force: what it covers is no longer what it was made of. The row stays. */
    readonly withdraw: (key: ThreadKey, mark: string) => Effect.Effect<void, StoreError>
    /**
     * Deletes everything that is kept of a chat, and refuses whatever is written to it later. Chats that were forked
     * from it keep what they show.
     */
    readonly remove: (key: ThreadKey) => Effect.Effect<void, StoreError>
    /** Deletes everything that is kept of a tenant, and refuses whatever is written to it later. */
    readonly removeTenant: (tenant: string) => Effect.Effect<void, StoreError>
  }
>()("@palimpsest/core/ThreadEditor") {}
