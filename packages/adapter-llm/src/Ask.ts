/**
 * One structured question to a language model, with every way to fail as a value.
 *
 * @since 0.1.0
 */
import { Effect, type Schema } from "effect"
import type { LanguageModel } from "effect/ai"
import { capturing, type Received } from "./Capture.ts"
import type { PromptTexts } from "./Prompt.ts"
import { type Cause, cause, ofAiError } from "./Reason.ts"

/**
 * How long and how often to ask.
 *
 * @category models
 * @since 0.1.0
 */
export interface Patience {
  /** Milliseconds for the whole question, repeats included; 60,000 by default. */
  readonly timeout?: number
  /**
   * How often to ask again after an answer that could not be read (empty, cut off, no JSON); 0 by default, since
   * the engine asks once more itself. A failing connection is never asked again here: that is the business of the
   * language model's layer.
   */
  readonly retries?: number
}

/** Reasons that speak of an answer, not of the way to it. */
const ABOUT_THE_ANSWER: ReadonlySet<string> = new Set(["Empty", "Undecodable", "CutOff"])

/** An answer that must not be used whatever it says, or undefined. */
const rejected = (received: Received | undefined): Cause | undefined => {
  switch (received?.finish) {
    case "length":
      return cause("CutOff", `the answer ended at the output limit after ${received.characters} characters`)
    case "content-filter":
      return cause("Refused", "the provider's filter stopped the answer")
    case "tool-calls":
    case "error":
    case "pause":
      return cause("Undecodable", `the answer ended with ${received.finish}`)
    default:
      return undefined
  }
}

const annotateUsage = (received: Received | undefined) =>
  received === undefined
    ? Effect.void
    : Effect.annotateCurrentSpan({
        "gen_ai.usage.input_tokens": received.inputTokens ?? 0,
        "gen_ai.usage.output_tokens": received.outputTokens ?? 0,
        "gen_ai.response.finish_reasons": [received.finish],
      })

const once = Effect.fnUntraced(function* <A, E extends Record<string, unknown>>(
  model: LanguageModel.LanguageModel,
  texts: PromptTexts,
  name: string,
  schema: Schema.Codec<A, E>,
) {
  const { exit, received } = yield* capturing(
    model.generateObject({
      objectName: name,
      schema,
      prompt: [
        { role: "system", content: texts.system },
        { role: "user", content: [{ type: "text", text: texts.user }] },
      ],
    }),
  )
  yield* annotateUsage(received)
  const unusable = rejected(received)
  if (unusable !== undefined) return yield* Effect.fail(unusable)
  return (yield* Effect.mapError(exit, ofAiError)).value
})

/**
 * Asks a language model for an object of a schema: one system text, one user text, no tools. Only text parts of
 * the answer are read. What the model's layer dies of becomes a value too.
 *
 * @category combinators
 * @since 0.1.0
 */
export const ask = <A, E extends Record<string, unknown>>(
  model: LanguageModel.LanguageModel,
  texts: PromptTexts,
  name: string,
  schema: Schema.Codec<A, E>,
  patience: Patience,
): Effect.Effect<A, Cause> =>
  once(model, texts, name, schema).pipe(
    Effect.catchDefect(() => Effect.fail(cause("Failed", "the language model's layer died"))),
    Effect.retry({
      times: patience.retries ?? 0,
      while: (failed: Cause) => ABOUT_THE_ANSWER.has(failed.reason),
    }),
    Effect.timeoutOrElse({
      duration: patience.timeout ?? 60_000,
      orElse: () => Effect.fail(cause("Timeout", `no answer within ${patience.timeout ?? 60_000} ms`)),
    }),
  )
