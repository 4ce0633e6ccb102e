/**
 * Law 1: budget.
 *
 * @since 0.1.0
 */

import { type Counting, countMessage, countSystem } from "../../count/Count.ts"
import type { CannotFit } from "../../decide/Decision.ts"
import type { CannotFitError } from "../../engine/Errors.ts"
import type { Prompt } from "../../prompt/Layout.ts"
import { isPrompt, onPrompts } from "../History.ts"
import type { Law } from "../Law.ts"
import { onScenes } from "./Look.ts"

/** The tokens of a prompt, counted again from its messages alone. */
const recount = (prompt: Prompt, { counter, accounting }: Counting): number =>
  prompt.slots.reduce(
    (sum, slot) => sum + countMessage(slot.message, counter, accounting),
    accounting.priming + countSystem(prompt.system, counter, accounting),
  )

const addsUp = ({ tokens, slots }: Prompt): boolean => {
  const { total, ...parts } = tokens
  const bySlot = slots.reduce((sum, slot) => sum + slot.tokens, parts.system)
  return total === bySlot && total === Object.values(parts).reduce((sum, n) => sum + n, 0)
}

/** The least that must be sent is above the limit, and the biggest parts are named, largest first. */
const isHonest = ({ needed, biggest }: CannotFit | CannotFitError, limit: number): boolean => {
  const history = biggest.filter(({ part }) => part !== "tools")
  const sum = history.reduce((all, { tokens }) => all + tokens, 0)
  return (
    needed > limit &&
    biggest.length > 0 &&
    biggest.every(({ tokens }, i) => tokens > 0 && tokens <= (biggest[i - 1]?.tokens ?? tokens)) &&
    (biggest.length < 3 ? sum === needed : sum <= needed)
  )
}

/** Holds law 1 over scenes: what is decided fits, or says what does not. */
const decides = onScenes("what is sent without a pass fits, or the parts that do not are named", (seen) => {
  const { decision, prompt, settings } = seen
  const { limit } = settings.budget
  if (decision._tag === "CannotFit") return isHonest(decision, limit)
  if (decision._tag === "Prune" || decision._tag === "Summarize") return true
  return prompt !== null && prompt.tokens.total <= limit
})

const counts = onScenes("the count of a prompt is that of its messages", ({ prompt, decision, settings }) => {
  if (prompt === null) return true
  const total = recount(prompt, settings)
  const weighed = decision._tag === "Truncate" ? decision.view.tokens : decision.parts.total
  return total === prompt.tokens.total && total === weighed && addsUp(prompt)
})

const runs = onPrompts("each prompt of a history fits and counts what it sends, or is refused", (seen) => {
  const { result, settings } = seen
  const { limit } = settings.budget
  if (!isPrompt(result)) return isHonest(result, limit) && result.limit === limit
  const { total } = result.tokens
  return total <= limit && total === recount(result, settings) && addsUp(result)
})

/**
 * Holds law 1: what is sent fits the budget, or a typed refusal names what is too big.
 *
 * @category laws
 * @since 0.1.0
 */
export const budgetLaw: Law = { number: 1, title: "Budget", properties: [decides, counts, runs] }
