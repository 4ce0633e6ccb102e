/**
 * A decision in words, for people.
 *
 * @since 0.1.0
 */
import type { Decision, Hold } from "./Decision.ts"
import type { Parts } from "./Measure.ts"
import type { Limits } from "./Policy.ts"

/** Thousands apart by commas, in every locale. */
const number = (n: number): string => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",")

const partsLine = (parts: Parts): string => {
  const names = ["system", "head", "summary", "carried", "tail", "recall"] as const
  const shown = names.filter((name) => parts[name] > 0).map((name) => `${name} ${number(parts[name])}`)
  return `${number(parts.total)} tokens (${shown.join(", ")})`
}

const CAUSE = {
  trigger: "over the soft trigger",
  limit: "over the hard limit",
  manual: "asked for",
} as const

const because = (why: Hold["why"]): string => {
  switch (why._tag) {
    case "Weak":
      return `the last ${why.passes} passes gained little; the next one runs from ${number(why.until)} tokens`
    case "Failed":
      return `a pass failed (${why.failure.stage}: ${why.failure.reason}); the next one runs from ${number(why.until)} tokens`
    case "TooLittle":
      return `a pass would free ${number(why.gain)} tokens, and less than ${number(why.least)} does not pay`
    case "OpenLoop":
      return "a tool loop goes on, and its signed reasoning is bound to what stands before it"
    case "NoPass":
      return "no further pass in this prompt"
  }
}

const overSoft = ({ parts, limits }: Hold): boolean => parts.total > limits.trigger

const what = (decision: Decision): string => {
  switch (decision._tag) {
    case "Keep":
      return "the window is sent as it is"
    case "Prune":
      return `${CAUSE[decision.cause]}; ${decision.reductions.length} rows are sent ${decision.squeezed ? "squeezed" : "reduced"} from now on, which frees ${number(decision.gain)} tokens`
    case "Summarize":
      return `${CAUSE[decision.cause]}; ${decision.span.length} rows go into the summary, ${decision.by === "model" ? "by the summariser" : "without asking the summariser"}, which frees at least ${number(decision.gain)} tokens`
    case "Hold":
      return `${CAUSE[overSoft(decision) ? "trigger" : "manual"]}, but ${because(decision.why)}`
    case "Truncate":
      return `${decision.why === undefined ? "no pass makes it fit" : because(decision.why)}; a view of ${decision.view.groups.length} groups with ${number(decision.view.tokens)} tokens is sent, and nothing is written`
    case "CannotFit":
      return `at least ${number(decision.needed)} tokens must be sent; the biggest parts: ${decision.biggest.map(({ part, tokens }) => `${part} ${number(tokens)}`).join(", ")}`
  }
}

const limitsLine = ({ factor, trigger, target, limit }: Limits): string =>
  `trigger ${number(trigger)}, target ${number(target)}, limit ${number(limit)}${factor === 1 ? "" : `; the provider counts ${factor} for 1`}`

/**
 * Explains a decision in one line, by its numbers.
 *
 * @category encoding
 * @since 0.1.0
 */
export const explain = (decision: Decision): string =>
  `${decision._tag}: ${what(decision)}. ${partsLine(decision.parts)}; ${limitsLine(decision.limits)}.`
