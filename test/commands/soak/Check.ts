/** What is wrong with a thread, given what was tried and what was acknowledged: pure, and apart from the engine. */
import { canonicalJson, digestRows, type Mark, type MessageRow, order, type Row } from "@palimpsest/core"
import type { Note } from "./Notes.ts"
import { batchOf } from "./Script.ts"

/** How a thread is wrong. */
export type FaultKind =
  | "lost"
  | "doubled"
  | "torn"
  | "altered"
  | "unknown"
  | "order"
  | "chain"
  | "cover"
  | "budget"
  | "worker"

export interface Fault {
  readonly kind: FaultKind
  readonly chat: string
  readonly what: string
}

/** A thread as it was read at the end. */
export interface Final {
  readonly chat: string
  readonly rows: ReadonlyArray<Row>
}

const repeated = (keys: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const twice = keys.filter((key) => seen.has(key) || !seen.add(key))
  return [...new Set(twice)]
}

type Say = (kind: FaultKind, what: string) => Fault

const isMessage = (row: Row): row is MessageRow => row.kind === "message"
const isMark = (row: Row): row is Mark => row.kind !== "message"

/** Each row, position and text stands once. */
const doubled = (rows: ReadonlyArray<Row>, say: Say): ReadonlyArray<Fault> => {
  const messages = rows.filter(isMessage)
  return [
    ...repeated(rows.map((row) => row.id)).map((id) => say("doubled", `the id ${id} is there twice`)),
    ...repeated(messages.map((row) => String(row.position))).map((at) =>
      say("doubled", `position ${at} is there twice`),
    ),
    ...repeated(messages.map((row) => canonicalJson(row.message))).map((text) =>
      say("doubled", `${text.slice(0, 80)} is there twice`),
    ),
  ]
}

const ordered = (rows: ReadonlyArray<Row>, say: Say): ReadonlyArray<Fault> =>
  rows.flatMap((row, i) => {
    const before = rows[i - 1]
    return before === undefined || order(before, row) < 0
      ? []
      : [say("order", `${row.id} is not after ${before.id}`)]
  })

/** Each batch that was tried is there whole, in its order, with its content, or not at all. */
const batchFaults = (
  name: string,
  isAcknowledged: boolean,
  stored: ReadonlyMap<string, MessageRow>,
  say: Say,
): ReadonlyArray<Fault> => {
  const inputs = batchOf(name)?.inputs ?? []
  const found = inputs.flatMap(({ id }) => stored.get(id) ?? [])
  if (found.length === 0 && !isAcknowledged) return []
  const missing = inputs.filter(({ id }) => !stored.has(id))
  const altered = inputs.filter(({ id, message }) => {
    const row = stored.get(id)
    return row !== undefined && canonicalJson(row.message) !== canonicalJson(message)
  })
  const isOrdered = found.every((row, i) => i === 0 || row.position > (found[i - 1]?.position ?? 0))
  return [
    ...missing.map(({ id }) =>
      isAcknowledged
        ? say("lost", `row ${id} was acknowledged, and is not there`)
        : say("torn", `row ${id} of batch ${name} is not there, others of it are`),
    ),
    ...altered.map(({ id }) => say("altered", `row ${id} has another content`)),
    ...(isOrdered ? [] : [say("order", `the rows of batch ${name} are not in its order`)]),
  ]
}

/** Cuts form one chain: each summary builds on the one before it, and covers exactly the rows since. */
const chainFaults = (rows: ReadonlyArray<Row>, say: Say): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  const messages = rows.filter(isMessage)
  let previous: { readonly id: string; readonly position: number; readonly generation: number } | null = null
  for (const row of rows) {
    if (row.kind !== "summary" && row.kind !== "reset") continue
    const from = previous?.position ?? 0
    const anchor = messages.find((message) => message.id === row.anchor)
    if (row.anchor !== "" && anchor?.position !== row.position)
      faults.push(say("cover", `${row.id} stands at ${row.position}, and its anchor elsewhere`))
    if (row.kind === "summary") {
      const covered = messages.filter(({ position }) => position > from && position <= row.position)
      if ((row.previous ?? null) !== (previous?.id ?? null))
        faults.push(
          say("chain", `summary ${row.id} builds on ${row.previous}, and ${previous?.id} is before it`),
        )
      if (row.pass.rows !== covered.length)
        faults.push(
          say("cover", `summary ${row.id} covers ${row.pass.rows} rows, and ${covered.length} are there`),
        )
      else if (row.pass.digest !== digestRows(covered))
        faults.push(say("cover", `summary ${row.id} was made of other rows than those before it`))
      if (row.pass.generation !== (previous?.generation ?? 0) + 1)
        faults.push(say("chain", `summary ${row.id} is of generation ${row.pass.generation}`))
    }
    const generation: number = row.kind === "summary" ? row.pass.generation : 0
    previous = { id: row.id, position: row.position, generation }
  }
  return faults
}

const markFaults = (rows: ReadonlyArray<Row>, notes: ReadonlyArray<Note>, say: Say): ReadonlyArray<Fault> => {
  const marks = new Set(rows.filter(isMark).map((row) => row.id))
  const told = notes.flatMap((note) => (note._tag === "Marked" ? [note] : []))
  return told
    .filter(({ id }) => !marks.has(id))
    .map(({ id, kind }) => say("lost", `the ${kind} ${id} was acknowledged, and is not there`))
}

/** Everything that is wrong with one thread. */
export const faultsOf = ({ chat, rows }: Final, all: ReadonlyArray<Note>): ReadonlyArray<Fault> => {
  const notes = all.filter((note) => "chat" in note && note.chat === chat)
  const say: Say = (kind, what) => ({ kind, chat, what })
  const tried = new Set(notes.flatMap((note) => (note._tag === "Tried" ? [note.batch] : [])))
  const stored = new Set(notes.flatMap((note) => (note._tag === "Stored" ? note.batches : [])))
  const messages = new Map(rows.filter(isMessage).map((row) => [row.id, row] as const))
  const known = new Set(
    [...tried, ...stored].flatMap((name) => (batchOf(name)?.inputs ?? []).map(({ id }) => id)),
  )
  return [
    ...doubled(rows, say),
    ...ordered(rows, say),
    ...[...new Set([...tried, ...stored])].flatMap((name) =>
      batchFaults(name, stored.has(name), messages, say),
    ),
    ...[...messages.keys()]
      .filter((id) => !known.has(id))
      .map((id) => say("unknown", `row ${id} was tried by nobody`)),
    ...chainFaults(rows, say),
    ...markFaults(rows, notes, say),
    ...notes.flatMap((note) => {
      if (note._tag === "Prompted" && note.tokens > note.limit)
        return [say("budget", `a prompt of ${note.tokens} tokens, and ${note.limit} is the limit`)]
      return note._tag === "Wrong" ? [say("worker", note.what)] : []
    }),
  ]
}
