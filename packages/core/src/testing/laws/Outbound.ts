/**
 * Law 17, what leaves: no text reaches a model that the host's filter did not pass.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { countMessage } from "../../count/Count.ts"
import { decide } from "../../decide/Decide.ts"
import { layout } from "../../prompt/Layout.ts"
import { filterThread } from "../../prompt/Outbound.ts"
import type { OutboundFilter } from "../../prompt/OutboundText.ts"
import { groupsOf } from "../../thread/Group.ts"
import type { Row } from "../../thread/Row.ts"
import type { Thread } from "../../thread/Thread.ts"
import { openWindow } from "../../thread/Window.ts"
import { arbitraryScene } from "../arbitraries/Scenes.ts"
import { type Law, property } from "../Law.ts"

const SECRET = "anna@example.org"
const NUMBER = "4111111111111111"

const mask: OutboundFilter = (text) =>
  text.replaceAll(SECRET, "[a rather long marker for an address]").replaceAll(NUMBER, "0")

const refuse: OutboundFilter = (text) => {
  if (text.includes(SECRET) || text.includes(NUMBER)) throw new TypeError("blocked")
  return text
}

const escaped = SECRET.replace("@", "\\u0040")

/** A text with the secret in it; JSON stays JSON, and a fence one fence. */
const tell = (key: string, text: string): string => {
  if (key === "arguments" || key === "json")
    return `{"${SECRET}":[${NUMBER},"${escaped}"],"was":${JSON.stringify(text)}}`
  return text.startsWith("<") ? text.replace(/\n(?=<\/[a-z-]+>$)/, ` ${SECRET}\n`) : `${text} ${SECRET}`
}

const TOLD = new Set(["text", "arguments", "json"])

/** A value in which every text that a model could read holds the secret. */
const planted = (value: unknown, key = ""): unknown => {
  if (typeof value === "string") return TOLD.has(key) ? tell(key, value) : value
  if (Array.isArray(value)) return value.map((item) => planted(item))
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, planted(field, name)] as const)
  const isNamed = ("role" in value && value.role !== "tool") || ("type" in value && value.type === "media")
  return { ...Object.fromEntries(fields), ...(isNamed ? { name: SECRET } : {}) }
}

const withRaw = (row: Row): Row =>
  row.kind === "message" ? { ...row, raw: { format: "any", text: JSON.stringify({ hidden: SECRET }) } } : row

/** A planted value has the shape of what it was planted in. */
const telling = (thread: Thread): Thread => {
  const { cut, kept, rows } = thread
  const { cut: c, kept: k, rows: r } = planted({ cut, kept, rows }) as Pick<Thread, "cut" | "kept" | "rows">
  return { ...thread, cut: c, kept: k.map(withRaw) as typeof kept, rows: r.map(withRaw) as typeof rows }
}

const rowsOf = ({ cut, kept, rows }: Thread): ReadonlyArray<Row> => [
  ...(cut === null ? [] : [cut]),
  ...kept,
  ...rows,
]

const holds = (value: unknown): boolean => {
  const text = JSON.stringify(value)
  return text.includes(SECRET) || text.includes(NUMBER) || text.includes("u0040")
}

/** What a filter may not touch: which rows there are, and of which parts. */
const shapeOf = (thread: Thread): string =>
  JSON.stringify(
    rowsOf(thread).map((row) => [
      row.id,
      row.kind === "message" ? row.message.parts.map((part) => part.type) : row.kind,
    ]),
  )

const masked = property(
  "what it takes out of a text is in no text, and the thread is otherwise the same",
  fc.property(arbitraryScene, ({ thread }) => {
    const told = telling(thread)
    const once = filterThread(told, mask)
    const twice = filterThread(once.thread, mask)
    return (
      !holds(rowsOf(once.thread)) &&
      once.withheld.length === 0 &&
      shapeOf(once.thread) === shapeOf(told) &&
      JSON.stringify(twice.thread) === JSON.stringify(once.thread)
    )
  }),
)

const idle = property(
  "a filter that changes nothing leaves each row the row that it was",
  fc.property(arbitraryScene, ({ thread }) => {
    const before = rowsOf(thread)
    return rowsOf(filterThread(thread, (text) => text).thread).every((row, i) => row === before[i])
  }),
)

const isTelling = (row: Row): boolean => row.kind !== "reset" && holds(row)

const withheld = property(
  "a text on which it throws is withheld, and its row is named",
  fc.property(arbitraryScene, ({ thread }) => {
    const told = telling(thread)
    const sent = filterThread(told, refuse)
    const named = rowsOf(told)
      .filter(isTelling)
      .map((row) => row.id)
    return !holds(rowsOf(sent.thread)) && JSON.stringify(sent.withheld) === JSON.stringify(named)
  }),
)

const counted = property(
  "what is sent is counted as it is sent, and fits",
  fc.property(arbitraryScene, ({ thread, settings }) => {
    const window = openWindow(filterThread(telling(thread), mask).thread, settings)
    const grouping = groupsOf(window, settings)
    const decision = decide(window, grouping, settings, { noPass: true })
    if (decision._tag === "CannotFit") return true
    const view = decision._tag === "Truncate" ? decision.view : null
    const { slots, tokens } = layout(window, grouping, settings, view)
    const { counter, accounting } = settings
    return (
      tokens.total <= settings.budget.limit &&
      slots.every((slot) => slot.tokens === countMessage(slot.message, counter, accounting))
    )
  }),
)

/**
 * Holds law 17 for a host's outbound filter.
 *
 * @category laws
 * @since 0.1.0
 */
export const outboundLaw: Law = {
  number: 17,
  title: "isolation: what leaves",
  properties: [masked, idle, withheld, counted],
}
