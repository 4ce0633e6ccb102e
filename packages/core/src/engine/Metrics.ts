/**
 * What the engine counts and logs of itself: numbers and names of stages, never what was said.
 *
 * Metrics are Effect's: read them with `Metric.snapshot`, or export them. Logs are of the level `Debug`.
 *
 * @since 0.1.0
 */
import { Effect, Metric } from "effect"
import type { Degradation, StepPrompt } from "./Report.ts"

/** Tokens: from a short message to the largest windows. */
const TOKENS = Metric.exponentialBoundaries({ start: 64, factor: 2, count: 15 })

/** Milliseconds: from a local function to the longest time-out. */
const MILLIS = Metric.exponentialBoundaries({ start: 10, factor: 2, count: 15 })

/**
 * Counts opened steps.
 *
 * @category metrics
 * @since 0.1.0
 */
export const stepsOpened = Metric.counter("palimpsest_steps", {
  description: "Steps that were opened",
  incremental: true,
})

/**
 * Counts prompts, by the decision that they were made by (`decision`).
 *
 * @category metrics
 * @since 0.1.0
 */
export const promptsMade = Metric.counter("palimpsest_prompts", {
  description: "Prompts that were made, by decision",
  incremental: true,
})

/**
 * Counts passes, by their `kind` (`prune`, `summary`) and `outcome`: `written`; `adopted`, when another process had
 * written the same; `overtaken`, when the thread had moved on; `failed`.
 *
 * @category metrics
 * @since 0.1.0
 */
export const passesRun = Metric.counter("palimpsest_passes", {
  description: "Passes that were run, by kind and outcome",
  incremental: true,
})

/**
 * Counts what did not work and did not stop a step, by `stage`.
 *
 * @category metrics
 * @since 0.1.0
 */
export const degradations = Metric.counter("palimpsest_degradations", {
  description: "What did not work and did not stop a step, by stage",
  incremental: true,
})

/**
 * Tokens of prompts, by `part` (`system`, `head`, `summary`, `carried`, `tail`, `recall`).
 *
 * @category metrics
 * @since 0.1.0
 */
export const promptTokens = Metric.histogram("palimpsest_prompt_tokens", {
  description: "Tokens of prompts, by part",
  boundaries: TOKENS,
})

/**
 * Milliseconds of requests to the summariser, by `outcome` (`answered`, `failed`).
 *
 * @category metrics
 * @since 0.1.0
 */
export const summariserMillis = Metric.histogram("palimpsest_summariser_millis", {
  description: "Milliseconds of requests to the summariser, by outcome",
  boundaries: MILLIS,
})

/**
 * Counts rows that a store read, by `operation`.
 *
 * @category metrics
 * @since 0.1.0
 */
export const rowsRead = Metric.counter("palimpsest_rows_read", {
  description: "Rows that a store read, by operation",
  incremental: true,
})

/**
 * Counts bytes of the rows that a store read, by `operation`.
 *
 * @category metrics
 * @since 0.1.0
 */
export const bytesRead = Metric.counter("palimpsest_bytes_read", {
  description: "Bytes of the rows that a store read, by operation",
  incremental: true,
})

const noteDegradation = Effect.fnUntraced(function* ({ stage, instead }: Degradation) {
  yield* Metric.update(Metric.withAttributes(degradations, { stage }), 1)
  // The reason may quote what a provider answered: it stands in the result alone.
  yield* Effect.logDebug("palimpsest: degraded").pipe(Effect.annotateLogs({ stage, instead }))
})

/**
 * Counts a pass and logs it.
 *
 * @category metrics
 * @since 0.1.0
 */
export const notePass = Effect.fnUntraced(function* (
  kind: "prune" | "summary",
  outcome: "written" | "adopted" | "overtaken" | "failed",
  figures: Readonly<Record<string, number>>,
) {
  yield* Metric.update(Metric.withAttributes(passesRun, { kind, outcome }), 1)
  yield* Effect.logDebug("palimpsest: pass").pipe(Effect.annotateLogs({ kind, outcome, ...figures }))
})

/**
 * Counts a prompt and logs it.
 *
 * @category metrics
 * @since 0.1.0
 */
export const notePrompt = Effect.fnUntraced(function* (prompt: StepPrompt) {
  const decision = prompt.decisions.at(-1)?._tag ?? ""
  const { total, ...parts } = prompt.tokens
  yield* Metric.update(Metric.withAttributes(promptsMade, { decision }), 1)
  for (const [part, tokens] of Object.entries(parts))
    yield* Metric.update(Metric.withAttributes(promptTokens, { part }), tokens)
  for (const one of prompt.degraded) yield* noteDegradation(one)
  yield* Effect.logDebug("palimpsest: prompt").pipe(Effect.annotateLogs({ decision, total, ...parts }))
})
