/**
 * What finds durable facts in a span.
 *
 * @since 0.1.0
 */
import { failClosed } from "@palimpsest/core"
import { FlushError, type FlushRequest, Redactor } from "@palimpsest/core/engine"
import { Context, Effect, Layer } from "effect"
import { LanguageModel } from "effect/ai"
import { ask, type Patience } from "./Ask.ts"
import { FactsSchema, factPrompt } from "./FactPrompt.ts"
import { spansOf } from "./FactSpans.ts"

/**
 * A fact as an extractor proposes it. It is checked before it is kept: see `acceptFacts`.
 *
 * @category models
 * @since 0.1.0
 */
export interface ProposedFact {
  readonly subject: string
  readonly attribute: string
  readonly value: string
  /** Words of the row, verbatim. */
  readonly quote: string
  /** Id of the message row that holds the quote. */
  readonly row: string
}

/**
 * Proposes the facts of a span.
 *
 * @category services
 * @since 0.1.0
 */
export class FactExtractor extends Context.Service<
  FactExtractor,
  {
    readonly name: string
    readonly extract: (request: FlushRequest) => Effect.Effect<ReadonlyArray<ProposedFact>, FlushError>
  }
>()("@palimpsest/adapter-llm/FactExtractor") {}

/**
 * What a fact extractor is called, and what it reads.
 *
 * @category models
 * @since 0.1.0
 */
export interface ModelFactsOptions extends Patience {
  /** As in `Patience`, but 1 by default: nobody else asks again. */
  readonly retries?: number
  readonly name: string
  /** Characters of transcript in one request; longer spans take several. 60,000 by default. */
  readonly characters?: number
}

const make = Effect.fnUntraced(function* (options: ModelFactsOptions) {
  const model = yield* LanguageModel.LanguageModel
  const redact = failClosed(yield* Redactor)
  const extract = Effect.fn("FactExtractor.extract")(function* (request: FlushRequest) {
    const spans = spansOf(request.rows, options.characters ?? 60_000, redact)
    yield* Effect.annotateCurrentSpan({ "facts.rows": request.rows.length, "facts.requests": spans.length })
    const answers = yield* Effect.forEach(spans, (span) =>
      ask(model, factPrompt(span), "facts", FactsSchema, { retries: 1, ...options }).pipe(
        Effect.mapError(
          ({ reason, detail, isRetryable }) =>
            new FlushError({ boundary: request.boundary, reason: `${reason}: ${detail}`, isRetryable }),
        ),
      ),
    )
    return answers.flatMap((answer) => answer.facts)
  })
  return FactExtractor.of({ name: options.name, extract })
})

/**
 * Extracts facts with the language model of the context. Spans without text of a user or an assistant are not sent.
 *
 * @category layers
 * @since 0.1.0
 */
export const modelFacts = (
  options: ModelFactsOptions,
): Layer.Layer<FactExtractor, never, LanguageModel.LanguageModel> =>
  Layer.effect(FactExtractor, make(options))
