/**
 * The answer to one part of a span: asked for, checked, tried once more, and remembered either way, so that a pass
 * that is taken up again asks for nothing twice.
 *
 * @since 0.1.0
 */
import { Duration, Effect, Exit, Metric, Option, Result, Schema } from "effect"
import type { Settings } from "../decide/Settings.ts"
import { checkDelta, salvage } from "../summary/Check.ts"
import { extractDelta } from "../summary/Extract.ts"
import type { Delta } from "../summary/Item.ts"
import { redactDelta } from "../summary/RedactItems.ts"
import { sha256 } from "../thread/Id.ts"
import type { ThreadKey } from "../thread/Row.ts"
import { DeltaCodec } from "./Codecs.ts"
import { type StoreError, SummariserError } from "./Errors.ts"
import { summariserMillis } from "./Metrics.ts"
import type { Summariser, SummaryRequest } from "./Summariser.ts"
import type { ThreadStore } from "./ThreadStore.ts"

/**
 * Who is asked, under which settings, and where answers are remembered.
 *
 * @category models
 * @since 0.1.0
 */
export interface Asking {
  readonly store: (typeof ThreadStore)["Service"]
  readonly model: (typeof Summariser)["Service"]
  readonly settings: Settings
  readonly key: ThreadKey
  /** Id of the mark that will cover the span: drafts are remembered under it. */
  readonly boundary: string
}

/**
 * What came of a part.
 *
 * @category models
 * @since 0.1.0
 */
export interface PartAnswer {
  readonly delta: Delta
  readonly outcome: "model" | "extractive"
  /** Whether the summariser was asked, now or by a process before this one. */
  readonly wasAsked: boolean
  /** Requests to the summariser, now. */
  readonly calls: number
  readonly failures: ReadonlyArray<string>
  readonly lostDrafts: ReadonlyArray<string>
}

/** An answer as it is remembered: what the summariser said, or why that was of no use. */
const Draft = Schema.Union([
  Schema.Struct({
    failed: Schema.Struct({
      summariser: Schema.String,
      reason: Schema.String,
      isRetryable: Schema.Boolean,
      detail: Schema.String,
    }),
  }),
  DeltaCodec,
])
type Draft = typeof Draft.Type

const decodeDraft = Schema.decodeUnknownOption(Schema.fromJsonString(Draft))

/**
 * Summarises a request without a model.
 *
 * @category combinators
 * @since 0.1.0
 */
export const extractFrom = (request: SummaryRequest, settings: Settings): Delta =>
  extractDelta(request.messages, {
    previous: request.previous,
    maxTokens: request.maxTokens,
    counter: settings.counter,
    redact: settings.redact,
    ...(request.focus === undefined ? {} : { focus: request.focus }),
  })

const accept = (delta: Delta, request: SummaryRequest, settings: Settings, name: string) => {
  const violations = checkDelta(delta, { ...request, counter: settings.counter })
  const left = salvage(delta, violations)
  if (left !== null) return Result.succeed(left)
  const detail = violations.map((violation) => violation.reason).join(", ")
  return Result.fail(new SummariserError({ summariser: name, reason: "Rejected", isRetryable: true, detail }))
}

/** Times a request. */
const timed = <A, E>(request: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.timed(Effect.exit(request)), ([took, exit]) => {
    const outcome = Exit.isSuccess(exit) ? "answered" : "failed"
    return Metric.update(Metric.withAttributes(summariserMillis, { outcome }), Duration.toMillis(took)).pipe(
      Effect.andThen(exit),
    )
  })

const ask = Effect.fn("Palimpsest.summarise")(function* (
  { model, settings }: Asking,
  request: SummaryRequest,
) {
  yield* Effect.annotateCurrentSpan({ summariser: model.name, rows: request.rows.length })
  // Before it is checked and remembered: what a model makes up may be a secret as well.
  const delta = redactDelta(yield* timed(model.summarise(request)), settings.redact)
  return yield* Effect.fromResult(accept(delta, request, settings, model.name))
})

const draftName = ({ boundary }: Asking, { transcript, rows, previous }: SummaryRequest): string =>
  `${boundary}/${sha256(JSON.stringify([transcript, rows, previous.items.map((item) => item.id)])).slice(0, 16)}`

const lost = (result: Result.Result<unknown, StoreError>): ReadonlyArray<string> =>
  Result.isFailure(result) ? [result.failure.message] : []

interface Attempt {
  readonly draft: Draft
  readonly calls: number
  readonly lostDrafts: ReadonlyArray<string>
}

/** The words of a host's error may quote the conversation. */
const draftOf = (result: Result.Result<Delta, SummariserError>, { redact }: Settings): Draft => {
  if (Result.isSuccess(result)) return result.success
  const { summariser, reason, isRetryable, detail } = result.failure
  return { failed: { summariser, reason: redact(reason), isRetryable, detail: redact(detail) } }
}

/** One attempt as it is remembered under a name, or a new one, remembered. */
const attempt = Effect.fnUntraced(function* (
  asking: Asking,
  request: SummaryRequest,
  name: string,
): Effect.fn.Return<Attempt> {
  const { store, key, settings } = asking
  const read = yield* Effect.result(store.draft(key, name))
  const kept = Result.isSuccess(read) ? read.success : null
  const known = kept === null ? Option.none<Draft>() : decodeDraft(kept)
  if (Option.isSome(known)) return { draft: known.value, calls: 0, lostDrafts: [] }
  const result = yield* Effect.result(ask(asking, request))
  const draft = draftOf(result, settings)
  // Without a fallback the same boundary is tried again later: a failure that is remembered would be final.
  if ("failed" in draft && settings.policy.onFailure === "hold")
    return { draft, calls: 1, lostDrafts: lost(read) }
  const saved = yield* Effect.result(store.saveDraft(key, name, JSON.stringify(draft)))
  return { draft, calls: 1, lostDrafts: [...lost(read), ...lost(saved)] }
})

/**
 * Gives the part without asking.
 *
 * @category constructors
 * @since 0.1.0
 */
export const unasked = (request: SummaryRequest, settings: Settings): PartAnswer => ({
  delta: extractFrom(request, settings),
  outcome: "extractive",
  wasAsked: false,
  calls: 0,
  failures: [],
  lostDrafts: [],
})

/**
 * Asks at most so many times; then the extractive summariser, or the failure when the policy wants no fallback.
 *
 * @category combinators
 * @since 0.1.0
 */
export const answerPart = Effect.fnUntraced(function* (
  asking: Asking,
  request: SummaryRequest,
  most: number,
): Effect.fn.Return<PartAnswer, SummariserError> {
  const { settings } = asking
  const first = draftName(asking, request)
  const isHeld = settings.policy.onFailure === "hold"
  const failures: Array<string> = []
  const lostDrafts: Array<string> = []
  let calls = 0
  for (let tries = 1; ; tries++) {
    const made = yield* attempt(asking, request, tries === 1 || isHeld ? first : `${first}/${tries}`)
    calls += made.calls
    lostDrafts.push(...made.lostDrafts)
    const { draft } = made
    const sofar = { wasAsked: true, calls, failures, lostDrafts } as const
    if (!("failed" in draft)) return { delta: draft, outcome: "model", ...sofar }
    const failure = new SummariserError(draft.failed)
    failures.push(failure.message)
    if (tries < most && failure.isRetryable) continue
    if (isHeld) return yield* failure
    return { delta: extractFrom(request, settings), outcome: "extractive", ...sofar }
  }
})
