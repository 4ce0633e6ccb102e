/**
 * A guard around a counter that may fail.
 *
 * @since 0.1.0
 */
import { estimateCounter } from "./Estimate.ts"
import type { TokenCounter } from "./TokenCounter.ts"

const attempt = (counter: TokenCounter, text: string): number => {
  try {
    return Math.ceil(counter.count(text))
  } catch {
    return Number.NaN
  }
}

/**
 * Makes a counter total: a text for which it throws, or gives no non-negative finite number, is estimated instead. The
 * name stays, and a fraction is rounded up.
 *
 * **Example** (A counter that refuses a text)
 *
 * ```ts
 * import { estimateCounter, safeCounter } from "@palimpsest/core"
 *
 * const broken = safeCounter({ name: "broken", count: () => Number.NaN })
 * broken.count("Hello there") === estimateCounter.count("Hello there") // => true
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const safeCounter = (counter: TokenCounter): TokenCounter => ({
  name: counter.name,
  count: (text) => {
    const tokens = attempt(counter, text)
    return Number.isFinite(tokens) && tokens >= 0 ? tokens : estimateCounter.count(text)
  },
})
