/**
 * Makes the prompt of a model call: interprets decisions until one of them is a prompt.
 *
 * @since 0.1.0
 */
import { Effect, Ref, Result } from "effect"
import { calibrateBudget } from "../decide/Budget.ts"
import { decide } from "../decide/Decide.ts"
import type { CannotFit, Decision, Prune, Summarize } from "../decide/Decision.ts"
import type { Settings } from "../decide/Settings.ts"
import { layout, type Prompt } from "../prompt/Layout.ts"
import { type Grouping, groupsOf } from "../thread/Group.ts"
import { calibrationOf } from "../thread/Readings.ts"
import { openWindow } from "../thread/Window.ts"
import { CannotFitError } from "./Errors.ts"
import type { Scene } from "./MakeMark.ts"
import { notePass, notePrompt } from "./Metrics.ts"
import { type PassResult, runPrune, runSummary } from "./Passes.ts"
import { checkpoint } from "./Persist.ts"
import { readingKeyOf } from "./PromptUsage.ts"
import { recallOnce } from "./RecallOnce.ts"
import type { Degradation, PassReport, StepPrompt } from "./Report.ts"
import type { StepContext } from "./StepContext.ts"

interface Request {
  readonly manual?: boolean
  readonly focus?: string
}

/** The thread as it is now, under a budget that the provider's own counts corrected. */
const look = Effect.fnUntraced(function* (context: StepContext) {
  const { thread, refused } = yield* Ref.get(context.state)
  const key = readingKeyOf({ name: context.model, settings: context.settings })
  const calibration = calibrationOf(thread, key, refused)
  const budget = calibrateBudget(context.settings.budget, calibration)
  const settings: Settings = { ...context.settings, budget }
  const window = openWindow(thread, settings)
  const scene: Scene = { key: context.key, thread, window, settings }
  return { scene, calibration, grouping: groupsOf(window, settings) }
})

/** Remembers a prompt until it is answered, and takes what there is to tell with it. */
const remember = Effect.fnUntraced(function* (context: StepContext, scene: Scene, prompt: Prompt) {
  const { noted } = yield* Ref.get(context.state)
  yield* Ref.update(context.state, (now) => ({
    ...now,
    noted: [],
    asked: {
      estimated: prompt.tokens.total + scene.settings.budget.tools,
      boundary: scene.thread.cut?.id ?? null,
    },
  }))
  return [...noted, ...(yield* context.watched.take)]
})

/** Reads the thread again when it is known to have changed. */
const refresh = Effect.fnUntraced(function* (
  context: StepContext,
): Effect.fn.Return<ReadonlyArray<Degradation>> {
  if (!(yield* Ref.get(context.state)).isStale) return []
  const read = yield* Effect.result(checkpoint(context))
  if (Result.isSuccess(read)) return []
  return [{ stage: "store", reason: read.failure.message, instead: "the thread as it was last read" }]
})

/** Runs a pass on stored rows only. When the thread turned out to be another one, nothing runs. */
const run = Effect.fnUntraced(function* (
  context: StepContext,
  scene: Scene,
  plan: Prune | Summarize,
  focus: string | undefined,
): Effect.fn.Return<PassResult | "look again"> {
  const stored = yield* Effect.result(checkpoint(context))
  if (Result.isFailure(stored)) {
    const { message } = stored.failure
    return {
      pass: null,
      degraded: [
        { stage: "store", reason: message, instead: "the rows stay in the process, and no pass runs" },
      ],
    }
  }
  if (!stored.success) return "look again"
  return plan._tag === "Prune"
    ? yield* runPrune(context, scene, plan)
    : yield* runSummary(context, scene, plan, focus)
})

const tooLarge = ({ needed, limits, biggest }: CannotFit): CannotFitError =>
  new CannotFitError({ needed, limit: limits.limit, biggest })

const outcomeOf = ({ pass, isOvertaken }: PassResult) => {
  if (pass !== null) return pass.written ? "written" : "adopted"
  return isOvertaken === true ? "overtaken" : "failed"
}

const laidOut = (scene: Scene, grouping: Grouping, decision: Decision) =>
  layout(scene.window, grouping, scene.settings, decision._tag === "Truncate" ? decision.view : null)

/**
 * Makes a prompt.
 *
 * @category combinators
 * @since 0.1.0
 */
export const makePrompt = Effect.fn("Palimpsest.prompt")(function* (
  context: StepContext,
  request: Request,
): Effect.fn.Return<StepPrompt, CannotFitError> {
  const decisions: Array<Decision> = []
  const passes: Array<PassReport> = []
  const degraded: Array<Degradation> = [...(yield* refresh(context)), ...(yield* recallOnce(context))]
  let noPass = false
  let isAsked = request.manual === true
  for (let attempt = 0; ; attempt++) {
    const { scene, calibration, grouping } = yield* look(context)
    const decision = decide(scene.window, grouping, scene.settings, {
      manual: isAsked && !noPass,
      noPass: noPass || attempt >= context.settings.policy.maxPasses,
    })
    decisions.push(decision)
    if (decision._tag === "CannotFit") return yield* tooLarge(decision)
    if (decision._tag !== "Prune" && decision._tag !== "Summarize") {
      const prompt = laidOut(scene, grouping, decision)
      degraded.push(...(yield* remember(context, scene, prompt)))
      yield* Effect.annotateCurrentSpan({
        "prompt.decision": decision._tag,
        "prompt.tokens": prompt.tokens.total,
        "prompt.passes": passes.length,
        "prompt.degraded": degraded.length,
        "prompt.factor": calibration.factor,
        "prompt.readings": calibration.readings,
      })
      const made: StepPrompt = { ...prompt, decisions, passes, degraded, calibration }
      yield* notePrompt(made)
      return made
    }
    const result = yield* run(context, scene, decision, request.focus)
    if (result === "look again") continue
    yield* notePass(decision._tag === "Prune" ? "prune" : "summary", outcomeOf(result), {
      before: decision.parts.total,
      gain: decision.gain,
      calls: result.pass?.calls ?? 0,
    })
    degraded.push(...result.degraded)
    // What another process did meanwhile is the pass that was asked for.
    isAsked = false
    if (result.pass !== null) passes.push(result.pass)
    else if (result.isOvertaken !== true) noPass = true
  }
})
