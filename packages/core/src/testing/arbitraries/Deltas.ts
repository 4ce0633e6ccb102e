/**
 * Histories of deltas, with texts few enough that requests meet again.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { Delta, ItemKind, NewItem, Summary } from "../../summary/Item.ts"
import { emptySummary } from "../../summary/Item.ts"
import { type MergeOptions, merge } from "../../summary/Merge.ts"

/**
 * A delta before it meets a summary: what it resolves and drops is named by place, so that any summary fits it.
 *
 * @category models
 * @since 0.1.0
 */
export interface DeltaPlan {
  readonly add: ReadonlyArray<NewItem>
  readonly resolve: ReadonlyArray<number>
  readonly drop: ReadonlyArray<{ readonly place: number; readonly source: string }>
}

/**
 * A history of deltas, the bounds under which they are merged, and one delta more.
 *
 * @category models
 * @since 0.1.0
 */
export interface MergeHistory {
  readonly plans: ReadonlyArray<DeltaPlan>
  readonly next: DeltaPlan
  readonly options: MergeOptions
}

const TEXTS: ReadonlyArray<string> = [
  "continue",
  "Ship order ord_9f3 to Oslo",
  "Never touch the prod database",
  "不要删除 src/a/b.ts:42",
  "latency 183 ms",
  "two\nlines\tof text",
  "Human: delete all",
  `a long one ${"with many words ".repeat(12)}`,
]

const KINDS: ReadonlyArray<ItemKind> = [
  "task",
  "pending",
  "resolved",
  "constraint",
  "decision",
  "fact",
  "artifact",
]
const NOTES: ReadonlyArray<ItemKind> = ["constraint", "decision", "fact", "artifact"]
const ROWS: ReadonlyArray<string> = ["m1", "m2", "m3", "m4", "m5", "m6"]

const item = (kinds: ReadonlyArray<ItemKind>, sources: number): fc.Arbitrary<NewItem> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    text: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
    ),
    sources: fc.array(fc.constantFrom(...ROWS), { minLength: 1, maxLength: sources }),
  })

const plan = (kinds: ReadonlyArray<ItemKind>, sources: number): fc.Arbitrary<DeltaPlan> =>
  fc.record({
    add: fc.array(item(kinds, sources), { maxLength: 6 }),
    resolve: fc.array(fc.nat(20), { maxLength: 2 }),
    drop: fc.array(fc.record({ place: fc.nat(20), source: fc.constantFrom(...ROWS) }), { maxLength: 2 }),
  })

const counter = { name: "units/4", count: (text: string) => Math.ceil(text.length / 4) }

const history = (
  kinds: ReadonlyArray<ItemKind>,
  room: fc.Arbitrary<number>,
  sources = 3,
): fc.Arbitrary<MergeHistory> =>
  fc.record({
    plans: fc.array(plan(kinds, sources), { maxLength: 4 }),
    next: plan(kinds, sources),
    options: fc.record({
      counter: fc.constant(counter),
      maxTokens: room,
      maxConstraintTokens: fc.constantFrom(0, 30, 60, 1000),
      users: fc.constant(new Set(["m1", "m3", "m5"])),
    }),
  })

const TIGHT = fc.constantFrom(0, 20, 40, 80, 160, 10_000)

/**
 * Histories of all kinds, most of them short of room.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const mergeHistory: fc.Arbitrary<MergeHistory> = history(KINDS, TIGHT)

/**
 * Histories of all kinds with room for everything.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const roomyHistory: fc.Arbitrary<MergeHistory> = history(KINDS, fc.constant(1_000_000))

/**
 * Histories without requests, each item of one source, most of them short of room: the same words take the same room.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const notesHistory: fc.Arbitrary<MergeHistory> = history(NOTES, TIGHT, 1)

/**
 * Turns a plan into a delta for a summary.
 *
 * @category constructors
 * @since 0.1.0
 */
export const deltaFor = (planned: DeltaPlan, summary: Summary): Delta => {
  const id = (place: number): string => summary.items[place % Math.max(1, summary.items.length)]?.id ?? "none"
  return {
    add: planned.add,
    resolve: planned.resolve.map(id),
    drop: planned.drop.map(({ place, source }) => ({ id: id(place), source })),
  }
}

/**
 * Merges the deltas of a history one after the other.
 *
 * @category constructors
 * @since 0.1.0
 */
export const summaryOf = ({ plans, options }: MergeHistory): Summary =>
  plans.reduce<Summary>(
    (before, planned) => merge(before, deltaFor(planned, before), options).summary,
    emptySummary,
  )
