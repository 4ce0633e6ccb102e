/**
 * Turns a span into the next summary: part by part, each one checked, tried once more, and then done without a model.
 *
 * @since 0.1.0
 */
import { Duration, Effect, Exit, Metric, Option, Result, Schema } from "effect"
import type { Settings } from "../decide/Settings.ts"
import { checkDelta, salvage } from "../summary/Check.ts"
import { completeDelta } from "../summary/Complete.ts"
import { extractDelta } from "../summary/Extract.ts"
import type { Delta, Summary } from "../summary/Item.ts"
import { merge } from "../summary/Merge.ts"
import { type TranscriptPart, transcript } from "../summary/Transcript.ts"
import { sha256 } from "../thread/Id.ts"
import { isRealUser } from "../thread/Message.ts"
import type { MessageRow, ThreadKey } from "../thread/Row.ts"
import { DeltaCodec } from "./Codecs.ts"
import { type StoreError, SummariserError } from "./Errors.ts"
import { summariserMillis } from "./Metrics.ts"
import type { Summariser, SummaryRequest } from "./Summariser.ts"
import type { ThreadStore } from "./ThreadStore.ts"

/**
 * A span to be summarised.
 *
 * @category models
 * @since 0.1.0
 */
export interface Span {
  readonly key: ThreadKey
  /** Id of the mark that will cover it: drafts are remembered under it. */
  readonly boundary: string
  readonly rows: ReadonlyArray<MessageRow>
  readonly previous: Summary
  readonly by: "model" | "extractive"
  /** Passes in a row before this one for which the model was of no use. */
  readonly fallbacks: number
  readonly focus?: string
  readonly maxTokens: number
  readonly maxConstraintTokens: number
}

/**
 * What came of a span.
 *
 * @category models
 * @since 0.1.0
 */
export interface Summarised {
  readonly summary: Summary
  /** `extractive` when any part of it had to be done without the model. */
  readonly outcome: "model" | "extractive"
  /** Requests to the summariser. */
  readonly calls: number
  /** Why the model's answer was not used, for each part. */
  readonly failures: ReadonlyArray<string>
  /** Why a draft could not be read or remembered: a retry of the pass pays for that part again. */
  readonly lostDrafts: ReadonlyArray<string>
}

/** Longest text of one row in a transcript, UTF-16 units: what matters in a longer one is at its ends. */
const PER_PART = 6_000
/** Share of the previous summary and instructions that a request must hold beside its transcript, tokens. */
const REQUEST_OVERHEAD = 2_000

const decodeDelta = Schema.decodeUnknownResult(DeltaCodec)
const decodeDraft = Schema.decodeUnknownOption(Schema.fromJsonString(DeltaCodec))

type Store = (typeof ThreadStore)["Service"]
type Model = (typeof Summariser)["Service"]

/**
 * Milliseconds of one request: longer than a slow model takes for a full window.
 *
 * @category constants
 * @since 0.1.0
 */
export const TIMEOUT = 120_000

/**
 * Makes a summariser that always answers: one that stays silent, or dies of a fault of its own, fails like any other.
 * Neither is asked again at once, since the step has waited already or would meet the same fault.
 *
 * @category combinators
 * @since 0.1.0
 */
export const answering = (model: Model, timeout: number = TIMEOUT): Model => {
  const error = (reason: string, detail: string) =>
    new SummariserError({ summariser: model.name, reason, isRetryable: false, detail })
  return {
    name: model.name,
    window: model.window,
    summarise: (request) =>
      Effect.suspend(() => model.summarise(request)).pipe(
        Effect.flatMap((answer) =>
          Effect.try({ try: () => decodeDelta(answer), catch: () => "unreadable" }).pipe(
            Effect.flatMap(Effect.fromResult),
            Effect.mapError(() => error("Undecodable", "what it returned is no delta")),
          ),
        ),
        // The words of a defect may quote the conversation or a key: its class is enough.
        Effect.catchDefect((defect) =>
          Effect.fail(error("Defect", defect instanceof Error ? defect.constructor.name : "it died")),
        ),
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () => Effect.fail(error("Timeout", `no answer within ${timeout} ms`)),
        }),
      ),
  }
}

interface Answer {
  readonly delta: Delta
  readonly outcome: "model" | "extractive"
  readonly calls: number
  readonly failures: ReadonlyArray<string>
}

interface PartResult extends Answer {
  readonly lostDrafts: ReadonlyArray<string>
}

const accept = (delta: Delta, request: SummaryRequest, settings: Settings, name: string) => {
  const violations = checkDelta(delta, { ...request, counter: settings.counter })
  const left = salvage(delta, violations)
  if (left !== null) return Result.succeed(left)
  const detail = violations.map((violation) => violation.reason).join(", ")
  return Result.fail(new SummariserError({ summariser: name, reason: "Rejected", isRetryable: true, detail }))
}

const extract = (request: SummaryRequest, settings: Settings): Delta =>
  extractDelta(request.messages, {
    previous: request.previous,
    maxTokens: request.maxTokens,
    counter: settings.counter,
    ...(request.focus === undefined ? {} : { focus: request.focus }),
  })

/** Times a request. */
const timed = <A, E>(request: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.timed(Effect.exit(request)), ([took, exit]) => {
    const outcome = Exit.isSuccess(exit) ? "answered" : "failed"
    return Metric.update(Metric.withAttributes(summariserMillis, { outcome }), Duration.toMillis(took)).pipe(
      Effect.andThen(exit),
    )
  })

const ask = Effect.fn("Palimpsest.summarise")(function* (
  model: Model,
  request: SummaryRequest,
  settings: Settings,
) {
  yield* Effect.annotateCurrentSpan({ summariser: model.name, rows: request.rows.length })
  const delta = yield* timed(model.summarise(request))
  return yield* Effect.fromResult(accept(delta, request, settings, model.name))
})

/** So many attempts, then the extractive summariser, or the failure when the policy wants no fallback. */
const attempt = Effect.fnUntraced(function* (
  model: Model,
  request: SummaryRequest,
  settings: Settings,
  most: number,
) {
  const failures: Array<string> = []
  for (let calls = 1; ; calls++) {
    const result = yield* Effect.result(ask(model, request, settings))
    if (Result.isSuccess(result))
      return { delta: result.success, outcome: "model", calls, failures } satisfies Answer
    failures.push(result.failure.message)
    if (calls < most && result.failure.isRetryable) continue
    if (settings.policy.onFailure === "hold") return yield* result.failure
    return { delta: extract(request, settings), outcome: "extractive", calls, failures } satisfies Answer
  }
})

const draftName = (span: Span, part: TranscriptPart, previous: Summary): string =>
  `${span.boundary}/${sha256(JSON.stringify([part.text, part.rows, previous.items.map((item) => item.id)])).slice(0, 16)}`

const lost = (result: Result.Result<unknown, StoreError>): ReadonlyArray<string> =>
  Result.isFailure(result) ? [result.failure.message] : []

/** The draft of a part that was paid before, or a new one, remembered. */
const partOf = Effect.fnUntraced(function* (
  store: Store,
  model: Model,
  span: Span,
  part: TranscriptPart,
  request: SummaryRequest,
  settings: Settings,
  failed: number,
) {
  if (span.by === "extractive" || part.text === "" || failed >= settings.policy.maxFallbacks)
    return {
      delta: extract(request, settings),
      outcome: "extractive",
      calls: 0,
      failures: [],
      lostDrafts: [],
    } as const
  const name = draftName(span, part, request.previous)
  const read = yield* Effect.result(store.draft(span.key, name))
  const kept = Result.isSuccess(read) ? read.success : null
  const draft = kept === null ? Option.none<Delta>() : decodeDraft(kept)
  if (Option.isSome(draft))
    return {
      delta: draft.value,
      outcome: "model",
      calls: 0,
      failures: [],
      lostDrafts: [],
    } satisfies PartResult
  const result = yield* attempt(model, request, settings, failed === 0 ? 2 : 1)
  if (result.outcome === "extractive") return { ...result, lostDrafts: lost(read) }
  const saved = yield* Effect.result(store.saveDraft(span.key, name, JSON.stringify(result.delta)))
  return { ...result, lostDrafts: [...lost(read), ...lost(saved)] }
})

/**
 * Summarises a span. Fails only when the policy holds on failure; a lost draft costs a second request and no more.
 *
 * @category combinators
 * @since 0.1.0
 */
export const summariseSpan = Effect.fnUntraced(function* (
  store: Store,
  model: Model,
  span: Span,
  settings: Settings,
): Effect.fn.Return<Summarised, SummariserError> {
  const { counter } = settings
  const window = Math.max(256, model.window - span.maxTokens - REQUEST_OVERHEAD)
  const parts = transcript(span.rows, { counter, maxTokens: window, perPart: PER_PART })
  const users = new Set(span.rows.filter((row) => isRealUser(row.message)).map((row) => row.id))
  let summary = span.previous
  let outcome: "model" | "extractive" = "model"
  let calls = 0
  /** Parts in a row for which the model was of no use: the next one is tried once, and those after it not at all. */
  let failed = Math.min(span.fallbacks, settings.policy.maxFallbacks - 1)
  const failures: Array<string> = []
  const lostDrafts: Array<string> = []
  for (const part of parts) {
    const ids = new Set(part.rows)
    const request: SummaryRequest = {
      previous: summary,
      transcript: part.text,
      rows: part.rows,
      messages: span.rows.filter((row) => ids.has(row.id)),
      maxTokens: span.maxTokens,
      ...(span.focus === undefined ? {} : { focus: span.focus }),
    }
    const result = yield* partOf(store, model, span, part, request, settings, failed)
    const options = {
      counter,
      maxTokens: span.maxTokens,
      maxConstraintTokens: span.maxConstraintTokens,
      users,
    }
    const delta =
      result.outcome === "model"
        ? completeDelta(result.delta, extract(request, settings), request.previous)
        : result.delta
    summary = merge(summary, delta, options).summary
    if (result.outcome === "extractive") outcome = "extractive"
    if (result.calls > 0) failed = result.outcome === "model" ? 0 : failed + 1
    calls += result.calls
    failures.push(...result.failures)
    lostDrafts.push(...result.lostDrafts)
  }
  return { summary, outcome, calls, failures, lostDrafts }
})
