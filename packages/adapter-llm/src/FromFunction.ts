/**
 * A summariser made of the host's own function.
 *
 * @since 0.1.0
 */
import { Summariser, SummariserError, type SummaryRequest } from "@palimpsest/core/engine"
import { Effect, Layer, Schema } from "effect"
import { DeltaSchema, withoutBlanks } from "./DeltaSchema.ts"
import { cause } from "./Reason.ts"

/**
 * A function that summarises, with its name and limits.
 *
 * @category models
 * @since 0.1.0
 */
export interface SummariserFunction {
  /** Kept in the mark of each pass. */
  readonly name: string
  /** Tokens of transcript that one request may hold. */
  readonly window: number
  /** Milliseconds until an answer is given up; 60,000 by default. */
  readonly timeout?: number
  /**
   * Returns a delta as plain data, which is decoded, not trusted; it may throw or reject with anything. The signal
   * is aborted when the step is interrupted or the time is over.
   */
  readonly summarise: (request: SummaryRequest, signal: AbortSignal) => Promise<unknown>
}

/** What was thrown, by its class: its message may quote the conversation or a key. */
export const kindOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return typeof thrown
  const { name } = thrown
  return typeof name === "string" && /^\w{1,64}$/.test(name) ? name : "Error"
}

const summariseWith = (host: SummariserFunction, request: SummaryRequest) =>
  Effect.tryPromise({
    // The inner function makes a rejection of what is thrown at once.
    try: async (signal) => await host.summarise(request, signal),
    catch: (thrown) => cause("Failed", `the function failed with ${kindOf(thrown)}`),
  }).pipe(
    Effect.flatMap((answer) =>
      Effect.mapError(Schema.decodeUnknownEffect(DeltaSchema)(answer), () =>
        cause("Undecodable", "the function returned no delta"),
      ),
    ),
    Effect.catchDefect(() => Effect.fail(cause("Undecodable", "what the function returned cannot be read"))),
    Effect.timeoutOrElse({
      duration: host.timeout ?? 60_000,
      orElse: () => Effect.fail(cause("Timeout", `no answer within ${host.timeout ?? 60_000} ms`)),
    }),
    Effect.map(withoutBlanks),
    Effect.mapError((failed) => new SummariserError({ summariser: host.name, ...failed })),
  )

/**
 * Makes a summariser of a function: bring your own model client.
 *
 * **Example** (A client of your own)
 *
 * ```ts
 * import { summariserFrom } from "@palimpsest/adapter-llm"
 *
 * const layer = summariserFrom({
 *   name: "mine",
 *   window: 100_000,
 *   summarise: async (request) => ({
 *     add: [{ kind: "fact", text: "…", sources: request.rows.slice(0, 1) }],
 *     resolve: [],
 *     drop: [],
 *   }),
 * })
 * ```
 *
 * @category layers
 * @since 0.1.0
 */
export const summariserFrom = (host: SummariserFunction): Layer.Layer<Summariser> =>
  Layer.succeed(
    Summariser,
    Summariser.of({
      name: host.name,
      window: host.window,
      summarise: (request) =>
        Effect.withSpan(summariseWith(host, request), "Summariser.summarise", {
          attributes: { "summariser.name": host.name, "summariser.rows": request.rows.length },
        }),
    }),
  )
