/**
 * What a delta proposes, put in order before it touches the summary.
 *
 * @since 0.1.0
 */
import type { ItemKind, NewItem } from "./Item.ts"
import { itemText, MAX_CONSTRAINT_UNITS, redactedLine } from "./ItemText.ts"
import type { Redact } from "./SafeRedact.ts"

/**
 * Why `merge` did not take an item: it says nothing, names no source, is a constraint that is not the user's own
 * words or is longer than a constraint may be, or the room for constraints is used up.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusalReason = "Empty" | "NoSource" | "NotFromUser" | "TooLong" | "ConstraintsFull"

/**
 * An item that `merge` did not take.
 *
 * @category models
 * @since 0.1.0
 */
export interface Refused {
  readonly item: NewItem
  readonly reason: RefusalReason
}

interface OfKind {
  readonly kind: ItemKind
}

/** True for a request that is still to be done. */
export const isOpen = ({ kind }: OfKind): boolean => kind === "task" || kind === "pending"

/** True for a request, done or not. */
export const isRequest = (item: OfKind): boolean => isOpen(item) || item.kind === "resolved"

/** More sources than this say no more about where an item comes from, and cost tokens each time it is sent. */
const MAX_SOURCES = 8

const normal = (item: NewItem, users: ReadonlySet<string>, redact: Redact): NewItem => {
  const isConstraint = item.kind === "constraint"
  const sources = [...new Set(item.sources)].filter((id) => id !== "" && (!isConstraint || users.has(id)))
  return {
    kind: item.kind,
    text: isConstraint ? redactedLine(item.text, redact) : itemText(item.text, redact),
    sources: sources.slice(0, MAX_SOURCES),
  }
}

const refusal = (proposed: NewItem, item: NewItem): RefusalReason | null => {
  if (item.text === "") return "Empty"
  if (proposed.sources.length === 0) return "NoSource"
  if (item.sources.length === 0) return item.kind === "constraint" ? "NotFromUser" : "NoSource"
  return item.text.length > MAX_CONSTRAINT_UNITS ? "TooLong" : null
}

/** The place of the one item that may stay a task: the last, unless the delta says further on that it is done. */
const activeTask = (items: ReadonlyArray<NewItem>): number => {
  const last = items.findLastIndex((item) => item.kind === "task")
  const text = items[last]?.text
  const isDone = items.slice(last + 1).some((item) => item.kind === "resolved" && item.text === text)
  return isDone ? -1 : last
}

/** One task at most, and each request either open or done: of a task and the same words done before it, the task. */
const oneTask = (items: ReadonlyArray<NewItem>): ReadonlyArray<NewItem> => {
  const active = activeTask(items)
  const closed = new Set(items.flatMap((item) => (item.kind === "resolved" ? [item.text] : [])))
  const task = items[active]?.text
  return items.flatMap<NewItem>((item, i) => {
    if (i === active || !isRequest(item)) return [item]
    if (item.text === task) return []
    if (item.kind === "resolved") return [item]
    return closed.has(item.text) ? [] : [{ ...item, kind: "pending" }]
  })
}

/** The items of a delta that can be merged, normalised, with at most one task; and those refused. */
export const propose = (
  add: ReadonlyArray<NewItem>,
  users: ReadonlySet<string>,
  redact: Redact,
): { readonly items: ReadonlyArray<NewItem>; readonly refused: ReadonlyArray<Refused> } => {
  const judged = add.map((proposed) => {
    const item = normal(proposed, users, redact)
    return { proposed, item, reason: refusal(proposed, item) }
  })
  return {
    items: oneTask(judged.flatMap(({ item, reason }) => (reason === null ? [item] : []))),
    refused: judged.flatMap(({ proposed, reason }) => (reason === null ? [] : [{ item: proposed, reason }])),
  }
}
