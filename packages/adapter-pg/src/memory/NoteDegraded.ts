/**
 * What did not work is counted, and told in the span: whoever reads no answer sees it there.
 *
 * @since 0.1.0
 */
import { degradations } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/**
 * Counts the lines of an answer and tells them in the span.
 *
 * @category metrics
 * @since 0.1.0
 */
export const noteDegraded =
  (stage: "memory index" | "memory search") =>
  <A extends { readonly degraded: ReadonlyArray<string> }>(answer: A): Effect.Effect<A> =>
    Effect.gen(function* () {
      const { degraded } = answer
      if (degraded.length === 0) return answer
      yield* Metric.update(Metric.withAttributes(degradations, { stage }), degraded.length)
      yield* Effect.annotateCurrentSpan({ degraded: degraded.length })
      yield* Effect.logDebug("palimpsest: degraded").pipe(Effect.annotateLogs({ stage }))
      return answer
    })
