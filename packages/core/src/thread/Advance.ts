/**
 * What a thread becomes when a row is added: the same answer that a store gives when it reads the thread again.
 *
 * @since 0.1.0
 */
import type { Cut, Failure, MessageRow, PruneRow, RecallRow } from "./Row.ts"
import { order } from "./Row.ts"
import type { Thread } from "./Thread.ts"

/**
 * A thread in which nothing was said yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const emptyThread = (system: string): Thread => ({
  system,
  cut: null,
  kept: [],
  rows: [],
  failures: [],
  faults: [],
  revision: 0,
})

const withCut = (thread: Thread, cut: Cut): Thread => {
  const kept = new Set(cut.kind === "summary" ? [...cut.head, ...cut.carry] : [])
  const messages = thread.rows.filter((row) => row.kind === "message")
  const rows = thread.rows.filter((row) => order(row, cut) > 0)
  return {
    ...thread,
    cut,
    kept: [...thread.kept, ...messages].filter((row) => kept.has(row.id)),
    rows,
    failures: thread.failures.filter((failure) => rows.some((row) => row.id === failure.anchor)),
  }
}

/** A mark put again at its anchor, on purpose, stands for the one of the same kind that was there. */
const replaces = (row: Thread["rows"][number], other: Thread["rows"][number]): boolean =>
  row.kind !== "message" && other.kind === row.kind && other.anchor === row.anchor

/**
 * Adds rows to a thread. A cut takes the rows up to its anchor out of the window; the failures before it no longer
 * count.
 *
 * @category combinators
 * @since 0.1.0
 */
export const advance = (thread: Thread, row: MessageRow | PruneRow | RecallRow | Cut): Thread =>
  row.kind === "summary" || row.kind === "reset"
    ? withCut(thread, row)
    : { ...thread, rows: [...thread.rows.filter((other) => !replaces(row, other)), row].toSorted(order) }

const isSame = (a: Failure, b: Failure): boolean =>
  a.anchor === b.anchor && a.stage === b.stage && a.reason === b.reason && a.tokens === b.tokens

/**
 * Adds a failed attempt, once.
 *
 * @category combinators
 * @since 0.1.0
 */
export const withFailure = (thread: Thread, failure: Failure): Thread => ({
  ...thread,
  failures: thread.failures.some((other) => isSame(other, failure))
    ? thread.failures
    : [...thread.failures, failure],
})
