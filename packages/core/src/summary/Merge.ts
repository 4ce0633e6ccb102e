/**
 * The merge of a delta into the summary before it. Old items are copied, so that they cannot decay.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import { sha256 } from "../thread/Id.ts"
import type { Delta, Item, ItemKind, NewItem, Summary } from "./Item.ts"
import { propose, type Refused } from "./Proposal.ts"
import { itemsTokens } from "./Render.ts"
import { fitRoom } from "./Room.ts"

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

/** The state of one merge, which nothing outside sees. */
interface Draft {
  items: Array<Item>
  /** Ids of the items that the delta names, in its order. */
  readonly mentioned: Set<string>
}

const isOpen = (item: { readonly kind: ItemKind }): boolean => item.kind === "task" || item.kind === "pending"
const isRequest = (item: { readonly kind: ItemKind }): boolean => isOpen(item) || item.kind === "resolved"

const newId = (item: NewItem, taken: ReadonlyArray<Item>): string => {
  for (let salt = 0; ; salt++) {
    const seed = JSON.stringify([item.kind, item.text, item.sources[0], ...(salt === 0 ? [] : [salt])])
    const id = sha256(seed).slice(0, 8)
    if (taken.every((other) => other.id !== id)) return id
  }
}

const append = (draft: Draft, item: NewItem): void => {
  const made = { id: newId(item, draft.items), kind: item.kind, text: item.text, sources: item.sources }
  draft.items.push(made)
  draft.mentioned.add(made.id)
}

const turn = (draft: Draft, from: (item: Item) => boolean, kind: ItemKind): void => {
  draft.items = draft.items.map((item) => (from(item) ? { ...item, kind } : item))
}

/** A request done: it absorbs an open one of the same words, but never the task that the same delta sets. */
const addResolved = (draft: Draft, item: NewItem, task: NewItem | undefined): void => {
  const same = draft.items.filter((other) => isRequest(other) && other.text === item.text)
  const open = task?.text === item.text ? undefined : same.find(isOpen)
  const known = open ?? same.find((other) => other.kind === "resolved")
  if (open !== undefined) turn(draft, (other) => other.id === open.id, "resolved")
  if (known === undefined) append(draft, item)
  else draft.mentioned.add(known.id)
}

/** A new active task: the one before it is still to be done. A task whose source is known was merged before. */
const addTask = (draft: Draft, item: NewItem): void => {
  const known = draft.items.find(
    (other) => isRequest(other) && other.text === item.text && other.sources.includes(item.sources[0] ?? ""),
  )
  if (known !== undefined) {
    draft.mentioned.add(known.id)
    return
  }
  turn(draft, (other) => other.kind === "task", "pending")
  append(draft, item)
}

const addOther = (draft: Draft, item: NewItem): void => {
  const known = draft.items.find(
    (other) =>
      other.text === item.text && (item.kind === "pending" ? isRequest(other) : other.kind === item.kind),
  )
  if (known === undefined) append(draft, item)
  else draft.mentioned.add(known.id)
}

const fitsConstraints = (draft: Draft, item: NewItem, options: MergeOptions): boolean => {
  const others = draft.items.filter((other) => other.kind === "constraint")
  if (others.some((other) => other.text === item.text)) return true
  const next = [...others, { id: newId(item, draft.items), ...item }]
  return itemsTokens(next, options.counter) <= options.maxConstraintTokens
}

/** Adds the proposed items and returns those for which there was no room among the constraints. */
const addAll = (
  draft: Draft,
  items: ReadonlyArray<NewItem>,
  options: MergeOptions,
): ReadonlyArray<Refused> => {
  const task = items.find((item) => item.kind === "task")
  const refused: Array<Refused> = []
  for (const item of items) {
    if (item.kind === "task") addTask(draft, item)
    else if (item.kind === "resolved") addResolved(draft, item, task)
    else if (item.kind !== "constraint" || fitsConstraints(draft, item, options)) addOther(draft, item)
    else refused.push({ item, reason: "ConstraintsFull" })
  }
  return refused
}

/** Resolved absorbs pending, and so does the active task; a request resolved twice is kept once, the newest. */
const absorb = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const closed = new Set(items.flatMap((item) => (item.kind === "resolved" ? [item.text] : [])))
  const task = items.find((item) => item.kind === "task")?.text
  return items.filter((item, i) => {
    if (item.kind === "pending") return !closed.has(item.text) && item.text !== task
    if (item.kind !== "resolved") return true
    return !items.slice(i + 1).some((later) => later.kind === "resolved" && later.text === item.text)
  })
}

/** What the delta names is the newest: it goes last, in the delta's order. */
const inOrder = (draft: Draft): ReadonlyArray<Item> => {
  const byId = new Map(draft.items.map((item) => [item.id, item]))
  const named = [...draft.mentioned].flatMap((id) => byId.get(id) ?? [])
  return [...draft.items.filter((item) => !draft.mentioned.has(item.id)), ...named]
}

const withoutDropped = (previous: Summary, delta: Delta, users: ReadonlySet<string>): Array<Item> => {
  const gone = new Map(delta.drop.map(({ id, source }) => [id, users.has(source)]))
  for (const { id, source } of delta.drop) if (users.has(source)) gone.set(id, true)
  return previous.items.filter((item) =>
    item.kind === "constraint" ? gone.get(item.id) !== true : !gone.has(item.id),
  )
}

/**
 * Merges a delta into a summary: drops, then additions, then what is resolved, then the room is fitted.
 *
 * Items that stay are the same bytes. There is at most one task: a new one makes the older pending. Resolved requests
 * absorb pending ones of the same words. Constraints come only from the user's rows and leave only when a row of
 * the user withdraws them. Everything else is bounded by `maxTokens`: whole items leave, `resolved` first and `task`
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
  const proposed = propose(delta.add, options.users)
  const draft: Draft = { items: withoutDropped(previous, delta, options.users), mentioned: new Set() }
  const full = addAll(draft, proposed.items, options)
  turn(draft, (item) => isOpen(item) && delta.resolve.includes(item.id), "resolved")
  const { kept, evicted } = fitRoom(absorb(inOrder(draft)), options.maxTokens, options.counter)
  return { summary: { items: kept }, refused: [...proposed.refused, ...full], evicted }
}
