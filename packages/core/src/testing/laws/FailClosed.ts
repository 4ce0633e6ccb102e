/**
 * Law 9: fail closed.
 *
 * @since 0.1.0
 */
import type { Row } from "../../thread/Row.ts"
import type { Thread } from "../../thread/Thread.ts"
import { isPrompt, type Observation, onPrompts } from "../History.ts"
import type { Law } from "../Law.ts"
import { same } from "./Look.ts"

/** The rows that a prompt left in the store. */
const added = ({ stored, storedBefore }: Observation): ReadonlyArray<Row> => {
  const known = new Set(storedBefore.rows.map((row) => row.id))
  return stored.rows.filter((row) => !known.has(row.id))
}

const passesOf = ({ result }: Observation) =>
  isPrompt(result) ? result.passes.filter((pass) => pass.written) : []

const onlyReported = onPrompts("a prompt adds no mark but those of the passes that it reports", (seen) => {
  if (seen.storeFailed || !isPrompt(seen.result)) return true
  const marks = added(seen).filter((row) => row.kind === "summary" || row.kind === "prune")
  return same(
    marks.map((row) => row.id).toSorted(),
    passesOf(seen)
      .map(({ mark }) => mark.id)
      .toSorted(),
  )
})

const summariser = onPrompts(
  "a summariser that gives nothing usable leaves no summary where the policy holds",
  (seen) => {
    const isUseless = ["down", "busy", "refusal", "garbage"].includes(seen.mode)
    if (!isUseless || seen.settings.policy.onFailure !== "hold") return true
    return added(seen).every(
      (row) => row.kind !== "summary" || row.pass.outcome === "extractive" || seen.calls === 0,
    )
  },
)

const flush = onPrompts(
  "a flush that fails leaves no summary",
  (seen) => !seen.isFactsDown || added(seen).every((row) => row.kind !== "summary"),
)

const viewOf = (thread: Thread): unknown => [
  thread.cut?.id,
  thread.kept.map((row) => row.id),
  thread.rows.filter((row) => row.kind === "prune").map((row) => row.id),
]

const view = onPrompts("without a pass, the live view stays as it was", (seen) => {
  if (seen.isStale || seen.storeFailed || !isPrompt(seen.result) || seen.result.passes.length > 0) return true
  return same(viewOf(seen.before), viewOf(seen.after)) || seen.before.faults.length > 0
})

const told = onPrompts("what failed is told", (seen) => {
  if (!isPrompt(seen.result)) return true
  const { decisions, degraded, passes } = seen.result
  const wanted = decisions.filter(({ _tag }) => _tag === "Prune" || _tag === "Summarize").length
  return wanted === passes.length || degraded.length > 0 || seen.isStale || seen.storeFailed
})

/**
 * Holds law 9: what fails leaves the thread and the live view as they were, is told, and the step still gets a prompt.
 *
 * @category laws
 * @since 0.1.0
 */
export const failClosedLaw: Law = {
  number: 9,
  title: "Fail closed",
  properties: [onlyReported, summariser, flush, view, told],
}
