/**
 * A thread store as a model: for each chat a list of what is in force, in the order in which it was written. To rewind
 * is to shorten the list, to fork is to copy it. Nothing here is shared with a real store.
 *
 * @since 0.1.0
 */
import type { Failure, Mark, MessageRow } from "../../thread/Row.ts"

/**
 * Something that is in force in a chat, and the chat that it was written in.
 *
 * @category models
 * @since 0.1.0
 */
export type Entry =
  | { readonly of: "message"; readonly source: string; readonly row: MessageRow }
  | { readonly of: "mark"; readonly source: string; readonly row: Mark }
  | { readonly of: "failure"; readonly source: string; readonly failure: Failure; readonly position: number }

/**
 * A chat of the model.
 *
 * @category models
 * @since 0.1.0
 */
export interface ModelChat {
  readonly system: string | null
  readonly log: ReadonlyArray<Entry>
  /** Counts up whenever something is taken out of force. */
  readonly epoch: number
  /** The revision that a store told last, and in which epoch. */
  readonly told: { readonly revision: number; readonly epoch: number } | null
  /** The greatest position that was ever given. */
  readonly used: number
  /** The greatest revision that a mark ever had. */
  readonly newest: number
  /** For a fork: the chat that it comes from, and what it began with. */
  readonly origin: string | null
  readonly drafts: ReadonlyMap<string, string>
}

/**
 * All chats of the model, and every row that was ever written, hidden or not.
 *
 * @category models
 * @since 0.1.0
 */
export interface ModelState {
  readonly chats: ReadonlyMap<string, ModelChat>
  readonly written: ReadonlyArray<{ readonly chat: string; readonly row: MessageRow | Mark }>
}

/**
 * A chat to which nothing happened.
 *
 * @category constructors
 * @since 0.1.0
 */
export const emptyChat: ModelChat = {
  system: null,
  log: [],
  epoch: 0,
  told: null,
  used: 0,
  newest: 0,
  origin: null,
  drafts: new Map(),
}

/**
 * Finds a chat.
 *
 * @category getters
 * @since 0.1.0
 */
export const chatOf = ({ chats }: ModelState, name: string): ModelChat => chats.get(name) ?? emptyChat

/**
 * Finds the messages in force, in order.
 *
 * @category getters
 * @since 0.1.0
 */
export const messagesIn = ({ log }: Pick<ModelChat, "log">): ReadonlyArray<MessageRow> =>
  log.flatMap((entry) => (entry.of === "message" ? [entry.row] : []))

/**
 * Finds the marks in force, in the order in which they were put.
 *
 * @category getters
 * @since 0.1.0
 */
export const marksIn = ({ log }: Pick<ModelChat, "log">): ReadonlyArray<Mark> =>
  log.flatMap((entry) => (entry.of === "mark" ? [entry.row] : []))

/**
 * Finds the live cut: the one put last.
 *
 * @category getters
 * @since 0.1.0
 */
export const cutIn = (chat: Pick<ModelChat, "log">): Extract<Mark, { kind: "summary" | "reset" }> | null =>
  marksIn(chat).findLast((mark) => mark.kind === "summary" || mark.kind === "reset") ?? null

/**
 * Finds the position of a message in force; 0 for the start.
 *
 * @category getters
 * @since 0.1.0
 */
export const positionIn = (chat: Pick<ModelChat, "log">, id: string): number | null =>
  id === "" ? 0 : (messagesIn(chat).find((row) => row.id === id)?.position ?? null)

/**
 * What was in force right before the message after another was written.
 *
 * @category combinators
 * @since 0.1.0
 */
export const untilAfter = (log: ReadonlyArray<Entry>, position: number): ReadonlyArray<Entry> => {
  const next = log.findIndex((entry) => entry.of === "message" && entry.row.position > position)
  return next === -1 ? log : log.slice(0, next)
}

/**
 * Changes one chat.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withChat = (state: ModelState, name: string, change: Partial<ModelChat>): ModelState => ({
  ...state,
  chats: new Map(state.chats).set(name, { ...chatOf(state, name), ...change }),
})
