/**
 * The host's outbound filter in a step: the thread as it may leave, and what is told where the filter failed.
 *
 * @since 0.1.0
 */
import type { Prune, Summarize } from "../decide/Decision.ts"
import { filterThread, type Outbound } from "../prompt/Outbound.ts"
import { type OutboundFilter, passOutbound } from "../prompt/OutboundText.ts"
import type { Redact } from "../summary/SafeRedact.ts"
import type { Thread } from "../thread/Thread.ts"
import type { Degradation } from "./Report.ts"

const failed = (what: string, instead: string): Degradation => ({
  stage: "filter",
  reason: `the outbound filter failed on ${what}`,
  instead,
})

/** Ids that a report names. */
const NAMED = 10

/**
 * Filters the thread of a step, if its host has a filter.
 *
 * @category combinators
 * @since 0.1.0
 */
export const outboundOf = (stored: Thread, filter: OutboundFilter | null): Outbound =>
  filter === null ? { thread: stored, withheld: [] } : filterThread(stored, filter)

/**
 * Filters and redacts what a pass is asked to keep above all; what must not leave is left out, and told.
 *
 * @category combinators
 * @since 0.1.0
 */
export const focusOf = (
  focus: string | undefined,
  filter: OutboundFilter | null,
  redact: Redact,
): { readonly focus?: string; readonly degraded: ReadonlyArray<Degradation> } => {
  if (focus === undefined) return { degraded: [] }
  const passed = filter === null ? focus : passOutbound(filter, focus)
  return passed === null
    ? { degraded: [failed("the focus", "a pass without it")] }
    : { focus: redact(passed), degraded: [] }
}

/**
 * Tells of the rows of which a text is withheld.
 *
 * @category getters
 * @since 0.1.0
 */
export const toldWithheld = (withheld: ReadonlyArray<string>): ReadonlyArray<Degradation> => {
  const named = withheld.slice(0, NAMED).join(", ")
  const what = `${withheld.length} ${withheld.length === 1 ? "row" : "rows"}: ${named}`
  return withheld.length === 0 ? [] : [failed(what, "a line stands for each text on which it did")]
}

/**
 * Tells why a pass may not run: it would keep for good what was made of a text that is only withheld. Null when it may.
 *
 * @category guards
 * @since 0.1.0
 */
export const withheldFrom = (
  plan: Prune | Summarize,
  thread: Thread,
  withheld: ReadonlyArray<string>,
): Degradation | null => {
  const rows =
    plan._tag === "Prune" ? plan.reductions.map((reduction) => reduction.row) : [...plan.span, thread.cut?.id]
  const found = rows.find((id) => id !== undefined && withheld.includes(id))
  return found === undefined
    ? null
    : failed(`row ${found}, which a pass would cover`, "the thread and the window stay as they were")
}
