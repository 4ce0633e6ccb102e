/**
 * Law 2: coverage.
 *
 * @since 0.1.0
 */
import type { Prompt } from "../../prompt/Layout.ts"
import { digestRows } from "../../thread/Id.ts"
import type { Message } from "../../thread/Message.ts"
import type { Cut, MessageRow, Row } from "../../thread/Row.ts"
import type { Thread } from "../../thread/Thread.ts"
import { isPrompt, type Observation, onHistories, onPrompts } from "../History.ts"
import type { Law } from "../Law.ts"
import { onScenes, referred, same } from "./Look.ts"

const messagesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<MessageRow> =>
  rows.filter((row) => row.kind === "message")

const isCut = (row: Row): row is Cut => row.kind === "summary" || row.kind === "reset"

/** Whether the parts of one message are those of another, in order, some left out. */
const isPieceOf = (piece: Message, whole: Message): boolean => {
  const parts = [...whole.parts]
  return (
    piece.role === whole.role &&
    piece.parts.every((part) => {
      const at = parts.findIndex((other) => same(other, part))
      return at !== -1 && parts.splice(0, at + 1).length > 0
    })
  )
}

/** Each row that is not covered is sent verbatim, sent reduced, or left out with a reason: one of them, and truly. */
const covers = (prompt: Prompt, live: ReadonlyArray<MessageRow>): boolean => {
  const { verbatim, reduced, left } = prompt.coverage
  const all = [...verbatim, ...reduced, ...left.map(({ row }) => row)]
  const slotsOf = (id: string) => prompt.slots.filter((slot) => slot.row === id)
  return (
    same(all.toSorted(), live.map((row) => row.id).toSorted()) &&
    live.every((row) => {
      const slots = slotsOf(row.id)
      const parts = slots.reduce((sum, slot) => sum + slot.message.parts.length, 0)
      const isWhole =
        parts === row.message.parts.length &&
        slots.every(
          ({ message }) =>
            isPieceOf(message, row.message) || isPieceOf(referred(message), referred(row.message)),
        )
      if (parts > row.message.parts.length) return false
      if (verbatim.includes(row.id)) return slots.length > 0 && isWhole
      return reduced.includes(row.id) ? slots.length > 0 && !isWhole : slots.length === 0
    }) &&
    left.every(({ reason }) => reason !== "")
  )
}

const liveOf = (thread: Thread): ReadonlyArray<MessageRow> => [...thread.kept, ...messagesOf(thread.rows)]

const lays = onScenes(
  "each row of a window is sent verbatim, sent reduced, or left out with a reason",
  (seen) => (seen.prompt === null ? true : covers(seen.prompt, liveOf(seen.thread))),
)

/** Rows of the whole thread that the cut does not cover, as far as the process can know of them. */
const uncovered = ({ after, stored, isStale }: Observation): ReadonlyArray<MessageRow> => {
  const cut = after.cut
  const kept = new Set(cut?.kind === "summary" ? [...cut.head, ...cut.carry] : [])
  const known = isStale ? [] : messagesOf(stored.rows)
  const rows = new Map([...liveOf(after), ...known].map((row) => [row.id, row] as const))
  return [...rows.values()].filter((row) => row.position > (cut?.position ?? 0) || kept.has(row.id))
}

const runs = onPrompts("each row of the whole thread is sent, left out with a reason, or covered", (seen) =>
  isPrompt(seen.result) ? covers(seen.result, uncovered(seen)) : true,
)

/** Whether a summary covers just the rows after some earlier cut, or after the start. */
const isContiguous = (rows: ReadonlyArray<Row>, cut: Cut): boolean => {
  if (cut.kind === "reset") return true
  const from = [0, ...rows.filter(isCut).map((row) => row.position)].filter((at) => at < cut.position)
  return from.some((start) => {
    const span = messagesOf(rows).filter((row) => row.position > start && row.position <= cut.position)
    return span.length === cut.pass.rows && digestRows(span) === cut.pass.digest
  })
}

const spans = onHistories(
  "covered spans are contiguous, one after the other, and cuts only advance",
  (trace) => {
    const { rows } = trace.prompts.at(-1)?.stored ?? { rows: [] }
    const live = trace.prompts.map(({ stored }) => stored.rows.filter(isCut).at(-1)?.position ?? 0)
    return (
      rows.every((row) => !isCut(row) || isContiguous(rows, row)) &&
      live.every((position, i) => position >= (live[i - 1] ?? 0))
    )
  },
)

const nothingIsLost = onHistories("what was stored stays stored, in place and unchanged", (trace) =>
  trace.prompts.every(({ stored, storedBefore }, i) => {
    const before = [storedBefore, trace.prompts[i - 1]?.stored].flatMap((one) => one?.rows ?? [])
    const now = new Map(stored.rows.map((row) => [row.id, JSON.stringify(row)]))
    return before.every((row) => now.get(row.id) === JSON.stringify(row))
  }),
)

/**
 * Holds law 2: each row is sent verbatim, sent reduced, covered by the live summary, or left out with a reason; and
 * covered spans are contiguous.
 *
 * @category laws
 * @since 0.1.0
 */
export const coverageLaw: Law = {
  number: 2,
  title: "Coverage",
  properties: [lays, runs, spans, nothingIsLost],
}
