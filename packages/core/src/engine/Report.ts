/**
 * What a step tells of itself: nothing is degraded silently.
 *
 * @since 0.1.0
 */
import type { Calibration } from "../count/Calibrate.ts"
import type { Decision } from "../decide/Decision.ts"
import type { Prompt } from "../prompt/Layout.ts"
import type { Mark } from "../thread/Row.ts"

/**
 * Something that did not work, and did not stop the step.
 *
 * @category models
 * @since 0.1.0
 */
export interface Degradation {
  readonly stage:
    | "recall"
    | "flush"
    | "summarise"
    | "store"
    | "lease"
    | "check"
    | "count"
    | "usage"
    | "filter"
    | "redact"
  readonly reason: string
  /** What the step did instead. */
  readonly instead: string
}

/**
 * A pass that ran while the prompt was made.
 *
 * @category models
 * @since 0.1.0
 */
export interface PassReport {
  readonly kind: "prune" | "summary"
  readonly mark: Mark
  /** False when another process had written the mark: its text is the one that is sent. */
  readonly written: boolean
  /** Requests to the summariser, drafts not counted. */
  readonly calls: number
  /** Facts that the flush before it stored. */
  readonly facts: number
}

/**
 * The prompt of a step, with everything that led to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface StepPrompt extends Prompt {
  /** The decisions, in order: the last one is what the prompt was made by. */
  readonly decisions: ReadonlyArray<Decision>
  readonly passes: ReadonlyArray<PassReport>
  readonly degraded: ReadonlyArray<Degradation>
  /** How counts were corrected when the last decision was made. */
  readonly calibration: Calibration
}
