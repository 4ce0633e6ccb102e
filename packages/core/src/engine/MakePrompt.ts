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
import { focusOf, outboundOf, toldWithheld, withheldFrom } from "./Filtered.ts"
import type { Scene } from "./MakeMark.ts"
import { notePass, notePrompt } from "./Metrics.ts"
import { type PassResult, runPrune, runSummary } from "./Passes.ts"
import { checkpoint } from "./Persist.ts"
import { readingKeyOf } from "./PromptUsage.ts"
import { fillPrompt } from "./ReadValues.ts"
import { recallOnce } from "./RecallOnce.ts"
import type { Degradation, PassReport, StepPrompt } from "./Report.ts"
import type { StepContext } from "./StepContext.ts"

interface Request {
  readonly manual?: boolean
  readonly focus?: string
}

/** The thread as it is now, under a budget that the provider's own counts corrected. */
const look = Effect.fnUntraced(function* (context: StepContext) {
  const { thread: stored, refused } = yield* Ref.get(context.state)
  const { thread, withheld } = outboundOf(stored, context.outbound)
  const key = readingKeyOf({ name: context.model, settings: context.settings })
  const calibration = calibrationOf(thread, key, refused)
  const budget = calibrateBudget(context.settings.budget, calibration)
  const settings: Settings = { ...context.settings, budget }
  const window = openWindow(thread, settings)
  const scene: Scene = { key: context.key, thread, stored, window, settings }
  return { scene, withheld, calibration, grouping: groupsOf(window, settings) }
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
  return [...noted, ...(yield* context.watched.take), ...(yield* context.redactor.take)]
})

/** Asks the store for a message that a cut may cover: when it is there, what was appended is no news. */
const makeSure = Effect.fnUntraced(function* ({ key, store, state }: StepContext) {
  const { unsure } = yield* Ref.get(state)
  if (unsure === null) return []
  const read = yield* Effect.result(store.row(key, unsure))
  if (Result.isFailure(read) && read.failure._tag === "StoreError")
    return [lostTouch(read.failure.message, "what was appended is taken for new")]
  const isThere = Result.isFailure(read) || read.success !== null
  yield* Ref.update(state, (now) => ({ ...now, unsure: null, isStale: now.isStale || isThere }))
  return []
})

const lostTouch = (reason: string, instead: string): Degradation => ({ stage: "store", reason, instead })

/** Reads the thread again when it is known to have changed. */
const refresh = Effect.fnUntraced(function* (
  context: StepContext,
): Effect.fn.Return<ReadonlyArray<Degradation>> {
  const unknown = yield* makeSure(context)
  if (!(yield* Ref.get(context.state)).isStale) return unknown
  const read = yield* Effect.result(checkpoint(context))
  if (Result.isSuccess(read)) return unknown
  return [...unknown, lostTouch(read.failure.message, "the thread as it was last read")]
})

/** Runs a pass on stored rows only. When the thread turned out to be another one, nothing runs. */
const run = Effect.fnUntraced(function* (
  context: StepContext,
  scene: Scene,
  withheld: ReadonlyArray<string>,
  plan: Prune | Summarize,
  focus: string | undefined,
): Effect.fn.Return<PassResult | "look again"> {
  const notFiltered = withheldFrom(plan, scene.thread, withheld)
  if (notFiltered !== null) return { pass: null, degraded: [notFiltered] }
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

/** A view says whose failure it stands for, for as long as that puts a pass off. */
const viewedFor = (decision: Decision): ReadonlyArray<Degradation> => {
  if (decision._tag !== "Truncate" || decision.why === undefined) return []
  const { stage, reason } = decision.why.failure
  return [{ stage, reason, instead: "a truncated view: what it leaves out stays in the thread" }]
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
  const { focus, degraded: unfocused } = focusOf(request.focus, context.outbound, context.settings.redact)
  degraded.push(...unfocused)
  let noPass = false
  let isAsked = request.manual === true
  for (let attempt = 0; ; attempt++) {
    const { scene, withheld, calibration, grouping } = yield* look(context)
    const decision = decide(scene.window, grouping, scene.settings, {
      manual: isAsked && !noPass,
      noPass: noPass || attempt >= context.settings.policy.maxPasses,
    })
    decisions.push(decision)
    if (decision._tag === "CannotFit") return yield* tooLarge(decision)
    if (decision._tag !== "Prune" && decision._tag !== "Summarize") {
      const { prompt, lost } = yield* fillPrompt(context, laidOut(scene, grouping, decision))
      degraded.push(
        ...viewedFor(decision),
        ...toldWithheld(withheld),
        ...lost,
        ...(yield* remember(context, scene, prompt)),
      )
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
    const result = yield* run(context, scene, withheld, decision, focus)
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
