/**
 * Groups: the units that no cut may split.
 *
 * A group is a user message, or one response of the model with all the results of its calls, wherever they stand.
 * Grouping also settles what a provider would refuse: late results move to their calls, calls that were never
 * answered are closed, results without a call are left out. Each of these is listed.
 *
 * @since 0.1.0
 */
import type { Counting } from "../count/Count.ts"
import { countMessage } from "../count/Count.ts"
import type { ApprovalPart, AssistantMessage, ToolMessage, ToolResultPart } from "./Message.ts"
import { isRealUser } from "./Message.ts"
import type { Entry, Window } from "./Window.ts"

/**
 * A group, with its messages in the order in which they are sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface Group {
  readonly kind: "user" | "response"
  readonly entries: ReadonlyArray<Entry>
  /** Answers in place of results that are not there, or null when each call has one. */
  readonly closing: ToolMessage | null
  /** Indices of the first and the last entry of the window that belong to it. */
  readonly from: number
  readonly to: number
  /** Tokens of its messages, `closing` included; recall blocks apart. */
  readonly tokens: number
  /** The user's own words. */
  readonly real: boolean
  /** A call of it has no result, and the host says that one will come. */
  readonly pending: boolean
}

/**
 * A change that grouping made so that the messages are valid.
 *
 * @category models
 * @since 0.1.0
 */
export interface Repair {
  readonly kind: "closed" | "moved" | "left-out"
  readonly row: string
  readonly reason: string
}

/**
 * The groups of a window, and what had to be repaired.
 *
 * @category models
 * @since 0.1.0
 */
export interface Grouping {
  readonly groups: ReadonlyArray<Group>
  readonly repairs: ReadonlyArray<Repair>
  /** Ids of rows that no group sends, with the reason. */
  readonly left: ReadonlyMap<string, string>
}

/**
 * Text that stands in place of a result which is not there.
 *
 * @category constants
 * @since 0.1.0
 */
export const CLOSING = "(no result was recorded)"

interface Draft {
  readonly kind: "user" | "response"
  readonly head: Entry
  readonly from: number
  to: number
  readonly results: Array<Entry>
  /** Ids of calls without a result, one for each call: an id may stand twice. */
  readonly waiting: Array<string>
}

interface Owned {
  readonly draft: Draft
  readonly parts: Array<ToolResultPart | ApprovalPart>
}

const callsOf = (message: AssistantMessage) => message.parts.filter((part) => part.type === "tool-call")

/** The newest response before a part that still waits for it. An approval leaves it waiting. */
const claim = (
  waiting: Map<string, Array<Draft>>,
  { type, call }: ToolResultPart | ApprovalPart,
): Draft | undefined => {
  if (type === "approval") return waiting.get(call)?.at(-1)
  const draft = waiting.get(call)?.pop()
  draft?.waiting.splice(draft.waiting.indexOf(call), 1)
  return draft
}

const share = (entry: Entry, parts: ToolMessage["parts"], counting: Counting): Entry => {
  if (parts.length === entry.message.parts.length) return entry
  const message: ToolMessage = { role: "tool", parts }
  const tokens = countMessage(message, counting.counter, counting.accounting)
  return { ...entry, message, tokens, fresh: tokens + entry.fresh - entry.tokens }
}

const closingOf = (draft: Draft): ToolMessage | null => {
  if (draft.head.message.role !== "assistant" || draft.waiting.length === 0) return null
  const calls = callsOf(draft.head.message)
  const parts = draft.waiting
    .flatMap((id) => calls.find((call) => call.id === id) ?? [])
    .map(
      (call): ToolResultPart => ({
        type: "tool-result",
        call: call.id,
        name: call.name,
        status: "error",
        content: [{ type: "text", text: CLOSING }],
      }),
    )
  return { role: "tool", parts }
}

/** Calls that a person approved: their results will come. */
const approvedIn = (draft: Draft): ReadonlySet<string> =>
  new Set(
    draft.results.flatMap(({ message }) =>
      message.role === "tool"
        ? message.parts.flatMap((part) => (part.type === "approval" && part.approved ? [part.call] : []))
        : [],
    ),
  )

const isPending = (draft: Draft): boolean => {
  if (draft.head.message.role !== "assistant" || draft.waiting.length === 0) return false
  const approved = approvedIn(draft)
  return callsOf(draft.head.message).some(
    (call) => draft.waiting.includes(call.id) && (call.pending === true || approved.has(call.id)),
  )
}

const finish = (draft: Draft, counting: Counting): Group => {
  const closing = closingOf(draft)
  const entries = [draft.head, ...draft.results]
  const own = entries.reduce((sum, entry) => sum + entry.tokens, 0)
  return {
    kind: draft.kind,
    entries,
    closing,
    from: draft.from,
    to: draft.to,
    tokens: own + (closing === null ? 0 : countMessage(closing, counting.counter, counting.accounting)),
    real: isRealUser(draft.head.row.message),
    pending: isPending(draft),
  }
}

const isEmpty = (entry: Entry): boolean =>
  entry.message.role === "assistant" && entry.message.parts.length === 0

const open = (entry: Entry, index: number, waiting: Map<string, Array<Draft>>): Draft => {
  const draft: Draft = {
    kind: entry.message.role === "user" ? "user" : "response",
    head: entry,
    from: index,
    to: index,
    results: [],
    waiting: [],
  }
  if (entry.message.role === "assistant")
    for (const call of callsOf(entry.message)) {
      draft.waiting.push(call.id)
      waiting.set(call.id, [...(waiting.get(call.id) ?? []), draft])
    }
  return draft
}

/** Gives the parts of a tool message to the responses that asked for them. */
const deal = (
  parts: ToolMessage["parts"],
  waiting: Map<string, Array<Draft>>,
): { readonly owned: ReadonlyArray<Owned>; readonly strays: number } => {
  const owned = new Map<Draft, Owned>()
  let strays = 0
  for (const part of parts) {
    const draft = claim(waiting, part)
    if (draft === undefined) strays += 1
    else if (owned.has(draft)) owned.get(draft)?.parts.push(part)
    else owned.set(draft, { draft, parts: [part] })
  }
  return { owned: [...owned.values()], strays }
}

const STRAY = "a result whose call is not in the window, or was answered before"

const leftOut = (left: ReadonlyMap<string, string>): ReadonlyArray<Repair> =>
  [...left].map(([row, reason]) => ({ kind: "left-out", row, reason }))

const closed = (drafts: ReadonlyArray<Draft>): ReadonlyArray<Repair> =>
  drafts
    .filter((draft) => draft.waiting.length > 0)
    .map((draft) => ({
      kind: "closed",
      row: draft.head.row.id,
      reason: `no result of ${[...draft.waiting].join(", ")}`,
    }))

/**
 * Groups the entries of a window.
 *
 * **Gotchas**
 *
 * Spans of groups may overlap when a result came late; use `boundaries` for the places where a cut may fall.
 *
 * @category constructors
 * @since 0.1.0
 */
export const groupsOf = (window: Window, counting: Counting): Grouping => {
  const drafts: Array<Draft> = []
  const waiting = new Map<string, Array<Draft>>()
  const repairs: Array<Repair> = []
  const left = new Map<string, string>()
  for (const [index, entry] of window.entries.entries()) {
    const { message, row } = entry
    if (message.role !== "tool") {
      if (isEmpty(entry)) left.set(row.id, "an empty response")
      else drafts.push(open(entry, index, waiting))
      continue
    }
    const { owned, strays } = deal(message.parts, waiting)
    if (owned.length === 0) left.set(row.id, strays > 0 ? STRAY : "a message of results without one")
    else if (strays > 0) repairs.push({ kind: "left-out", row: row.id, reason: STRAY })
    for (const { draft, parts } of owned) {
      if (drafts.at(-1) !== draft)
        repairs.push({ kind: "moved", row: row.id, reason: `to the call in ${draft.head.row.id}` })
      draft.results.push(share(entry, parts, counting))
      draft.to = index
    }
  }
  return {
    groups: drafts.map((draft) => finish(draft, counting)),
    repairs: [...repairs, ...leftOut(left), ...closed(drafts)],
    left,
  }
}

/**
 * The places where a cut may fall: numbers of groups before it, so that no live group spans it. 0 and the number of
 * all groups are among them. A carried group spans a cut by its nature: it is carried on.
 *
 * @category getters
 * @since 0.1.0
 */
export const boundaries = (groups: ReadonlyArray<Group>): ReadonlyArray<number> => {
  const places: Array<number> = []
  let reach = -1
  groups.forEach((group, i) => {
    if (group.from > reach) places.push(i)
    if (group.entries[0]?.place === "live") reach = Math.max(reach, group.to)
  })
  return [...places, groups.length]
}
