import { Embedder, type EmbedderError, Redactor } from "@palimpsest/core/engine"
import { Effect, Layer, Result, Tracer } from "effect"

/** The outcome as a value, with what the spans say. */
export const embed = async (
  layer: Layer.Layer<Embedder>,
  texts: ReadonlyArray<string>,
  redact?: (text: string) => string,
  as: "document" | "query" = "document",
) => {
  const attributes: Record<string, unknown> = {}
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const set = span.attribute.bind(span)
      span.attribute = (key, value) => {
        attributes[key] = value
        set(key, value)
      }
      return span
    },
  })
  const redactor = redact === undefined ? Layer.empty : Layer.succeed(Redactor, redact)
  const result = await Effect.flatMap(Embedder, (embedder) => embedder.embed(texts, as)).pipe(
    Effect.result,
    Effect.provide(Layer.provide(layer, redactor)),
    Effect.withTracer(tracer),
    Effect.runPromise,
  )
  const error: EmbedderError | null = Result.isFailure(result) ? result.failure : null
  return { vectors: Result.isSuccess(result) ? result.success : [], error, attributes }
}
