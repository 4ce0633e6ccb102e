/**
 * A redactor that remembers where it failed, so that a step can tell it.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { failClosed, type Redact } from "../summary/SafeRedact.ts"
import type { Degradation } from "./Report.ts"

/**
 * A redactor under watch. What it gives does not depend on what was seen.
 *
 * @category models
 * @since 0.1.0
 */
export interface WatchedRedactor {
  readonly redact: Redact
  /** What could not be redacted since this was asked last. */
  readonly take: Effect.Effect<ReadonlyArray<Degradation>>
}

/**
 * Makes a redactor total, and watches it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const watchRedactor = (given: Redact): WatchedRedactor => {
  let failures = 0
  const redact = failClosed(given, () => {
    failures++
  })
  const take = Effect.sync((): ReadonlyArray<Degradation> => {
    const told = failures
    failures = 0
    return told === 0
      ? []
      : [
          {
            stage: "redact",
            reason: `the redactor failed ${told} times`,
            instead: "a line stands for each text on which it did",
          },
        ]
  })
  return { redact, take }
}
