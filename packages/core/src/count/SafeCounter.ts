/**
 * A guard around a counter that may fail.
 *
 * @since 0.1.0
 */
import { estimateCounter } from "./Estimate.ts"
import type { TokenCounter } from "./TokenCounter.ts"

/**
 * A count, and why it is an estimate; null when the counter counted.
 *
 * @category models
 * @since 0.1.0
 */
export interface CountAttempt {
  readonly tokens: number
  readonly fault: string | null
}

/**
 * A counter that is total, and tells of each text whether it could be counted.
 *
 * @category models
 * @since 0.1.0
 */
export interface SafeCounter extends TokenCounter {
  readonly attempt: (text: string) => CountAttempt
}

/** What is thrown may quote the text: its class is enough. */
const kindOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.constructor.name : typeof thrown

const attempt = (counter: TokenCounter, text: string): CountAttempt => {
  const estimated = (fault: string): CountAttempt => ({ tokens: estimateCounter.count(text), fault })
  try {
    const tokens = Math.ceil(counter.count(text))
    return Number.isFinite(tokens) && tokens >= 0 ? { tokens, fault: null } : estimated(`it gave ${tokens}`)
  } catch (thrown) {
    return estimated(`it threw ${kindOf(thrown)}`)
  }
}

const isSafe = (counter: TokenCounter): counter is SafeCounter =>
  "attempt" in counter && typeof counter.attempt === "function"

/**
 * Makes a counter total: a text for which it throws, or gives no non-negative finite number, is estimated instead, and
 * `attempt` says so. The name stays, a fraction is rounded up, and a safe counter comes back as it is.
 *
 * **Example** (A counter that refuses a text)
 *
 * ```ts
 * import { estimateCounter, safeCounter } from "@palimpsest/core"
 *
 * const broken = safeCounter({ name: "broken", count: () => Number.NaN })
 * broken.count("Hello there") === estimateCounter.count("Hello there") // => true
 * broken.attempt("Hello there").fault // => "it gave NaN"
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const safeCounter = (counter: TokenCounter): SafeCounter =>
  isSafe(counter)
    ? counter
    : {
        name: counter.name,
        count: (text) => attempt(counter, text).tokens,
        attempt: (text) => attempt(counter, text),
      }
