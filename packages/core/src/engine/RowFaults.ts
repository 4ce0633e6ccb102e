/**
 * The typed errors that every store gives for the same bad input, in the same words.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import type { Failure, Mark, ThreadKey } from "../thread/Row.ts"
import { RowError, StoreError } from "./Errors.ts"
import {
  checkFailure,
  decodeMark,
  encodeMark,
  encodeMessage,
  idFault,
  type StoredMark,
  type StoredMessage,
  samePayload,
} from "./StoredRow.ts"
import type { NewMark, NewMessage } from "./ThreadStore.ts"

/** An id as an error names it: a host without types may have given anything. */
const named = (row: unknown): string =>
  typeof row === "object" && row !== null
    ? "an object"
    : typeof row === "function"
      ? "a function"
      : String(row)

const refused = (operation: string, row: unknown, reason: string): RowError =>
  new RowError({ operation, row: named(row), reason, remedy: "Correct the row and try again" })

/**
 * Says that an id is taken by other content.
 *
 * @category errors
 * @since 0.1.0
 */
export const conflict = (row: string): RowError =>
  new RowError({
    operation: "append",
    row,
    reason: "a message with this id holds other content",
    remedy: "Give a changed message a new id, or send it as it was",
  })

/**
 * Says that an anchor is no message of its thread.
 *
 * @category errors
 * @since 0.1.0
 */
export const unknownAnchor = (operation: string, anchor: string): RowError =>
  new RowError({
    operation,
    row: named(anchor),
    reason: "no message of this thread has the anchor's id",
    remedy: "Append the anchor first, or use the empty anchor for the start of the thread",
  })

/**
 * Says that what an append follows was hidden by a rewind.
 *
 * @category errors
 * @since 0.1.0
 */
export const hidden = (operation: string, row: string): RowError =>
  new RowError({
    operation,
    row: named(row),
    reason: "the thread shows no message with this id: it was rewound meanwhile",
    remedy: "Open the thread anew: what followed that message belongs to what was put away",
  })

/**
 * Says that a message is not there.
 *
 * @category errors
 * @since 0.1.0
 */
export const absent = (operation: string, row: string): RowError =>
  new RowError({
    operation,
    row: named(row),
    reason: "the thread shows no message with this id",
    remedy: "Name a message of the thread that is not hidden",
  })

/**
 * Says that a message is stored in the chat that its own was forked from.
 *
 * @category errors
 * @since 0.1.0
 */
export const inherited = (row: string): RowError =>
  new RowError({
    operation: "edit",
    row,
    reason: "it belongs to the chat that this one was forked from",
    remedy: "Edit it there, or rewind this chat to the message before it and append another",
  })

/**
 * Says that a chat is there already, and is not the fork that was asked for.
 *
 * @category errors
 * @since 0.1.0
 */
export const otherChat = (chat: string): RowError =>
  new RowError({
    operation: "fork",
    row: chat,
    reason: "a chat of this name is there already",
    remedy: "Fork to a new name",
  })

/**
 * Says that a chat or its tenant was removed.
 *
 * @category errors
 * @since 0.1.0
 */
export const removed = (operation: string): StoreError =>
  new StoreError({ operation, reason: "the chat was removed: use a new one", isRetryable: false })

/**
 * Says that a store does nothing beyond what a step needs.
 *
 * @category errors
 * @since 0.1.0
 */
export const noEditor = (operation: string): StoreError =>
  new StoreError({
    operation,
    reason: "no ThreadEditor is provided: use a store whose layer brings one",
    isRetryable: false,
  })

/**
 * Checks the two halves of a thread's key, and the names of what an operation is about.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkKey = (
  operation: string,
  key: ThreadKey,
  names: ReadonlyArray<string> = [],
): Result.Result<ThreadKey, StoreError> => {
  const all = [
    ["tenant", key.tenant],
    ["chat", key.chat],
    ...names.map((name) => ["name", name] as const),
  ] as const
  for (const [what, text] of all) {
    const fault = idFault(text)
    if (fault !== null) {
      return Result.fail(new StoreError({ operation, reason: `${what}: ${fault}`, isRetryable: false }))
    }
  }
  return Result.succeed(key)
}

/**
 * Tells whether a message can be kept, before any store sees it.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkMessage = (message: NewMessage): Result.Result<void, RowError> =>
  Result.mapBoth(encodeMessage(message), {
    onSuccess: () => undefined,
    onFailure: (reason) => refused("append", message.id, reason),
  })

/**
 * Writes a batch in its stored form: each id once. The same id with other content in one batch is an error.
 *
 * @category codecs
 * @since 0.1.0
 */
export const encodeBatch = (
  messages: ReadonlyArray<NewMessage>,
): Result.Result<ReadonlyArray<StoredMessage>, RowError> =>
  Result.gen(function* () {
    const batch = new Map<string, StoredMessage>()
    for (const message of messages) {
      const stored = yield* Result.mapError(encodeMessage(message), (reason) =>
        refused("append", message.id, reason),
      )
      const other = batch.get(stored.id)
      if (other === undefined) batch.set(stored.id, stored)
      else if (!samePayload(other.payload, stored.payload)) return yield* Result.fail(conflict(stored.id))
    }
    return [...batch.values()]
  })

/**
 * Writes a mark in its stored form.
 *
 * @category codecs
 * @since 0.1.0
 */
export const encodeNewMark = (mark: NewMark): Result.Result<StoredMark, RowError> =>
  Result.mapError(encodeMark(mark), (reason) => refused("mark", mark.id, reason))

/**
 * Checks a failure.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkNewFailure = (failure: Failure): Result.Result<Failure, RowError> =>
  Result.mapError(checkFailure(failure), (reason) => refused("fail", failure.anchor, reason))

/**
 * Reads the row that a mark would adopt; one that cannot be read cannot be adopted, and is not written over.
 *
 * @category codecs
 * @since 0.1.0
 */
export const adopt = (stored: StoredMark & { readonly position: number }): Result.Result<Mark, RowError> =>
  Result.mapError(
    decodeMark(stored),
    (reason) =>
      new RowError({
        operation: "mark",
        row: stored.id,
        reason: `a row with this id is stored and cannot be read: ${reason}`,
        remedy: "Put the mark with the next revision",
      }),
  )

/**
 * Turns the reason why a stored message cannot be read into the error of a single look-up.
 *
 * @category codecs
 * @since 0.1.0
 */
export const readable = <R>(result: Result.Result<R, string>, row: string): Result.Result<R, RowError> =>
  Result.mapError(
    result,
    (reason) =>
      new RowError({ operation: "row", row, reason, remedy: "Read it with the version that wrote it" }),
  )
