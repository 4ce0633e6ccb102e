/**
 * The o200k tokenizer, loaded when it is asked for: the vocabulary is large.
 *
 * @since 0.1.0
 */
import { guarded } from "./count/Slices.ts"
import type { TokenCounter } from "./count/TokenCounter.ts"

/**
 * Loads the o200k tokenizer. Special tokens in a text count as plain text.
 *
 * @category counting
 * @since 0.1.0
 */
export const loadO200k = async (): Promise<TokenCounter> => {
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base")
  const options = { disallowedSpecial: new Set<string>() }
  return { name: "o200k", count: guarded((text) => countTokens(text, options)) }
}
