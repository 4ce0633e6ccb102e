/**
 * The live part of a thread, put together from what a store read.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import { type Cut, type Failure, type Mark, type MessageRow, order, type Row } from "../thread/Row.ts"
import type { Fault, Thread } from "../thread/Thread.ts"
import { decodeMark, decodeMessage, type StoredMark, type StoredMessage } from "./StoredRow.ts"

/** Rows that could be read, and the faults of those that could not. */
interface Read<R> {
  readonly rows: ReadonlyArray<R>
  readonly faults: ReadonlyArray<Fault>
}

const readAll = <S extends { readonly id: string }, R>(
  stored: ReadonlyArray<S>,
  kind: (row: S) => string,
  decode: (row: S) => Result.Result<R, string>,
): Read<R> => {
  const rows: Array<R> = []
  const faults: Array<Fault> = []
  for (const row of stored) {
    const result = decode(row)
    if (Result.isSuccess(result)) rows.push(result.success)
    else faults.push({ row: row.id, kind: kind(row), reason: result.failure })
  }
  return { rows, faults }
}

/**
 * Reads stored messages; those that cannot be read are named.
 *
 * @category codecs
 * @since 0.1.0
 */
export const readMessages = (
  stored: ReadonlyArray<StoredMessage & { readonly position: number }>,
): Read<MessageRow> => readAll(stored, () => "message", decodeMessage)

/**
 * Reads stored marks; those that cannot be read are named.
 *
 * @category codecs
 * @since 0.1.0
 */
export const readMarks = (stored: ReadonlyArray<StoredMark & { readonly position: number }>): Read<Mark> =>
  readAll(stored, (row) => row.kind, decodeMark)

/**
 * Tells whether a mark cuts the window.
 *
 * @category guards
 * @since 0.1.0
 */
export const isCut = (row: Row): row is Cut => row.kind === "summary" || row.kind === "reset"

/** Of marks of one kind at one position, the one of the highest revision counts: it was put to replace the others. */
const newestRevisions = (marks: ReadonlyArray<Mark>): ReadonlyArray<Mark> => {
  const newest = new Map<string, Mark>()
  for (const mark of marks) {
    const place = `${mark.position} ${mark.kind}`
    const other = newest.get(place)
    if (other === undefined || other.revision < mark.revision) newest.set(place, mark)
  }
  return [...newest.values()]
}

const missing = (cut: Cut | null, kept: ReadonlyArray<MessageRow>): ReadonlyArray<Fault> => {
  const found = new Set(kept.map((row) => row.id))
  return keptIds(cut)
    .filter((id) => !found.has(id))
    .map((row) => ({ row, kind: "message", reason: "the cut keeps it, but it cannot be found" }))
}

/**
 * Names the covered rows that a cut still sends.
 *
 * @category getters
 * @since 0.1.0
 */
export const keptIds = (cut: Cut | null): ReadonlyArray<string> =>
  cut?.kind === "summary" ? [...new Set([...cut.head, ...cut.carry])] : []

/**
 * What a store read of a thread: everything after the cut, in any order, and the covered rows that the cut keeps.
 *
 * @category models
 * @since 0.1.0
 */
export interface LiveParts {
  readonly system: string
  readonly owner?: string
  readonly cut: Cut | null
  readonly kept: ReadonlyArray<StoredMessage & { readonly position: number }>
  readonly messages: ReadonlyArray<StoredMessage & { readonly position: number }>
  /** Marks after the cut; those at its own position that rank below it, or are replaced, are left out. */
  readonly marks: ReadonlyArray<StoredMark & { readonly position: number }>
  readonly failures: ReadonlyArray<Failure>
  /** Faults met while the cut was looked for. */
  readonly faults: ReadonlyArray<Fault>
  readonly revision: number
}

/**
 * Puts the live part of a thread together. Unreadable rows are left out and named.
 *
 * @category constructors
 * @since 0.1.0
 */
export const liveThread = (parts: LiveParts): Thread => {
  const { system, owner, cut, failures, revision } = parts
  const kept = readMessages(parts.kept)
  const messages = readMessages(parts.messages)
  const marks = readMarks(parts.marks)
  const after = newestRevisions(marks.rows.filter((mark) => cut === null || order(mark, cut) > 0))
  const rows = [...messages.rows, ...after].filter((row): row is Exclude<Row, Cut> => !isCut(row)).sort(order)
  return {
    system,
    ...(owner === undefined || owner === "" ? {} : { owner }),
    cut,
    kept: [...kept.rows].sort(order),
    rows,
    failures,
    faults: uniqueFaults([
      ...parts.faults,
      ...kept.faults,
      ...messages.faults,
      ...marks.faults,
      ...missing(cut, [...kept.rows, ...messages.rows]).filter(
        ({ row }) => !kept.faults.some((fault) => fault.row === row),
      ),
    ]),
    revision,
  }
}

const uniqueFaults = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => [
  ...new Map(faults.map((fault) => [`${fault.kind} ${fault.row}`, fault])).values(),
]
