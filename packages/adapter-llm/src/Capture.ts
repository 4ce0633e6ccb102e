/**
 * What a language model really sent, also when it could not be decoded.
 *
 * @since 0.1.0
 */
import { Effect, MutableRef, Option } from "effect"
import { type Response, Telemetry } from "effect/ai"

/**
 * The facts about a response that decide whether it can be used. No content.
 *
 * @category models
 * @since 0.1.0
 */
export interface Received {
  readonly finish: Response.FinishReason
  /** Characters of its text parts, blanks at the ends left out. */
  readonly characters: number
  /** As the provider counted. */
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

type Parts = Parameters<Telemetry.SpanTransformer>[0]["response"]

const receivedOf = (parts: Parts): Received => {
  const finish = parts.find((part) => part.type === "finish")
  return {
    finish: finish?.reason ?? "unknown",
    characters: parts
      .map((part) => (part.type === "text" ? part.text : ""))
      .join("")
      .trim().length,
    inputTokens: finish?.usage.inputTokens.total,
    outputTokens: finish?.usage.outputTokens.total,
  }
}

/**
 * Runs a call of a language model to its end, and tells what it received beside how it ended.
 *
 * A structured answer that was cut off fails in decoding, and the error does not say why. The span transformer of
 * `effect/ai` sees the response before that; one that the host has set is called as well.
 *
 * @category combinators
 * @since 0.1.0
 */
export const capturing = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const seen = MutableRef.make<Received | undefined>(undefined)
  const outer = yield* Effect.serviceOption(Telemetry.CurrentSpanTransformer)
  const exit = yield* Effect.exit(
    Effect.provideService(call, Telemetry.CurrentSpanTransformer, (options) => {
      MutableRef.set(seen, receivedOf(options.response))
      if (Option.isSome(outer)) outer.value(options)
    }),
  )
  return { exit, received: MutableRef.get(seen) }
})
