/**
 * The merge of a delta into the summary before it. Old items are copied, so that they cannot decay.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import { sha256 } from "../thread/Id.ts"
import type { Delta, Item, ItemKind, NewItem, Summary } from "./Item.ts"
import { isOpen, isRequest, propose, type Refused } from "./Proposal.ts"
import { redact } from "./Redact.ts"
import { itemsTokens } from "./Render.ts"
import { fitRoom } from "./Room.ts"
import type { Redact } from "./SafeRedact.ts"

export type { RefusalReason, Refused } from "./Proposal.ts"

/**
 * What bounds a merge.
 *
 * @category models
 * @since 0.1.0
 */
export interface MergeOptions {
  readonly counter: TokenCounter
  /** Upper bound of everything but constraints, as rendered, tokens. */
  readonly maxTokens: number
  /** Upper bound beyond which no new constraint is taken, tokens. Those already there stay. */
  readonly maxConstraintTokens: number
  /** Ids of the rows that are the user's own words: only these set or withdraw a constraint. */
  readonly users: ReadonlySet<string>
  /** Takes secrets out of what is added; `redact` by default. */
  readonly redact?: Redact
}

/**
 * A merged summary, with what was left out of it and why.
 *
 * @category models
 * @since 0.1.0
 */
export interface Merged {
  readonly summary: Summary
  readonly refused: ReadonlyArray<Refused>
  /** Items that left for lack of room, oldest first. */
  readonly evicted: ReadonlyArray<Item>
}

const newId = (item: NewItem, taken: ReadonlyArray<Item>): string => {
  for (let salt = 0; ; salt++) {
    const seed = JSON.stringify([item.kind, item.text, item.sources[0], ...(salt === 0 ? [] : [salt])])
    const id = sha256(seed).slice(0, 8)
    if (taken.every((other) => other.id !== id)) return id
  }
}

const append = (items: ReadonlyArray<Item>, item: NewItem): ReadonlyArray<Item> => [
  ...items,
  { id: newId(item, items), kind: item.kind, text: item.text, sources: item.sources },
]

const turn = (
  items: ReadonlyArray<Item>,
  from: (item: Item) => boolean,
  kind: ItemKind,
): ReadonlyArray<Item> => items.map((item) => (from(item) ? { ...item, kind } : item))

/** What makes two items the same: their words, and for requests not whether they are done. */
const keyOf = (item: NewItem): string => `${isRequest(item) ? "request" : item.kind} ${item.text}`

/** A request done: an open one of the same words is done with it. */
const addResolved = (items: ReadonlyArray<Item>, item: NewItem): ReadonlyArray<Item> =>
  items.some((other) => keyOf(other) === keyOf(item))
    ? turn(items, (other) => isOpen(other) && other.text === item.text, "resolved")
    : append(items, item)

/** A new active task: the one before it is still to be done. A task whose source is known was merged before. */
const addTask = (items: ReadonlyArray<Item>, item: NewItem): ReadonlyArray<Item> => {
  const [source = ""] = item.sources
  const isKnown = items.some((other) => keyOf(other) === keyOf(item) && other.sources.includes(source))
  return isKnown
    ? items
    : append(
        turn(items, (other) => other.kind === "task", "pending"),
        item,
      )
}

const addItem = (items: ReadonlyArray<Item>, item: NewItem): ReadonlyArray<Item> => {
  if (item.kind === "task") return addTask(items, item)
  if (item.kind === "resolved") return addResolved(items, item)
  return items.some((other) => keyOf(other) === keyOf(item)) ? items : append(items, item)
}

const isOverfull = (items: ReadonlyArray<Item>, { counter, maxConstraintTokens }: MergeOptions): boolean =>
  itemsTokens(
    items.filter((item) => item.kind === "constraint"),
    counter,
  ) > maxConstraintTokens

interface Added {
  readonly items: ReadonlyArray<Item>
  readonly refused: ReadonlyArray<Refused>
}

/** Adds an item, unless it is a new constraint for which there is no room. */
const add = ({ items, refused }: Added, item: NewItem, options: MergeOptions): Added => {
  const next = addItem(items, item)
  return item.kind === "constraint" && next !== items && isOverfull(next, options)
    ? { items, refused: [...refused, { item, reason: "ConstraintsFull" }] }
    : { items: next, refused }
}

/** Resolved absorbs pending, and so does the active task; a request resolved twice is kept once, the newest. */
const absorb = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const closed = new Map(items.flatMap((item) => (item.kind === "resolved" ? [[item.text, item]] : [])))
  const task = items.find((item) => item.kind === "task")?.text
  return items.filter((item) => {
    if (item.kind === "pending") return !closed.has(item.text) && item.text !== task
    return item.kind !== "resolved" || closed.get(item.text) === item
  })
}

/** What the delta names is the newest: it goes last, in the delta's order. */
const inOrder = (items: ReadonlyArray<Item>, named: ReadonlyArray<NewItem>): ReadonlyArray<Item> => {
  const places = new Map(named.map((item, i) => [keyOf(item), i]))
  const placeOf = (item: Item): number => places.get(keyOf(item)) ?? -1
  return items.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Anything may be dropped but a constraint, which only the user withdraws. */
const withoutDropped = (previous: Summary, delta: Delta, users: ReadonlySet<string>): ReadonlyArray<Item> => {
  const dropped = new Set(delta.drop.map((drop) => drop.id))
  const withdrawn = new Set(delta.drop.flatMap((drop) => (users.has(drop.source) ? [drop.id] : [])))
  return previous.items.filter((item) => !(item.kind === "constraint" ? withdrawn : dropped).has(item.id))
}

/**
 * Merges a delta into a summary: drops, then additions, then what is resolved, then the room is fitted.
 *
 * Items that stay are the same bytes. There is at most one task: a new one makes the older pending. Resolved requests
 * absorb pending ones of the same words. Constraints come only from the user's rows and leave only when a row of
 * the user withdraws them. Everything else is bounded by `maxTokens`: whole items leave, `artifact` first and `task`
 * last, oldest first.
 *
 * **Example** (A task is done)
 *
 * ```ts
 * import { type MergeOptions, emptySummary, merge } from "@palimpsest/core"
 *
 * const options: MergeOptions = {
 *   counter: { name: "units", count: (text) => text.length },
 *   maxTokens: 2000,
 *   maxConstraintTokens: 1000,
 *   users: new Set(["m1"]),
 * }
 * const task = { kind: "task", text: "Ship order 7", sources: ["m1"] } as const
 * const before = merge(emptySummary, { add: [task], resolve: [], drop: [] }, options).summary
 * const id = before.items[0]?.id ?? ""
 * const after = merge(before, { add: [], resolve: [id], drop: [] }, options).summary
 * after.items.map((item) => [item.kind, item.text]) // => [["resolved", "Ship order 7"]]
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const merge = (previous: Summary, delta: Delta, options: MergeOptions): Merged => {
  const proposed = propose(delta.add, options.users, options.redact ?? redact)
  const start: Added = { items: withoutDropped(previous, delta, options.users), refused: proposed.refused }
  const { items, refused } = proposed.items.reduce((sofar, item) => add(sofar, item, options), start)
  const done = turn(items, (item) => isOpen(item) && delta.resolve.includes(item.id), "resolved")
  const ordered = absorb(inOrder(done, proposed.items))
  const { kept, evicted } = fitRoom(ordered, options.maxTokens, options.counter)
  return { summary: { items: kept }, refused, evicted }
}
