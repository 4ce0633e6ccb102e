/**
 * Law 13: merge.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { emptyDelta, type Item, type Summary } from "../../summary/Item.ts"
import { type Merged, merge } from "../../summary/Merge.ts"
import { itemsTokens, renderSummary } from "../../summary/Render.ts"
import {
  deltaFor,
  type MergeHistory,
  mergeHistory,
  notesHistory,
  roomyHistory,
  summaryOf,
} from "../arbitraries/Deltas.ts"
import { type Law, property } from "../Law.ts"

interface Step {
  readonly before: Summary
  readonly delta: ReturnType<typeof deltaFor>
  readonly merged: Merged
  readonly after: Summary
}

const step = (history: MergeHistory): Step => {
  const before = summaryOf(history)
  const delta = deltaFor(history.next, before)
  const merged = merge(before, delta, history.options)
  return { before, delta, merged, after: merged.summary }
}

const of = (summary: Summary, ...kinds: ReadonlyArray<Item["kind"]>): ReadonlyArray<Item> =>
  summary.items.filter((item) => kinds.includes(item.kind))

const texts = (items: ReadonlyArray<Item>): ReadonlyArray<string> => items.map((item) => item.text)
const isUnique = (all: ReadonlyArray<string>): boolean => new Set(all).size === all.length
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const mergesNothing = fc.property(mergeHistory, (history) => {
  const before = summaryOf(history)
  const { summary, evicted, refused } = merge(before, emptyDelta, history.options)
  return (
    summary.items.length === before.items.length &&
    summary.items.every((item, i) => item === before.items[i]) &&
    evicted.length + refused.length === 0
  )
})

const isIdempotent = (history: MergeHistory): boolean => {
  const { after, delta } = step(history)
  return same(merge(after, delta, history.options).summary, after)
}

const constraintsStay = fc.property(mergeHistory, (history) => {
  const { before, delta, after } = step(history)
  const { users } = history.options
  const withdrawn = new Set(delta.drop.filter((drop) => users.has(drop.source)).map((drop) => drop.id))
  return of(before, "constraint").every((item) => withdrawn.has(item.id) || after.items.includes(item))
})

const withdrawnLeave = fc.property(mergeHistory, (history) => {
  const before = summaryOf(history)
  const [source] = history.options.users
  const drop = before.items.map((item) => ({ id: item.id, source: source ?? "" }))
  return merge(before, { ...emptyDelta, drop }, history.options).summary.items.length === 0
})

const constraintsAreTheUsers = fc.property(mergeHistory, (history) =>
  of(step(history).after, "constraint").every((item) =>
    item.sources.every((source) => history.options.users.has(source)),
  ),
)

const resolvedAbsorbs = fc.property(mergeHistory, (history) => {
  const { after, delta } = step(history)
  const closed = new Set(texts(of(after, "resolved", "task")))
  const open = new Set(of(after, "task", "pending").map((item) => item.id))
  return (
    of(after, "pending").every((item) => !closed.has(item.text)) && delta.resolve.every((id) => !open.has(id))
  )
})

const eachOnce = fc.property(mergeHistory, (history) => {
  const { after } = step(history)
  return (
    of(after, "task").length <= 1 &&
    isUnique(after.items.map((item) => item.id)) &&
    isUnique(after.items.map((item) => `${item.kind} ${item.text}`))
  )
})

const sizeIsBounded = fc.property(mergeHistory, (history) => {
  const { before, after } = step(history)
  const { counter, maxTokens, maxConstraintTokens } = history.options
  const others = after.items.filter((item) => item.kind !== "constraint")
  const rules = itemsTokens(of(after, "constraint"), counter)
  return (
    itemsTokens(others, counter) <= maxTokens &&
    rules <= Math.max(maxConstraintTokens, itemsTokens(of(before, "constraint"), counter))
  )
})

const TURNS: ReadonlyArray<string> = ["task pending", "task resolved", "pending resolved"]

const isCopy = (old: Item, now: Item): boolean =>
  now === old ||
  (TURNS.includes(`${old.kind} ${now.kind}`) && now.text === old.text && same(now.sources, old.sources))

const keptAreCopies = fc.property(mergeHistory, (history) => {
  const { before, after, merged, delta } = step(history)
  const dropped = new Set(delta.drop.map((drop) => drop.id))
  return before.items.every((old) => {
    const now = after.items.find((item) => item.id === old.id)
    if (now !== undefined) return isCopy(old, now) || dropped.has(old.id)
    const isRequest = old.kind === "task" || old.kind === "pending" || old.kind === "resolved"
    const isAbsorbed =
      isRequest &&
      texts(of(after, "task", "resolved"))
        .concat(texts(merged.evicted))
        .includes(old.text)
    return dropped.has(old.id) || merged.evicted.some((item) => item.id === old.id) || isAbsorbed
  })
})

const reversedKeys = (summary: Summary): Summary => ({
  items: summary.items.map(({ id, kind, text, sources }) => ({ sources, text, kind, id })),
})

const keysDoNotMatter = fc.property(mergeHistory, (history) => {
  const { before, delta, after } = step(history)
  const other = merge(reversedKeys(before), delta, history.options).summary
  return (
    renderSummary(other) === renderSummary(after) &&
    same(
      other.items.map((item) => item.id),
      after.items.map((item) => item.id),
    )
  )
})

const oneLineEach = fc.property(mergeHistory, (history) => {
  const { after } = step(history)
  const headings = new Set(after.items.map((item) => item.kind)).size
  const lines = renderSummary(after).split(/[\n\r\u0085\u2028\u2029]/)
  return after.items.length === 0 || lines.length === after.items.length + headings + 1
})

/**
 * Law 13: merging nothing changes nothing, resolved absorbs pending, constraints never vanish by themselves, the size is
 * bounded, and what is kept is copied.
 *
 * @category laws
 * @since 0.1.0
 */
export const mergeLaw: Law = {
  number: 13,
  title: "Merge",
  properties: [
    property("merging nothing changes nothing", mergesNothing),
    property("merging twice is merging once, with room", fc.property(roomyHistory, isIdempotent)),
    property(
      "merging notes of one source twice is merging them once, in any room",
      fc.property(notesHistory, isIdempotent),
    ),
    property("constraints leave only when the user withdraws them", constraintsStay),
    property("what the user withdraws leaves", withdrawnLeave),
    property("constraints come only from the user", constraintsAreTheUsers),
    property("resolved absorbs pending", resolvedAbsorbs),
    property("each item once, and at most one task", eachOnce),
    property("the size is bounded", sizeIsBounded),
    property("kept items are copies, and none vanishes without a reason", keptAreCopies),
    property("the order of keys does not matter", keysDoNotMatter),
    property("each item is one line", oneLineEach),
  ],
}
