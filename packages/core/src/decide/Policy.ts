/**
 * What a host may choose, as data, and the numbers that follow from it for one budget.
 *
 * @since 0.1.0
 */
import { uncalibrated } from "../count/Calibrate.ts"
import { LONGEST_REFERENCE } from "../text/ValueReference.ts"
import { type Budget, calibrateBudget } from "./Budget.ts"

/**
 * A bound that is a number of tokens or a share of something, whichever is smaller.
 *
 * @category models
 * @since 0.1.0
 */
export interface Bound {
  readonly tokens: number
  readonly fraction: number
}

/**
 * The policy of a thread. Every field has a default in `defaultPolicy`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Policy {
  /** Soft trigger of a pass; the fraction is of the window. Quality falls before a window is full. */
  readonly trigger: Bound
  /** Where a pass should end, as a share of the trigger: the distance is the hysteresis. */
  readonly target: number
  /** The verbatim tail; the fraction is of the budget's limit. Never a number of messages. */
  readonly tail: Bound
  /** So many of the last call groups stay in the tail while the tail's largest size allows. */
  readonly tailGroups: number
  /** The first exchange; the fraction is of the target. A larger one is not kept verbatim. */
  readonly head: Bound
  /** The summary without its constraints; the fraction is of the target. */
  readonly summary: Bound
  /** The user's constraints, pinned beside the summary; the fraction is of the target. */
  readonly constraints: Bound
  /** One tool result as first sent; the fraction is of the distance from trigger to target. */
  readonly result: Bound
  /** The block of retrieved memory; the fraction is of the target. */
  readonly recall: Bound
  /** Least gain of a pass, as a share of the history. */
  readonly minGain: number
  /** Weak passes in a row after which passes wait for growth, longer with each further one. */
  readonly maxWeak: number
  /** Extractive fallbacks in a row after which the model is asked only after 4, 16, 64… of them. */
  readonly maxFallbacks: number
  /** Growth of the prompt after which a pass that waits, or failed, is tried again. */
  readonly growth: number
  /** Most passes before one prompt. */
  readonly maxPasses: number
  /** Results below this many tokens are never made one-liners. */
  readonly stubAbove: number
  /** Tool arguments above this many UTF-16 units are shortened by the pre-pass. */
  readonly argumentsAbove: number
  /** Number of newest messages with images that keep them. */
  readonly keepImages: number
  /**
   * Images and files of more than this many UTF-16 units of data are kept out of their rows, where the store keeps
   * large values: below it, a second request would cost more than the bytes.
   */
  readonly valuesAbove: number
  /** Names of tools whose results the pre-pass leaves alone. */
  readonly protectedTools: ReadonlyArray<string>
  /**
   * Whether a pass may run while a tool loop with signed reasoning goes on. `hold` is for models that bind signatures
   * to the prompt before them: a pass waits for the end of the loop, unless the prompt would not fit without it.
   */
  readonly openLoops: "compact" | "hold"
  /** What happens when the summariser fails twice: a deterministic summary, or none and a truncated view. */
  readonly onFailure: "extractive" | "hold"
}

/**
 * The default policy. Soft trigger, tail, summary cap and least gain follow published defaults and measurements:
 * a half-full window or 150,000 tokens; hysteresis of half the trigger; results capped at a quarter of the distance.
 * What stays in a row is at most a page of Postgres, 8 KiB.
 *
 * @category constructors
 * @since 0.1.0
 */
export const defaultPolicy: Policy = {
  trigger: { fraction: 0.5, tokens: 150_000 },
  target: 0.5,
  tail: { fraction: 0.25, tokens: 12_000 },
  tailGroups: 3,
  head: { fraction: 0.15, tokens: 2_000 },
  summary: { fraction: 0.25, tokens: 3_000 },
  constraints: { fraction: 0.1, tokens: 1_000 },
  result: { fraction: 0.25, tokens: 16_000 },
  recall: { fraction: 0.2, tokens: 1_500 },
  minGain: 0.2,
  maxWeak: 2,
  maxFallbacks: 2,
  growth: 0.2,
  maxPasses: 4,
  stubAbove: 60,
  argumentsAbove: 600,
  keepImages: 1,
  valuesAbove: 8_192,
  protectedTools: [],
  openLoops: "compact",
  onFailure: "extractive",
}

/**
 * The numbers of a policy under one budget and system prompt, in tokens.
 *
 * @category models
 * @since 0.1.0
 */
export interface Limits {
  /** The budget's: real tokens to a counted one. All others are in counted tokens. */
  readonly factor: number
  /** Hard bound of system prompt and messages. */
  readonly limit: number
  /** Soft bound of the same. */
  readonly trigger: number
  /** Where a pass should end, of the same. */
  readonly target: number
  readonly tail: number
  /** Largest tail, when the newest turn or the last call groups want more than `tail`. */
  readonly tailMax: number
  readonly head: number
  readonly summary: number
  readonly constraints: number
  readonly result: number
  readonly recall: number
}

const bound = (b: Bound, of: number): number => Math.max(0, Math.floor(Math.min(b.tokens, b.fraction * of)))

/** How far the history may grow before a pass. */
const softOf = (policy: Policy, budget: Budget, system: number): number => {
  const room = Math.max(0, budget.limit - system)
  const wanted = Math.floor(bound(policy.trigger, budget.window) / budget.factor) - budget.tools - system
  return Math.floor(Math.min(room, Math.max(wanted, room / 2)))
}

/**
 * Works out the numbers. The system prompt and the tools are taken off first, since no pass can shrink them: the
 * trigger is never below half of the room that they leave, however large they are.
 *
 * A factor below 1 raises the limit and the trigger, and not where a pass ends: the window after it has no readings
 * yet, and must not be above its own trigger at once.
 *
 * **Example** (What a pass aims at)
 *
 * ```ts
 * import { defaultPolicy, limitsOf, makeBudget } from "@palimpsest/core"
 *
 * const limits = limitsOf(defaultPolicy, makeBudget({ window: 32_000 }), 1_000)
 * limits.trigger // => 16000
 * limits.target // => 8500
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const limitsOf = (policy: Policy, budget: Budget, system: number): Limits => {
  const soft = softOf(policy, budget, system)
  const unlearnt = softOf(policy, calibrateBudget(budget, uncalibrated), system)
  const target = Math.floor(Math.min(soft, unlearnt) * policy.target)
  const head = bound(policy.head, target)
  const summary = bound(policy.summary, target)
  const constraints = bound(policy.constraints, target)
  const tailMax = Math.max(0, target - head - summary - constraints)
  return {
    factor: budget.factor,
    limit: budget.limit,
    trigger: system + soft,
    target: system + target,
    tail: Math.min(bound(policy.tail, budget.limit), tailMax),
    tailMax,
    head,
    summary,
    constraints,
    result: bound(policy.result, soft - target),
    recall: bound(policy.recall, target),
  }
}

/**
 * A field of a policy that makes no sense, and why.
 *
 * @category models
 * @since 0.1.0
 */
export interface PolicyFault {
  readonly field: string
  readonly reason: string
}

const share = (field: string, value: number): ReadonlyArray<PolicyFault> =>
  value >= 0 && value <= 1 ? [] : [{ field, reason: `must be a share from 0 to 1, and is ${value}` }]

const count = (field: string, value: number, least: number): ReadonlyArray<PolicyFault> =>
  Number.isInteger(value) && value >= least
    ? []
    : [{ field, reason: `must be a whole number from ${least}, and is ${value}` }]

const least = (field: string, value: number): ReadonlyArray<PolicyFault> =>
  value >= 0 ? [] : [{ field, reason: `must be a number from 0, and is ${value}` }]

const SIZES = ["tailGroups", "stubAbove", "argumentsAbove", "keepImages"] as const

const BOUNDS = ["trigger", "tail", "head", "summary", "constraints", "result", "recall"] as const

/**
 * Lists what is wrong with a policy: empty when it can be used.
 *
 * @category guards
 * @since 0.1.0
 */
export const checkPolicy = (policy: Policy): ReadonlyArray<PolicyFault> => [
  // Hosts without types may leave a field undefined.
  ...BOUNDS.flatMap((field) => [
    ...share(`${field}.fraction`, policy[field]?.fraction),
    ...count(`${field}.tokens`, policy[field]?.tokens, 0),
  ]),
  ...share("target", policy.target),
  ...share("minGain", policy.minGain),
  ...(policy.growth > 0
    ? []
    : [{ field: "growth", reason: "must be above 0, or a blocked pass never ends" }]),
  ...count("maxPasses", policy.maxPasses, 1),
  ...count("maxWeak", policy.maxWeak, 1),
  ...count("maxFallbacks", policy.maxFallbacks, 1),
  ...SIZES.flatMap((field) => least(field, policy[field])),
  ...count("valuesAbove", policy.valuesAbove, LONGEST_REFERENCE),
  ...(Array.isArray(policy.protectedTools)
    ? []
    : [{ field: "protectedTools", reason: "must be a list of names" }]),
  ...(policy.openLoops === "compact" || policy.openLoops === "hold"
    ? []
    : [{ field: "openLoops", reason: "must be compact or hold" }]),
  ...(policy.onFailure === "extractive" || policy.onFailure === "hold"
    ? []
    : [{ field: "onFailure", reason: "must be extractive or hold" }]),
]
