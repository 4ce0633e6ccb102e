/**
 * The token budget of a step: what the prompt may take of the model's window.
 *
 * @since 0.1.0
 */
import { type Calibration, uncalibrated } from "../count/Calibrate.ts"

/**
 * A budget, in tokens. `limit` is what the system prompt and the messages may take together, as they are counted here.
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
  /** Real tokens to a counted one, learnt from the provider's own counts; 1 when nothing is known. */
  readonly factor: number
  /** `(window - reserve - margin) / factor - tools`, and never below 0. */
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
  return calibrateBudget({ window, reserve, margin, tools }, uncalibrated)
}

/**
 * Puts a budget into the units of the estimate: counts stay as they are, and what they may add up to is divided by
 * the factor. Tools are counted here too. A prompt that the provider refused does not fit, whatever the factor is.
 *
 * **Example** (A tokenizer that needs a quarter more)
 *
 * ```ts
 * import { calibrateBudget, makeBudget, uncalibrated } from "@palimpsest/core"
 *
 * const budget = makeBudget({ window: 100_000, reserve: 10_000, margin: 0 })
 * calibrateBudget(budget, { ...uncalibrated, factor: 1.25 }).limit // => 72000
 * calibrateBudget(budget, { ...uncalibrated, ceiling: 50_000 }).limit // => 49999
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const calibrateBudget = (
  budget: Omit<Budget, "limit" | "factor">,
  { factor, ceiling }: Calibration,
): Budget => {
  const { window, reserve, margin, tools } = budget
  const room = Math.floor((window - reserve - margin) / factor)
  const most = ceiling === null ? room : Math.min(room, ceiling - 1)
  return { window, reserve, margin, tools, factor, limit: whole(most - tools) }
}
