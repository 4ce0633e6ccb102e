/**
 * What of a message is put into the index of long-term memory.
 *
 * @since 0.1.0
 */

/**
 * Who said it: what a tool gave is found on purpose only.
 *
 * @category models
 * @since 0.1.0
 */
export type MemoryRole = "user" | "assistant" | "tool"

/**
 * A piece of a message, as it is searched for and recalled: without secrets, and without what this library injected.
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryDocument {
  readonly owner: string
  readonly chat: string
  /** Id of the message row. */
  readonly row: string
  readonly position: number
  /** Counts the pieces of a row from 0. */
  readonly piece: number
  readonly role: MemoryRole
  readonly text: string
  /** When it was said, in milliseconds since 1970. */
  readonly at: number
}
