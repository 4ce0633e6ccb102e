/**
 * What a store hands out when a step opens: the live part of a thread and nothing older.
 *
 * @since 0.1.0
 */
import type { Cut, Failure, MessageRow, Row } from "./Row.ts"

/**
 * A stored row that could not be read: it is left out of the prompt, and named here.
 *
 * @category models
 * @since 0.1.0
 */
export interface Fault {
  readonly row: string
  readonly kind: string
  readonly reason: string
}

/**
 * The live part of a thread, as rows. The cost of reading it follows the window, never the age of the thread.
 *
 * @category models
 * @since 0.1.0
 */
export interface Thread {
  /** The system prompt kept on the chat, byte for byte. */
  readonly system: string
  /** Whose memory the chat belongs to, as it was told when it was opened first; absent for the one that the tenant shares. */
  readonly owner?: string
  /** The newest cut, or null for a thread that has none. */
  readonly cut: Cut | null
  /** The rows that the cut covers but still sends verbatim (its `head` and `carry`), in order. */
  readonly kept: ReadonlyArray<MessageRow>
  /** Messages, prunes and recalls after the cut, in order. */
  readonly rows: ReadonlyArray<Exclude<Row, Cut>>
  /** Failed attempts since the cut, oldest first. */
  readonly failures: ReadonlyArray<Failure>
  readonly faults: ReadonlyArray<Fault>
  /**
   * The least revision of a mark that is put now. It counts up whenever marks are taken out of force (a rewind, an
   * edit), so that what was made of the thread as it was before cannot be put any more.
   */
  readonly revision: number
}
