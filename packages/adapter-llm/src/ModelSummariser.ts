/**
 * A summariser over any language model.
 *
 * @since 0.1.0
 */
import { Summariser, SummariserError, type SummaryRequest } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { LanguageModel } from "effect/ai"
import { ask, type Patience } from "./Ask.ts"
import { DeltaSchema, withoutBlanks, withPlainIds } from "./DeltaSchema.ts"
import { summaryPrompt } from "./Prompt.ts"

/**
 * What a summariser is called, and what it can hold.
 *
 * @category models
 * @since 0.1.0
 */
export interface ModelSummariserOptions extends Patience {
  /** Kept in the mark of each pass, such as the model's name. */
  readonly name: string
  /** Tokens of transcript that one request may hold: leave room for the instructions (1,000) and the answer. */
  readonly window: number
}

const make = Effect.fnUntraced(function* (options: ModelSummariserOptions) {
  const model = yield* LanguageModel.LanguageModel
  const summarise = Effect.fn("Summariser.summarise")(
    function* (request: SummaryRequest) {
      yield* Effect.annotateCurrentSpan({
        "summariser.name": options.name,
        "summariser.rows": request.rows.length,
        "summariser.characters": request.transcript.length,
      })
      const delta = yield* ask(model, summaryPrompt(request), "changes", DeltaSchema, options)
      return withPlainIds(withoutBlanks(delta), request.rows)
    },
    Effect.tapError(({ reason }) => Effect.annotateCurrentSpan({ "summariser.failure": reason })),
    Effect.mapError((failed) => new SummariserError({ summariser: options.name, ...failed })),
  )
  return Summariser.of({ name: options.name, window: options.window, summarise })
})

/**
 * Summarises with the language model of the context.
 *
 * **Gotchas**
 *
 * A failure is one attempt's: nothing is remembered of it, and the next pass asks the same model again.
 *
 * @category layers
 * @since 0.1.0
 */
export const modelSummariser = (
  options: ModelSummariserOptions,
): Layer.Layer<Summariser, never, LanguageModel.LanguageModel> => Layer.effect(Summariser, make(options))
