/**
 * Law 6: prefix stability.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { StepPrompt } from "../../engine/Report.ts"
import type { Repair } from "../../thread/Group.ts"
import type { Thread } from "../../thread/Thread.ts"
import { type Action, arbitraryCalmHistory, type History } from "../arbitraries/Histories.ts"
import { isPrompt, type Observation, onHistories, type Trace } from "../History.ts"
import type { Law } from "../Law.ts"
import { same } from "./Look.ts"

const marksOf = (thread: Thread, kind: "prune" | "recall"): ReadonlyArray<string> =>
  thread.rows.filter((row) => row.kind === kind).map((row) => row.id)

/** Repairs that change what was sent: results that came late, calls that were closed in their place. */
const changing = (repairs: ReadonlyArray<Repair>): ReadonlyArray<Repair> =>
  repairs.filter(({ kind }) => kind !== "left-out")

const isTruncated = ({ decisions }: StepPrompt): boolean => decisions.at(-1)?._tag === "Truncate"

/** Whether a block was recalled for a message that had been there without. */
const isAskedAgain = (before: Thread, after: Thread): boolean => {
  const known = new Set(marksOf(before, "recall"))
  const last = before.rows.findLast((row) => row.kind === "message")?.position ?? 0
  return after.rows.some((row) => row.kind === "recall" && !known.has(row.id) && row.position < last)
}

/** Whether something happened between two prompts that is declared to change what came before. */
const isDeclared = (one: Observation, two: Observation, a: StepPrompt, b: StepPrompt): boolean => {
  const [before, after] = [one.after, two.after]
  return (
    one.era !== two.era ||
    one.isStale ||
    two.isStale ||
    one.storeFailed ||
    two.storeFailed ||
    before.cut?.id !== after.cut?.id ||
    !same(marksOf(before, "prune"), marksOf(after, "prune")) ||
    isTruncated(a) ||
    isTruncated(b) ||
    !same(changing(a.repairs), changing(b.repairs)) ||
    (one.process !== two.process && isAskedAgain(before, after))
  )
}

const slots = ({ slots: all }: StepPrompt): ReadonlyArray<string> =>
  all.map(({ message }) => JSON.stringify(message))

const isPrefix = (one: Observation, two: Observation): boolean => {
  if (!isPrompt(one.result) || !isPrompt(two.result)) return true
  if (isDeclared(one, two, one.result, two.result)) return true
  const after = slots(two.result)
  return (
    one.result.system === two.result.system && slots(one.result).every((message, i) => message === after[i])
  )
}

const holds = ({ prompts }: Trace): boolean =>
  prompts.every((two, i) => {
    const one = prompts[i - 1]
    return one === undefined || isPrefix(one, two)
  })

/** Whether a change was declared by something that really changed it: a pass, and not a repair that was there. */
const passesAreReported = onHistories(
  "a prompt begins anew only after a pass that it reports",
  ({ prompts }) =>
    prompts.every((two, i) => {
      const one = prompts[i - 1]
      if (one === undefined || one.era !== two.era || !isPrompt(two.result)) return true
      if (one.storeFailed || two.storeFailed || !isPrompt(one.result)) return true
      if (one.isStale || two.isStale) return true
      const isCut = one.after.cut?.id !== two.after.cut?.id
      const isPruned = !same(marksOf(one.after, "prune"), marksOf(two.after, "prune"))
      return !(isCut || isPruned) || two.result.passes.length > 0
    }),
)

const memory = (down: boolean): Action => ({ tag: "trouble", trouble: { of: "memory", down } })

/** Histories that end in a question for which long-term memory fails first, and would then answer. */
const forgotten: fc.Arbitrary<History> = fc
  .record({ history: arbitraryCalmHistory, size: fc.integer({ min: 1, max: 25 }) })
  .map(({ history, size }) => {
    const move: Action = { tag: "move", move: { tag: "say", size, synthetic: false, image: false } }
    const actions = history.actions.slice(0, 6)
    return { ...history, actions: [...actions, memory(true), move, { tag: "prompt" }, memory(false)] }
  })

/**
 * Holds law 6: between passes, each prompt begins with the exact bytes of the one before it.
 *
 * Declared breaks are: a pass, a truncated view, a repair of the kinds `moved` and `closed`, "start over", rows lost
 * with their process, rows of another worker, a store that failed, and a recall block that a new process asks for.
 *
 * @category laws
 * @since 0.1.0
 */
export const prefixLaw: Law = {
  number: 6,
  title: "Prefix stability",
  properties: [
    onHistories("each prompt begins with the bytes of the one before it", holds),
    onHistories("and so it does where nothing fails and nobody else writes", holds, arbitraryCalmHistory),
    onHistories("no block appears before a message that was sent without one", holds, forgotten),
    passesAreReported,
  ],
}
