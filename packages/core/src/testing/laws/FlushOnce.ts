/**
 * Law 10: flush once.
 *
 * @since 0.1.0
 */
import { digestRows } from "../../thread/Id.ts"
import { arbitraryCalmHistory } from "../arbitraries/Histories.ts"
import { isPrompt, onHistories, type Trace } from "../History.ts"
import type { Law } from "../Law.ts"

const summariesOf = ({ prompts }: Trace) =>
  (prompts.at(-1)?.stored.rows ?? []).flatMap((row) => (row.kind === "summary" ? [row] : []))

const before = onHistories("each summary's span was flushed, whole, under its id", (trace) =>
  summariesOf(trace).every(({ id, pass }) =>
    trace.world.flushes.some(({ boundary, rows }) => boundary === id && digestRows(rows) === pass.digest),
  ),
)

const counted = onHistories("the facts that passes report are those that were stored", (trace) => {
  const reported = trace.prompts.reduce(
    (sum, { result }) =>
      sum + (isPrompt(result) ? result.passes.reduce((all, { facts }) => all + facts, 0) : 0),
    0,
  )
  return reported <= trace.world.facts.size
})

const once = onHistories(
  "with one worker at a time, each row is in the flush of one summary",
  (trace) => {
    const rows = summariesOf(trace).flatMap(
      ({ id }) => trace.world.flushes.findLast(({ boundary }) => boundary === id)?.rows ?? [],
    )
    return new Set(rows.map(({ id }) => id)).size === rows.length
  },
  arbitraryCalmHistory,
)

/**
 * Holds law 10: no summary without its span flushed, and no fact twice.
 *
 * @category laws
 * @since 0.1.0
 */
export const flushOnceLaw: Law = { number: 10, title: "Flush once", properties: [before, counted, once] }
