/**
 * Anti-thrash: pure functions of what earlier passes recorded, so that they survive restarts and agree everywhere.
 *
 * @since 0.1.0
 */
import type { Cut, Failure, Pass } from "../thread/Row.ts"
import type { Window } from "../thread/Window.ts"
import type { Policy } from "./Policy.ts"

/**
 * Why a pass waits.
 *
 * - `Weak`: the last passes gained little, and the prompt has not grown since.
 * - `Failed`: an attempt failed, and the prompt has not grown since.
 *
 * @category models
 * @since 0.1.0
 */
export type Wait =
  | { readonly _tag: "Weak"; readonly passes: number; readonly until: number }
  | { readonly _tag: "Failed"; readonly failure: Failure; readonly until: number }

/**
 * Finds the newest pass of a window: of its prunes, or else of its cut.
 *
 * @category getters
 * @since 0.1.0
 */
export const lastPass = (window: Window): Pass | null =>
  window.prunes.at(-1)?.pass ?? (window.cut?.kind === "summary" ? window.cut.pass : null)

/** Attempts beyond this wait no longer: a number of tokens stays finite. */
const MOST = 16

/** What a prompt must have grown to: further with each attempt that was in vain. */
const grown = (tokens: number, policy: Policy, attempts = 1): number =>
  Math.ceil(tokens * (1 + policy.growth) ** Math.min(attempts, MOST))

/**
 * Tells why no pass should run now, or null.
 *
 * @category combinators
 * @since 0.1.0
 */
export const waitingFor = (window: Window, total: number, policy: Policy): Wait | null => {
  const pass = lastPass(window)
  if (pass !== null && pass.weak >= policy.maxWeak) {
    const until = grown(pass.after, policy, 1 + pass.weak - policy.maxWeak)
    if (total < until) return { _tag: "Weak", passes: pass.weak, until }
  }
  const failure = window.failures.at(-1)
  if (failure !== undefined) {
    const until = grown(failure.tokens, policy, window.failures.length)
    if (total < until) return { _tag: "Failed", failure, until }
  }
  return null
}

const isPowerOfFour = (n: number): boolean => n > 0 && Number.isInteger(Math.log2(n) / 2)

/**
 * Counts the extractive fallbacks in a row up to a cut.
 *
 * @category getters
 * @since 0.1.0
 */
export const fallbacksOf = (cut: Cut | null): number => (cut?.kind === "summary" ? cut.pass.fallbacks : 0)

/**
 * Tells whether the next summary may be asked of the model. After some fallbacks in a row it is asked again only
 * after 4, 16, 64… of them, so that a summariser that is down costs little, and one that is back is found.
 *
 * @category combinators
 * @since 0.1.0
 */
export const asksModel = (window: Window, policy: Policy): boolean => {
  const fallbacks = fallbacksOf(window.cut)
  return fallbacks < policy.maxFallbacks || isPowerOfFour(fallbacks)
}
