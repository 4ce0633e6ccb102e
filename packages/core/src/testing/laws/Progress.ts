/**
 * Law 7: progress.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import fc from "fast-check"
import { makeBudget } from "../../decide/Budget.ts"
import { decide } from "../../decide/Decide.ts"
import type { Decision } from "../../decide/Decision.ts"
import type { StepPrompt } from "../../engine/Report.ts"
import { groupsOf } from "../../thread/Group.ts"
import type { Mark } from "../../thread/Row.ts"
import type { Action, History } from "../arbitraries/Histories.ts"
import { arbitraryPolicy } from "../arbitraries/Policies.ts"
import { passOnce, sceneOf } from "../arbitraries/Scenes.ts"
import { isPrompt, onHistories, onPrompts, runHistory } from "../History.ts"
import { type Law, type Property, property } from "../Law.ts"
import { calmDown } from "../World.ts"
import { bytesOf } from "./Determinism.ts"
import { type Look, look, onScenes } from "./Look.ts"

type Pass = Extract<Decision, { _tag: "Prune" | "Summarize" }>

const isPass = (decision: Decision): decision is Pass =>
  decision._tag === "Prune" || decision._tag === "Summarize"

const totalOf = (...[thread, settings]: Parameters<typeof sceneOf>): number => {
  const { window } = sceneOf(thread, settings)
  return decide(window, groupsOf(window, settings), settings).parts.total
}

/** Whether the pass that was decided on frees what it promised; a prune just that. */
const isKept = ({ thread, settings, circumstances, decision }: Look): boolean => {
  if (!isPass(decision)) return true
  const after = passOnce(thread, settings, circumstances)
  if (decision.gain <= 0 || after === null) return false
  const freed = decision.parts.total - totalOf(after, settings)
  return decision._tag === "Prune" ? freed === decision.gain : freed >= decision.gain
}

const shrinks = onScenes("a pass frees what its decision promised", isKept)

/** A scene after its pass, for a window that it no longer fits. */
const narrowed = ({ thread, settings, circumstances, decision }: Look): Look => {
  const window = Math.floor(decision.parts.total * 0.9)
  const budget = makeBudget({ window, reserve: 0, margin: 0 })
  const next = passOnce(thread, settings, circumstances) ?? thread
  return look({ thread: next, settings: { ...settings, budget }, circumstances: {} })
}

const NARROWINGS = 4

const shrinksOn = onScenes("and so do the passes after it, as the window gets smaller", (first) => {
  let seen = first
  for (let i = 0; i < NARROWINGS; i++) {
    seen = narrowed(seen)
    if (!isKept(seen)) return false
  }
  return true
})

/** Passes that one thread takes before it rests: a prune, a summary, a harder one, a squeeze, each twice. */
const MOST = 8

const rests = onScenes("passes over one thread come to an end", ({ thread, settings, circumstances }) => {
  let now = passOnce(thread, settings, circumstances)
  for (let passes = 0; now !== null; passes++) {
    if (passes === MOST) return false
    now = passOnce(now, settings)
  }
  return true
})

const recordOf = (mark: Mark) => (mark.kind === "summary" || mark.kind === "prune" ? mark.pass : null)

/** Whether each written pass shrank the window, by its promise at least, to what its mark says. */
const isTrue = ({ decisions, passes }: StepPrompt): boolean =>
  passes.every(({ mark, written }) => {
    const record = recordOf(mark)
    if (!written || record === null) return record !== null
    const at = decisions.findLastIndex(
      (one) => isPass(one) && one.anchor === mark.anchor && one.parts.total === record.before,
    )
    const decision = decisions[at]
    return (
      decision !== undefined &&
      isPass(decision) &&
      record.before - record.after >= decision.gain &&
      record.after < record.before &&
      decisions[at + 1]?.parts.total === record.after
    )
  })

const runs = onPrompts("each pass of a history shrinks the window, and a prompt has few of them", (seen) => {
  const { result, calls, settings } = seen
  const bound = settings.policy.maxPasses
  return isPrompt(result)
    ? isTrue(result) &&
        result.passes.length <= bound &&
        result.decisions.length <= bound + 1 &&
        calls <= 2 * bound
    : calls <= 2 * bound
})

/** Whether passes ended because there was nothing more to gain, and not because there were enough of them. */
const isAtRest = (prompt: StepPrompt, maxPasses: number): boolean => prompt.decisions.length <= maxPasses

const again = onHistories(
  "a prompt made again, with nothing new, is the same bytes without a pass",
  (trace) =>
    Effect.gen(function* () {
      calmDown(trace.world)
      const one = yield* Effect.option(trace.step.prompt)
      if (one._tag === "None" || !isAtRest(one.value, trace.history.policy.maxPasses)) return true
      const { calls } = trace.world
      const two = yield* Effect.option(trace.step.prompt)
      return (
        two._tag === "Some" &&
        two.value.passes.length === 0 &&
        trace.world.calls === calls &&
        bytesOf(two.value) === bytesOf(one.value)
      )
    }),
)

/** An endless turn whose fixed part leaves a twentieth of the window. */
const floor: fc.Arbitrary<History> = fc
  .record({
    policy: arbitraryPolicy,
    window: fc.integer({ min: 400, max: 2_000 }),
    mode: fc.constantFrom("good" as const, "echo" as const, "refusal" as const, "busy" as const),
    size: fc.integer({ min: 1, max: 12 }),
  })
  .map(({ policy, window, mode, size }) => {
    const call = { tool: "read", outcome: "ok", size, asks: 1, image: false, same: false } as const
    const work = { tag: "work", calls: [call], together: true, sameIds: false, signed: false } as const
    const step: ReadonlyArray<Action> = [{ tag: "move", move: work }, { tag: "prompt" }]
    const say: Action = { tag: "move", move: { tag: "say", size: 3, synthetic: false, image: false } }
    const trouble: Action = { tag: "trouble", trouble: { of: "summariser", mode } }
    return {
      system: "x".repeat(Math.floor(window * 0.95 * 4)),
      policy: { ...policy, growth: 0.2 },
      budget: { window, reserve: 0, margin: 0, tools: 0 },
      actions: [trouble, say, ...Array.from({ length: 20 }, () => step).flat()],
    }
  })

const endless = property(
  "a thread whose fixed part fills the window costs few requests to the summariser",
  fc.asyncProperty(floor, async (history) => {
    const { world } = await Effect.runPromise(runHistory(history))
    return world.calls <= 2 * (history.policy.maxWeak + 3)
  }),
)

/** One sample is twenty prompts, so a fourth of the samples does. */
const noLoop: Property = {
  ...endless,
  run: (trial) => endless.run({ ...trial, runs: Math.ceil(trial.runs / 4) }),
}

/**
 * Holds law 7: a pass shrinks the window by at least its promised gain, and passes come to an end.
 *
 * @category laws
 * @since 0.1.0
 */
export const progressLaw: Law = {
  number: 7,
  title: "Progress",
  properties: [shrinks, shrinksOn, rests, runs, again, noLoop],
}
