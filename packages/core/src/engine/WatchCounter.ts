/**
 * A counter that remembers what it could not count, so that a step can tell it.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { safeCounter } from "../count/SafeCounter.ts"
import type { TokenCounter } from "../count/TokenCounter.ts"
import type { Degradation } from "./Report.ts"

/**
 * A counter under watch. What it counts does not depend on what was seen.
 *
 * @category models
 * @since 0.1.0
 */
export interface WatchedCounter {
  readonly counter: TokenCounter
  /** What could not be counted since this was asked last. */
  readonly take: Effect.Effect<ReadonlyArray<Degradation>>
}

/**
 * Makes a counter total, and watches it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const watchCounter = (given: TokenCounter): WatchedCounter => {
  const safe = safeCounter(given)
  const faults = new Map<string, number>()
  const take = Effect.sync(() => {
    const told = [...faults].map(
      ([fault, times]): Degradation => ({
        stage: "count",
        reason: `the counter ${safe.name} failed for ${times} texts: ${fault}`,
        instead: "an estimate by classes of characters",
      }),
    )
    faults.clear()
    return told
  })
  const count = (text: string): number => {
    const { tokens, fault } = safe.attempt(text)
    if (fault !== null) faults.set(fault, (faults.get(fault) ?? 0) + 1)
    return tokens
  }
  return { counter: { name: safe.name, count }, take }
}
