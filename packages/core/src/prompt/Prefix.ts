/**
 * Which rows were written under another prompt than the one that is sent now.
 *
 * @since 0.1.0
 */
import type { View } from "../decide/Decision.ts"
import type { Group } from "../thread/Group.ts"
import type { PruneRow } from "../thread/Row.ts"
import type { Entry, Window } from "../thread/Window.ts"

/** An edit of the prompt: rows after `from`, up to `to`, were written before it and stand behind it. Positions. */
interface Edit {
  readonly from: number
  readonly to: number
  /** Ids of rows between that are part of the edit itself. */
  readonly own?: ReadonlySet<string>
}

const positionsOf = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, number> =>
  new Map(entries.map(({ row }) => [row.id, row.position] as const))

/** A cut changes what stands before all that was there when it was put; a cut of which that is not known, before all. */
const cutEdit = ({ cut, entries }: Window, positions: ReadonlyMap<string, number>): ReadonlyArray<Edit> => {
  if (cut?.kind !== "summary") return []
  const { newest } = cut.pass
  if (newest === undefined) return [{ from: -1, to: entries.at(-1)?.row.position ?? 0 }]
  return [{ from: -1, to: Math.max(cut.position, positions.get(newest) ?? 0) }]
}

/** A prune stands at the newest row of its time, and changes what stands after the first row that it reduced. */
const pruneEdit = (prune: PruneRow, positions: ReadonlyMap<string, number>): ReadonlyArray<Edit> => {
  const reduced = prune.reductions.flatMap(({ row }) => positions.get(row) ?? [])
  return reduced.length === 0 ? [] : [{ from: Math.min(...reduced), to: prune.position }]
}

/** A late result stands at its call, before what was said without it. */
const lateEdits = (groups: ReadonlyArray<Group>): ReadonlyArray<Edit> =>
  groups
    .filter(({ entries, from, to }) => to - from + 1 > entries.length)
    .map(({ entries }) => {
      const positions = entries.map(({ row }) => row.position)
      const own = new Set(entries.map(({ row }) => row.id))
      return { from: Math.min(...positions), to: Math.max(...positions), own }
    })

/** What a view leaves out or shortens was there before. */
const viewEdit = (
  { groups, reductions }: View,
  all: ReadonlyArray<Group>,
  window: Window,
): ReadonlyArray<Edit> => {
  const sent = new Set(groups)
  const shorter = new Set(reductions.map(({ row }) => row))
  const gone = all.flatMap(({ entries }, i) =>
    entries.flatMap(({ row }) => (sent.has(i) && !shorter.has(row.id) ? [] : [row.position])),
  )
  const end = window.entries.reduce((most, { row }) => Math.max(most, row.position), 0)
  return gone.length === 0 ? [] : [{ from: Math.min(...gone), to: end }]
}

/**
 * Finds the rows before which the prompt is not what it was when they were written: passes, late results and a
 * truncated view change it. Providers that bind the signature of reasoning to what stands before it refuse theirs.
 *
 * @category getters
 * @since 0.1.0
 */
export const changedPrefixes = (
  window: Window,
  groups: ReadonlyArray<Group>,
  view: View | null,
): ReadonlySet<string> => {
  const positions = positionsOf(window.entries)
  const edits = [
    ...cutEdit(window, positions),
    ...window.prunes.flatMap((prune) => pruneEdit(prune, positions)),
    ...lateEdits(groups),
    ...(view === null ? [] : viewEdit(view, groups, window)),
  ]
  const isBehind = ({ row }: Entry) =>
    edits.some(({ from, to, own }) => row.position > from && row.position <= to && own?.has(row.id) !== true)
  return new Set(window.entries.filter(isBehind).map(({ row }) => row.id))
}
