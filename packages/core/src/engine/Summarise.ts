/**
 * Turns a span into the next summary: part by part, each one checked, tried once more, and then done without a model.
 *
 * @since 0.1.0
 */
import { Effect, Schema } from "effect"
import type { Settings } from "../decide/Settings.ts"
import { filterRow } from "../prompt/Outbound.ts"
import { completeDelta } from "../summary/Complete.ts"
import type { Summary } from "../summary/Item.ts"
import { merge } from "../summary/Merge.ts"
import { redactSummary } from "../summary/RedactItems.ts"
import { transcript } from "../summary/Transcript.ts"
import { isRealUser } from "../thread/Message.ts"
import type { MessageRow, ThreadKey } from "../thread/Row.ts"
import { DeltaCodec } from "./Codecs.ts"
import { SummariserError } from "./Errors.ts"
import { type Asking, answerPart, extractFrom, unasked } from "./PartAnswer.ts"
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

/** What a prompt leaves out of a row was cut before anything was redacted: half a secret would not be known any more. */
const uncapped = ({ cap: _, ...row }: MessageRow): MessageRow => row

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
  const { redact } = settings
  const rows = span.rows.map((row) => filterRow(uncapped(row), redact))
  const parts = transcript(rows, { counter, maxTokens: window, perPart: PER_PART, redact })
  const asking: Asking = { store, model, settings, key: span.key, boundary: span.boundary }
  const users = new Set(span.rows.filter((row) => isRealUser(row.message)).map((row) => row.id))
  let summary = redactSummary(span.previous, redact)
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
      messages: rows.filter((row) => ids.has(row.id)),
      maxTokens: span.maxTokens,
      ...(span.focus === undefined ? {} : { focus: span.focus }),
    }
    const isAsked = span.by === "model" && part.text !== "" && failed < settings.policy.maxFallbacks
    const result = isAsked
      ? yield* answerPart(asking, request, failed === 0 ? 2 : 1)
      : unasked(request, settings)
    const options = {
      counter,
      maxTokens: span.maxTokens,
      maxConstraintTokens: span.maxConstraintTokens,
      users,
      redact,
    }
    const delta =
      result.outcome === "model"
        ? completeDelta(result.delta, extractFrom(request, settings), request.previous)
        : result.delta
    summary = merge(summary, delta, options).summary
    if (result.outcome === "extractive") outcome = "extractive"
    if (result.wasAsked) failed = result.outcome === "model" ? 0 : failed + 1
    calls += result.calls
    failures.push(...result.failures)
    lostDrafts.push(...result.lostDrafts)
  }
  return { summary, outcome, calls, failures, lostDrafts }
})
