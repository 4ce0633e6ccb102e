/**
 * What a step must know of its target.
 *
 * @since 0.1.0
 */
import type { Accounting } from "../../count/Accounting.ts"
import type { BudgetInput } from "../../decide/Budget.ts"
import type { Policy } from "../../decide/Policy.ts"
import type { Target } from "./Target.ts"

/**
 * The options of a step that follow from a target.
 *
 * @category models
 * @since 0.1.0
 */
export interface TargetOptions {
  readonly budget: BudgetInput
  readonly model: string
  readonly accounting: Accounting
  readonly policy: Partial<Policy>
}

/**
 * Takes from a target what the options of a step depend on: the window, the name by which its usage is learnt, the
 * price of images, and whether a pass must wait for the end of a tool loop. What the host says of its own stays.
 *
 * **Example** (The same thread, asked of another model)
 *
 * ```ts
 * import { makeTarget, optionsFor } from "@palimpsest/core/formats"
 *
 * const target = makeTarget({ format: "anthropic", model: "claude-fable-5-1", window: 200_000 })
 * optionsFor(target).policy.openLoops // => "hold"
 * optionsFor(target, { budget: { reserve: 8_000 } }).budget // => { reserve: 8_000, window: 200_000 }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const optionsFor = (
  target: Target,
  own: { readonly budget?: Omit<BudgetInput, "window">; readonly policy?: Partial<Policy> } = {},
): TargetOptions => ({
  budget: { ...own.budget, window: target.window },
  model: target.model,
  accounting: target.accounting,
  policy: { openLoops: target.reasoning === "prefix" ? "hold" : "compact", ...own.policy },
})
