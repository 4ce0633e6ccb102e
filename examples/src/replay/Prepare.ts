/** Gets a transcript ready: all chats or some, apart or as one, with its system prompt or without. */
import { type BudgetInput, countText, makeBudget, type TokenCounter } from "@palimpsest/core"
import type { StepOptions } from "@palimpsest/core/engine"
import type { Transcript } from "../transcripts/Transcript.ts"
import type { ReplayOptions } from "./Arguments.ts"

/** A recorded system prompt above this share of the budget is left out, unless it is asked for. */
const SYSTEM_SHARE = 0.4

const joined = (all: ReadonlyArray<Transcript>): ReadonlyArray<Transcript> => {
  const [first] = all
  if (first === undefined || all.length === 1) return all
  return [
    {
      ...first,
      name: `${first.name} and ${all.length - 1} more`,
      messages: all.flatMap((transcript) => transcript.messages),
      origins: all.flatMap((transcript) => transcript.origins),
      skipped: all.reduce((sum, transcript) => sum + transcript.skipped, 0),
    },
  ]
}

const withSystem = (
  transcript: Transcript,
  how: ReplayOptions["system"],
  limit: number,
  counter: TokenCounter,
): Transcript => {
  if (transcript.system === null || how === "include") return transcript
  const tokens = countText(transcript.system, counter)
  if (how === "auto" && tokens <= SYSTEM_SHARE * limit) return transcript
  const why =
    how === "omit"
      ? "as asked"
      : `since it is above ${SYSTEM_SHARE * 100} % of the budget (--system include keeps it)`
  const note = `the recorded system prompt of ${tokens} tokens is left out, ${why}`
  return { ...transcript, system: null, notes: [...transcript.notes, note] }
}

const budgetOf = ({ window, reserve }: ReplayOptions): BudgetInput => ({
  window,
  ...(reserve === undefined ? {} : { reserve }),
})

/** The options of each step. */
export const stepOptions = (transcript: Transcript, options: ReplayOptions): StepOptions => ({
  budget: budgetOf(options),
  system: transcript.system ?? "",
  ...(options.tail === undefined ? {} : { policy: { tail: { tokens: options.tail, fraction: 1 } } }),
})

/** The chats to play. */
export const prepare = (
  all: ReadonlyArray<Transcript>,
  options: ReplayOptions,
  counter: TokenCounter,
): ReadonlyArray<Transcript> => {
  const { limit } = makeBudget(budgetOf(options))
  const some = all.slice(0, options.limit ?? all.length)
  return (options.join ? joined(some) : some).map((each) => withSystem(each, options.system, limit, counter))
}
