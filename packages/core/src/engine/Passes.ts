/**
 * Runs the passes that were decided on: a prune, or a flush and a summary. Each ends in a mark, or in nothing.
 *
 * @since 0.1.0
 */
import { Effect, Ref, Result } from "effect"
import type { Prune, Summarize } from "../decide/Decision.ts"
import { fallbacksOf } from "../decide/Thrash.ts"
import { emptySummary } from "../summary/Item.ts"
import { withFailure } from "../thread/Advance.ts"
import { markId } from "../thread/Id.ts"
import type { Failure, SummaryRow } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import type { RowError, StoreError } from "./Errors.ts"
import { flushSpan } from "./Flush.ts"
import { leased, type Turn } from "./Leased.ts"
import { pruneMark, rowsOf, type Scene, summaryMark } from "./MakeMark.ts"
import { putMark, reload } from "./Persist.ts"
import type { Degradation, PassReport } from "./Report.ts"
import type { StepContext } from "./StepContext.ts"
import { type Span, type Summarised, summariseSpan } from "./Summarise.ts"

/**
 * What came of a pass.
 *
 * @category models
 * @since 0.1.0
 */
export interface PassResult {
  readonly pass: PassReport | null
  readonly degraded: ReadonlyArray<Degradation>
  /** A later cut of another process made the pass needless: the thread was read again. */
  readonly isOvertaken?: boolean
}

const OVERTAKEN: PassResult = { pass: null, degraded: [], isOvertaken: true }

const failed = (stage: Degradation["stage"], reason: string, instead: string): PassResult => ({
  pass: null,
  degraded: [{ stage, reason, instead }],
})

/** One for a thread: two summaries of one thread at once, whatever their anchors, are one too many. */
const LEASE = "summary"

const UNCHANGED = "the thread and the window stay as they were"

/** Remembers a failed attempt, so that it is not made again at once. When that fails too, this step still knows. */
const remember = Effect.fnUntraced(function* (context: StepContext, fault: Failure) {
  const failure: Failure = { ...fault, reason: context.settings.redact(fault.reason) }
  const saved = yield* Effect.result(context.store.fail(context.key, failure))
  yield* Ref.update(context.state, (now) => ({ ...now, thread: withFailure(now.thread, failure) }))
  const result = failed(failure.stage, failure.reason, UNCHANGED)
  return Result.isSuccess(saved)
    ? result
    : {
        ...result,
        degraded: [...result.degraded, ...failed("store", saved.failure.message, UNCHANGED).degraded],
      }
})

/**
 * Runs a prune.
 *
 * @category combinators
 * @since 0.1.0
 */
export const runPrune = Effect.fn("Palimpsest.prune")(function* (
  context: StepContext,
  scene: Scene,
  plan: Prune,
): Effect.fn.Return<PassResult> {
  yield* Effect.annotateCurrentSpan({ "pass.gain": plan.gain, "pass.rows": plan.reductions.length })
  const put = yield* Effect.result(putMark(context, pruneMark(scene, plan)))
  if (Result.isFailure(put)) return failed("store", put.failure.message, UNCHANGED)
  const { row, written } = put.success
  if (row === null) return OVERTAKEN
  return { pass: { kind: "prune", mark: row, written, calls: 0, facts: 0 }, degraded: [] }
})

const spanOf = (scene: Scene, plan: Summarize, boundary: string, focus: string | undefined): Span => {
  const { cut } = scene.thread
  return {
    key: scene.key,
    boundary,
    rows: rowsOf(scene.thread, plan.span),
    previous: cut?.kind === "summary" ? cut.summary : emptySummary,
    by: plan.by,
    fallbacks: fallbacksOf(cut),
    maxTokens: plan.maxTokens,
    maxConstraintTokens: plan.maxConstraintTokens,
    ...(focus === undefined ? {} : { focus }),
  }
}

const degradationsOf = ({ failures, lostDrafts, outcome }: Summarised): ReadonlyArray<Degradation> => [
  ...failures.map((reason) => ({
    stage: "summarise" as const,
    reason,
    instead: outcome === "extractive" ? "an extractive summary" : "a second request",
  })),
  ...lostDrafts.map((reason) => ({
    stage: "store" as const,
    reason,
    instead: "no draft: a retry of this pass pays for the part again",
  })),
]

const putSummary = Effect.fnUntraced(function* (
  context: StepContext,
  mark: SummaryRow,
  made: Summarised,
  facts: number,
): Effect.fn.Return<PassResult, StoreError | RowError> {
  const { row, written } = yield* putMark(context, mark)
  if (row === null) return OVERTAKEN
  return {
    pass: { kind: "summary", mark: row, written, calls: made.calls, facts },
    degraded: degradationsOf(made),
  }
})

const putOff = (context: StepContext, plan: Summarize, stage: Failure["stage"], reason: string) =>
  remember(context, { anchor: plan.anchor, tokens: plan.parts.total, stage, reason })

const after = (degraded: ReadonlyArray<Degradation>, result: PassResult): PassResult => ({
  ...result,
  degraded: [...degraded, ...result.degraded],
})

const triedAgain = (reasons: ReadonlyArray<string>): ReadonlyArray<Degradation> =>
  reasons.map((reason) => ({ stage: "flush", reason, instead: "it was tried again" }))

/** The summariser, then the mark: of a span that is flushed. */
const cover = Effect.fnUntraced(function* (
  context: StepContext,
  scene: Scene,
  plan: Summarize,
  span: Span,
  facts: number,
): Effect.fn.Return<PassResult> {
  const { store, summariser, settings } = context
  const made = yield* Effect.result(summariseSpan(store, summariser, span, settings))
  if (Result.isFailure(made)) return yield* putOff(context, plan, "summarise", made.failure.message)
  const candidate = summaryMark(scene, plan, { ...made.success, model: summariser.name })
  if ("refused" in candidate) return yield* putOff(context, plan, "check", candidate.refused)
  const put = yield* Effect.result(putSummary(context, candidate.mark, made.success, facts))
  return Result.isSuccess(put) ? put.success : failed("store", put.failure.message, UNCHANGED)
})

/** Flush first: a span that is not flushed is not covered. */
const summarise = Effect.fnUntraced(function* (
  context: StepContext,
  scene: Scene,
  plan: Summarize,
  boundary: string,
  focus: string | undefined,
): Effect.fn.Return<PassResult> {
  const { facts, flushPatience, key } = context
  const { owner = "" } = scene.thread
  const span = spanOf(scene, plan, boundary, focus)
  const request = { key, owner, boundary, rows: span.rows }
  const { facts: stored, failures } = yield* flushSpan(facts, request, flushPatience)
  if (stored !== null) return after(triedAgain(failures), yield* cover(context, scene, plan, span, stored))
  const result = yield* putOff(context, plan, "flush", failures.at(-1) ?? "it failed")
  return after(triedAgain(failures.slice(0, -1)), result)
})

/** What somebody else did while this process waited for its turn is looked at before anything is paid. */
const inTurn = Effect.fnUntraced(function* (
  context: StepContext,
  scene: Scene,
  turn: Turn,
  work: Effect.Effect<PassResult>,
): Effect.fn.Return<PassResult> {
  if (turn._tag === "Alone") return yield* work
  if (turn._tag === "Without") {
    const { degraded } = failed("lease", turn.reason, "the pass runs beside it: of two rows one counts")
    return after(degraded, yield* work)
  }
  yield* Effect.annotateCurrentSpan({ "lease.waited": turn.waited })
  const read = yield* Effect.result(reload(context))
  if (Result.isFailure(read)) return failed("store", read.failure.message, UNCHANGED)
  const { thread } = yield* Ref.get(context.state)
  return isSameThread(thread, scene.thread) ? yield* work : OVERTAKEN
})

/** Nothing was cut, rewound or edited between two readings. */
const isSameThread = (a: Thread, b: Thread): boolean => a.cut?.id === b.cut?.id && a.revision === b.revision

/**
 * Runs a summary. What a model is paid for is done by one process at a time.
 *
 * @category combinators
 * @since 0.1.0
 */
export const runSummary = Effect.fn("Palimpsest.compact")(function* (
  context: StepContext,
  scene: Scene,
  plan: Summarize,
  focus: string | undefined,
): Effect.fn.Return<PassResult> {
  yield* Effect.annotateCurrentSpan({
    "pass.gain": plan.gain,
    "pass.rows": plan.span.length,
    "pass.by": plan.by,
  })
  const { key, leases } = context
  const boundary = markId(key, "summary", plan.anchor, scene.thread.revision)
  const work = summarise(context, scene, plan, boundary, focus)
  // An extractor of facts is paid for as well, also where the summary costs nothing.
  return plan.by === "model" || context.facts !== null
    ? yield* leased(leases, key, LEASE, (turn) => inTurn(context, scene, turn, work))
    : yield* work
})
