/**
 * The flush before a summary: extract, check, remember, keep.
 *
 * @since 0.1.0
 */
import { failClosed } from "@palimpsest/core"
import {
  type Fact,
  FactStore,
  Facts,
  FlushError,
  type FlushRequest,
  Redactor,
  type StoreError,
  ThreadStore,
} from "@palimpsest/core/engine"
import { Effect, Layer, Option, Schema } from "effect"
import { acceptFacts, type FactRules } from "./FactCheck.ts"
import { FactExtractor } from "./FactExtractor.ts"

const Draft = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      id: Schema.String,
      owner: Schema.String,
      chat: Schema.String,
      subject: Schema.String,
      attribute: Schema.String,
      value: Schema.String,
      quote: Schema.String,
      row: Schema.String,
      position: Schema.Finite,
      at: Schema.Finite,
    }),
  ),
)

const draftName = (request: FlushRequest): string => `facts/${request.boundary}`

const onStore = (request: FlushRequest) => (error: StoreError) =>
  new FlushError({
    boundary: request.boundary,
    reason: `${error.operation}: ${error.reason}`,
    isRetryable: error.isRetryable,
  })

const make = Effect.fnUntraced(function* (rules: FactRules) {
  const extractor = yield* FactExtractor
  const threads = yield* ThreadStore
  const store = yield* FactStore
  const redact = failClosed(yield* Redactor)

  const remembered = (request: FlushRequest) =>
    Effect.map(threads.draft(request.key, draftName(request)), (text) =>
      text === null ? Option.none<ReadonlyArray<Fact>>() : Schema.decodeUnknownOption(Draft)(text),
    ).pipe(Effect.mapError(onStore(request)))

  const extracted = Effect.fnUntraced(function* (request: FlushRequest) {
    const proposed = yield* extractor.extract(request)
    const { facts, refusals } = acceptFacts(request, proposed, rules, redact)
    yield* Effect.annotateCurrentSpan({ "facts.proposed": proposed.length, "facts.refused": refusals })
    yield* Effect.mapError(
      threads.saveDraft(request.key, draftName(request), JSON.stringify(facts)),
      onStore(request),
    )
    // Another worker's draft may have been first: what is remembered counts, not what we found.
    return Option.getOrElse(yield* remembered(request), () => facts)
  })

  const flush = Effect.fn("Facts.flush")(function* (request: FlushRequest) {
    const before = request.rows.length === 0 ? Option.some([]) : yield* remembered(request)
    const facts = Option.isSome(before) ? before.value : yield* extracted(request)
    const kept =
      facts.length === 0 ? 0 : yield* Effect.mapError(store.put(request.key, facts), onStore(request))
    yield* Effect.annotateCurrentSpan({ "facts.extractor": extractor.name, "facts.new": kept })
    return kept
  })
  return Facts.of({ flush })
})

/**
 * Keeps the durable facts of a span, exactly once: the checked answer for a boundary is remembered in the thread
 * store before a fact is put, so a retry neither asks again nor finds other facts.
 *
 * @category layers
 * @since 0.1.0
 */
export const factsLayer = (
  rules: FactRules = {},
): Layer.Layer<Facts, never, FactExtractor | FactStore | ThreadStore> => Layer.effect(Facts, make(rules))
