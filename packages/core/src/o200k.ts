/**
 * The o200k tokenizer, loaded when it is asked for: its vocabulary takes some 70 MB and half a second.
 *
 * @since 0.1.0
 */
import { guarded } from "./count/Slices.ts"
import type { TokenCounter } from "./count/TokenCounter.ts"

/**
 * Pieces that the tokenizer remembers. Its own default of 100,000 makes each hit of a frequent piece walk the earlier
 * ones once the memory is full: a text of 300 kB then took 11 s, and takes 0.1 s with this.
 */
const REMEMBERED_PIECES = 500

/**
 * Loads the tokenizer of GPT-4o and the models after it, as a counter. It never throws, special tokens count as plain
 * text, and the time is linear: an unbroken run of more than 256 code points is counted in slices.
 *
 * **Example** (Special tokens are text)
 *
 * ```ts
 * import { loadO200k } from "@palimpsest/core/o200k"
 *
 * const counter = await loadO200k()
 * counter.count("Hello world") // => 2
 * counter.count("<|endoftext|>") // => 7
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const loadO200k = async (): Promise<TokenCounter> => {
  const [{ GptEncoding }, { default: ranks }] = await Promise.all([
    import("gpt-tokenizer/GptEncoding"),
    import("gpt-tokenizer/bpeRanks/o200k_base"),
  ])
  const encoding = GptEncoding.getEncodingApi("o200k_base", () => ranks)
  encoding.setMergeCacheSize(REMEMBERED_PIECES)
  const options = { disallowedSpecial: new Set<string>() }
  return { name: "o200k", count: guarded((text) => encoding.countTokens(text, options)) }
}
