/**
 * Reading chats in memory.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import type { RowError } from "../../engine/Errors.ts"
import { isCut, keptIds, liveThread, readMarks, readMessages } from "../../engine/LiveThread.ts"
import { pageBounds } from "../../engine/PageBounds.ts"
import { readable } from "../../engine/RowFaults.ts"
import { decodeMark, decodeMessage } from "../../engine/StoredRow.ts"
import type { Page } from "../../engine/ThreadStore.ts"
import { type Cut, type MessageRow, order, rank } from "../../thread/Row.ts"
import type { Fault, Thread } from "../../thread/Thread.ts"
import type { PlacedMark, View } from "./Chat.ts"

interface FoundCut {
  readonly cut: (Cut & { readonly seq: number }) | null
  readonly faults: ReadonlyArray<Fault>
}

/** Compares marks by their place in the thread. */
export const byPlace = (a: PlacedMark, b: PlacedMark): number =>
  a.position - b.position || a.rank - b.rank || a.revision - b.revision

/** The position of an anchor that is shown. */
export const positionOf = ({ messages }: View, anchor: string): number | undefined =>
  anchor === "" ? 0 : messages.find((row) => row.id === anchor)?.position

/** The newest cut that can be read and stands at a message of the thread. */
export const findCut = (view: View): FoundCut => {
  const faults: Array<Fault> = []
  const cuts = view.marks
    .filter(({ kind }) => kind === "summary" || kind === "reset")
    .sort((a, b) => a.time - b.time || byPlace(a, b))
  for (const stored of cuts.reverse()) {
    const mark = decodeMark(stored)
    const anchored = positionOf(view, stored.anchor) === stored.position
    if (Result.isSuccess(mark) && isCut(mark.success) && anchored) {
      return { cut: { ...mark.success, seq: stored.seq }, faults }
    }
    const reason = Result.isFailure(mark) ? mark.failure : "its anchor is no message of this thread"
    faults.push({ row: stored.id, kind: stored.kind, reason })
  }
  return { cut: null, faults }
}

/** The live part. */
export const load = (view: View): Thread => {
  const { cut: found, faults } = findCut(view)
  const { seq, ...cut } = found ?? { seq: 0 }
  const from = found?.position ?? -1
  const kept = new Set(keptIds(found))
  return liveThread({
    system: view.chat.system ?? "",
    owner: view.chat.owner ?? "",
    cut: found === null ? null : (cut as Cut),
    kept: view.messages.filter((row) => row.position <= from && kept.has(row.id)),
    messages: view.messages.filter((row) => row.position > from),
    marks: view.marks.filter(
      (row) =>
        row.position > from || (found !== null && row.position === from && row.rank > rank(found.kind)),
    ),
    failures: view.failures
      .filter((row) => row.position > from || (row.position === from && row.seq > seq))
      .map((row) => row.failure),
    faults,
    revision: view.chat.revision,
  })
}

/** The rows of the next positions. */
export const page = (view: View, first: number, most: number): Page => {
  const { from, limit } = pageBounds(first, most)
  const positions = [...new Set([...view.messages, ...view.marks].map((row) => row.position))]
    .filter((position) => position >= from)
    .sort((a, b) => a - b)
  const wanted = new Set(positions.slice(0, limit))
  const messages = readMessages(view.messages.filter((row) => wanted.has(row.position)))
  const marks = readMarks(view.marks.filter((row) => wanted.has(row.position)))
  return {
    rows: [...messages.rows, ...marks.rows].sort(order),
    faults: [...messages.faults, ...marks.faults],
    next: positions[wanted.size] ?? null,
  }
}

/** One message by its id. */
export const readRow = (view: View, id: string): Result.Result<MessageRow | null, RowError> => {
  const stored = view.messages.find((row) => row.id === id)
  return stored === undefined ? Result.succeed(null) : readable(decodeMessage(stored), id)
}
