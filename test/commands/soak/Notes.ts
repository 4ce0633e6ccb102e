/** What a worker writes down beside the database: before it tries, and after it was told. */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"

/** One line of a worker. */
export type Note =
  /** A batch is about to be given to the step. */
  | { readonly _tag: "Tried"; readonly chat: string; readonly batch: string }
  /** The store answered that all batches tried before are stored. */
  | { readonly _tag: "Stored"; readonly chat: string; readonly batches: ReadonlyArray<string> }
  /** The store answered that a mark is there. */
  | { readonly _tag: "Marked"; readonly chat: string; readonly id: string; readonly kind: string }
  | { readonly _tag: "Prompted"; readonly chat: string; readonly tokens: number; readonly limit: number }
  | { readonly _tag: "Step" }
  /** The store could not be reached, or asked to try again. */
  | { readonly _tag: "Waited"; readonly reason: string }
  /** What may not happen, whatever is killed. */
  | { readonly _tag: "Wrong"; readonly chat: string; readonly what: string }

/** Where a life of a worker writes: each line is on the disk when `write` returns. */
export interface Notebook {
  readonly write: (note: Note) => void
  readonly close: () => void
}

const nameOf = (worker: number, life: number): string => `${worker}.${life}.notes`

export const openNotebook = (folder: string, worker: number, life: number): Notebook => {
  const file = openSync(join(folder, nameOf(worker, life)), "a")
  return {
    write: (note) => {
      writeSync(file, `${JSON.stringify(note)}\n`)
      fsyncSync(file)
    },
    close: () => closeSync(file),
  }
}

/** Whole lines only: the last one may have been cut off with its writer. */
const read = (path: string): ReadonlyArray<Note> => {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Note)
}

/** Notes of one life; none when it wrote nothing. */
export const notesOf = (folder: string, worker: number, life: number): ReadonlyArray<Note> => {
  const name = nameOf(worker, life)
  return readdirSync(folder).includes(name) ? read(join(folder, name)) : []
}

/** Whether a life wrote anything yet. */
export const hasNotes = (folder: string, worker: number, life: number): boolean =>
  (statSync(join(folder, nameOf(worker, life)), { throwIfNoEntry: false })?.size ?? 0) > 0

/** Notes of every life of every worker. */
export const allNotes = (folder: string): ReadonlyArray<Note> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".notes"))
    .flatMap((name) => read(join(folder, name)))
