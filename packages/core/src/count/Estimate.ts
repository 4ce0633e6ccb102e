/**
 * A count without a tokenizer.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "./TokenCounter.ts"

/**
 * Estimates tokens from classes of characters, without a vocabulary. It errs on the high side.
 *
 * @category counting
 * @since 0.1.0
 */
export const estimateCounter: TokenCounter = {
  name: "estimate",
  count: (text) => Math.ceil(text.length / 2),
}
