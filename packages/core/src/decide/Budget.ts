/**
 * The token budget of a step: what the prompt may take of the model's window.
 *
 * @since 0.1.0
 */

/**
 * A budget, in tokens. `limit` is what the system prompt and the messages may take together.
 *
 * @category models
 * @since 0.1.0
 */
export interface Budget {
  /** The model's whole window. */
  readonly window: number
  /** Kept free for the reply, reasoning included. */
  readonly reserve: number
  /** Kept free because counts of other tokenizers are estimates. */
  readonly margin: number
  /** Tokens of the tool schemas: not in the history, but in the prompt. */
  readonly tools: number
  /** `window - reserve - margin - tools`, and never below 0. */
  readonly limit: number
}

/**
 * What a host says of its model; the rest has defaults.
 *
 * @category models
 * @since 0.1.0
 */
export interface BudgetInput {
  readonly window: number
  readonly reserve?: number
  readonly margin?: number
  readonly tools?: number
}

/** Share of the window that the reply gets when the host does not say, and its bound in tokens. */
const RESERVE = { fraction: 0.2, tokens: 16_000 }
/** Share of the window that is left as margin: counts are exact for o200k models, so little is needed. */
const MARGIN = 0.01

const whole = (n: number): number => (Number.isFinite(n) ? Math.max(0, Math.floor(n)) : 0)

/**
 * Makes a budget. The reserve defaults to a fifth of the window, at most 16,000 tokens; the margin to 1 %.
 * Numbers that are negative, broken or not finite count as 0.
 *
 * **Example** (A window of 128K)
 *
 * ```ts
 * import { makeBudget } from "@palimpsest/core"
 *
 * makeBudget({ window: 128_000, tools: 2_000 }).limit // => 108720
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeBudget = (input: BudgetInput): Budget => {
  const window = whole(input.window)
  const reserve = whole(input.reserve ?? Math.min(RESERVE.fraction * window, RESERVE.tokens))
  const margin = whole(input.margin ?? MARGIN * window)
  const tools = whole(input.tools ?? 0)
  return { window, reserve, margin, tools, limit: Math.max(0, window - reserve - margin - tools) }
}
