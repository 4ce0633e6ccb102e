/**
 * What the model answers to those who read.
 *
 * @since 0.1.0
 */
import type { Mark, MessageRow, Row } from "../../thread/Row.ts"
import type { Thread } from "../../thread/Thread.ts"
import { cutIn, type ModelChat, marksIn, messagesIn } from "./Model.ts"

/** A message, then its prune, the cuts, and what was recalled for the next message. */
const RANK: Readonly<Record<Row["kind"], number>> = { message: 0, prune: 1, summary: 2, reset: 3, recall: 4 }

/**
 * Compares rows by where they stand.
 *
 * @category ordering
 * @since 0.1.0
 */
export const byPlace = (a: Row, b: Row): number =>
  a.position - b.position ||
  RANK[a.kind] - RANK[b.kind] ||
  (a.kind === "message" ? 0 : a.revision) - (b.kind === "message" ? 0 : b.revision)

const isOverruled = (mark: Mark, marks: ReadonlyArray<Mark>): boolean =>
  marks.some(
    (other) => other.kind === mark.kind && other.position === mark.position && other.revision > mark.revision,
  )

/**
 * The live part of a chat, without its revision.
 *
 * @category getters
 * @since 0.1.0
 */
export const loadedFrom = (chat: ModelChat): Omit<Thread, "revision"> => {
  const cut = cutIn(chat)
  const from = cut?.position ?? -1
  const kept = cut?.kind === "summary" ? [...cut.head, ...cut.carry] : []
  const messages: ReadonlyArray<MessageRow> = messagesIn(chat)
  const marks = marksIn(chat).filter((mark) => mark.kind === "prune" || mark.kind === "recall")
  const after = marks.filter((mark) => cut === null || byPlace(mark, cut) > 0)
  const cutAt = chat.log.findIndex((entry) => entry.of === "mark" && entry.row.id === cut?.id)
  return {
    system: chat.system ?? "",
    cut,
    kept: messages.filter((row) => row.position <= from && kept.includes(row.id)),
    rows: [
      ...messages.filter((row) => row.position > from),
      ...after.filter((mark) => !isOverruled(mark, after)),
    ].toSorted(byPlace),
    failures: chat.log.flatMap((entry, i) =>
      entry.of === "failure" && (entry.position > from || (entry.position === from && i > cutAt))
        ? [entry.failure]
        : [],
    ),
    faults: [],
  }
}

/**
 * All rows in force, in order.
 *
 * @category getters
 * @since 0.1.0
 */
export const rowsIn = (chat: ModelChat): ReadonlyArray<Row> =>
  [...messagesIn(chat), ...marksIn(chat)].toSorted(byPlace)
