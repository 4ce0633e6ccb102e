/**
 * Lays a window out: which message stands where, and where each row went.
 *
 * @since 0.1.0
 */

import { type Counting, countMessage } from "../count/Count.ts"
import type { View } from "../decide/Decision.ts"
import type { Parts } from "../decide/Measure.ts"
import { type Group, type Grouping, groupsOf, type Repair } from "../thread/Group.ts"
import type { Message } from "../thread/Message.ts"
import type { Raw } from "../thread/Row.ts"
import { type Entry, libraryMessage, type Place, reduceWindow, type Window } from "../thread/Window.ts"
import { changedPrefixes } from "./Prefix.ts"

/**
 * A message of the prompt.
 *
 * @category models
 * @since 0.1.0
 */
export interface Slot {
  readonly part: "head" | "summary" | "carried" | "tail" | "recall"
  readonly message: Message
  readonly tokens: number
  /** Id of the row that it comes from: a message, a summary or a recall; null for a closing result. */
  readonly row: string | null
  readonly form: "verbatim" | "reduced" | "library"
  /** Whether what stands before it is what stood there when it was written: signed reasoning may depend on it. */
  readonly prefix: "kept" | "changed"
  /** The form in which a verbatim message came, where its store has it. */
  readonly raw?: Raw
}

/**
 * Where each message row of the window went: exactly one of the three. A row of which only some results are sent is
 * reduced.
 *
 * @category models
 * @since 0.1.0
 */
export interface Coverage {
  readonly verbatim: ReadonlyArray<string>
  readonly reduced: ReadonlyArray<string>
  readonly left: ReadonlyArray<{ readonly row: string; readonly reason: string }>
}

/**
 * A prompt, ready for a format: the system prompt, and the messages in order.
 *
 * @category models
 * @since 0.1.0
 */
export interface Prompt {
  readonly system: string
  readonly slots: ReadonlyArray<Slot>
  readonly tokens: Parts
  readonly coverage: Coverage
  readonly repairs: ReadonlyArray<Repair>
}

const PART: Record<Place, Slot["part"]> = { head: "head", carried: "carried", live: "tail" }

const entrySlot = ({ place, message, tokens, row, form }: Entry, changed: ReadonlySet<string>): Slot => ({
  part: PART[place],
  message,
  tokens,
  row: row.id,
  form,
  prefix: changed.has(row.id) ? "changed" : "kept",
  ...(row.raw !== undefined && message === row.message ? { raw: row.raw } : {}),
})

const groupSlots = (group: Group, changed: ReadonlySet<string>, counting: Counting): ReadonlyArray<Slot> => {
  const slots = group.entries.map((entry) => entrySlot(entry, changed))
  if (group.closing === null) return slots
  const tokens = countMessage(group.closing, counting.counter, counting.accounting)
  const part = slots[0]?.part ?? "tail"
  return [...slots, { part, message: group.closing, tokens, row: null, form: "library", prefix: "kept" }]
}

const librarySlot = (part: "summary" | "recall", row: string, text: string, tokens: number): Slot => ({
  part,
  message: libraryMessage(text),
  tokens,
  row,
  form: "library",
  prefix: "kept",
})

const summarySlots = (window: Window, view: View | null): ReadonlyArray<Slot> =>
  window.cut?.kind === "summary" && (view === null || view.summary)
    ? [librarySlot("summary", window.cut.id, window.cut.text, window.summaryTokens)]
    : []

const partsOf = (system: number, slots: ReadonlyArray<Slot>): Parts => {
  const of = (part: Slot["part"]) =>
    slots.reduce((sum, slot) => sum + (slot.part === part ? slot.tokens : 0), 0)
  const parts = {
    system,
    head: of("head"),
    summary: of("summary"),
    carried: of("carried"),
    tail: of("tail"),
    recall: of("recall"),
  }
  return { ...parts, total: Object.values(parts).reduce((sum, n) => sum + n, 0) }
}

/** Ids of the rows that are sent whole and as they are stored. */
const wholeRows = (window: Window, slots: ReadonlyArray<Slot>): ReadonlySet<string> => {
  const parts = new Map<string, number>()
  for (const { row, form, message } of slots)
    if (row !== null && form === "verbatim") parts.set(row, (parts.get(row) ?? 0) + message.parts.length)
  const isWhole = ({ row }: Entry) => parts.get(row.id) === row.message.parts.length
  return new Set(window.entries.filter(isWhole).map((entry) => entry.row.id))
}

const coverageOf = (
  window: Window,
  slots: ReadonlyArray<Slot>,
  left: ReadonlyMap<string, string>,
): Coverage => {
  const sent = new Set(slots.map((slot) => slot.row))
  const whole = wholeRows(window, slots)
  const ids = window.entries.map((entry) => entry.row.id)
  return {
    verbatim: ids.filter((id) => whole.has(id)),
    reduced: ids.filter((id) => sent.has(id) && !whole.has(id)),
    left: ids
      .filter((id) => !sent.has(id))
      .map((row) => ({ row, reason: left.get(row) ?? "truncated: it does not fit the budget" })),
  }
}

/** The groups of a view, reduced as it says: grouping again gives each group its own part of a reduced row. */
const viewed = (window: Window, { groups, reductions }: View, counting: Counting): ReadonlyArray<Group> => {
  const reduced = groupsOf(reduceWindow(window, reductions), counting)
  return groups.flatMap((i) => reduced.groups[i] ?? [])
}

/**
 * Lays out a window, or a truncated view of it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const layout = (
  window: Window,
  { groups, repairs, left }: Grouping,
  counting: Counting,
  view: View | null = null,
): Prompt => {
  const sent = view === null ? groups : viewed(window, view, counting)
  const changed = changedPrefixes(window, groups, view)
  const recalls = window.recalls.filter((recall) => view === null || view.recalls.includes(recall.row.id))
  const recallSlot = ({ row, tokens }: (typeof recalls)[number]) =>
    librarySlot("recall", row.id, row.text, tokens)
  const before = new Map(recalls.map((recall) => [recall.before, recall] as const))
  const slotsOf = (group: Group) => [
    ...group.entries.flatMap((entry) => before.get(entry.row.id) ?? []).map(recallSlot),
    ...groupSlots(group, changed, counting),
  ]
  const at = (place: Place) => sent.filter((group) => group.entries[0]?.place === place).flatMap(slotsOf)
  const waiting = before.get(null)
  const slots = [
    ...at("head"),
    ...summarySlots(window, view),
    ...at("carried"),
    ...at("live"),
    ...(waiting === undefined ? [] : [recallSlot(waiting)]),
  ]
  return {
    system: window.system,
    slots,
    tokens: partsOf(window.systemTokens, slots),
    coverage: coverageOf(window, slots, left),
    repairs,
  }
}

/**
 * The messages of a prompt, in order, without the system prompt.
 *
 * @category getters
 * @since 0.1.0
 */
export const messagesOf = (prompt: Prompt): ReadonlyArray<Message> => prompt.slots.map((slot) => slot.message)
