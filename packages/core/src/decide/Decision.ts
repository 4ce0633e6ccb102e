/**
 * The decision of a step: one tagged value, with the numbers that explain it.
 *
 * @since 0.1.0
 */
import type { Reduction } from "../thread/Row.ts"
import type { Parts } from "./Measure.ts"
import type { Limits } from "./Policy.ts"
import type { Wait } from "./Thrash.ts"

/**
 * Numbers that every decision carries, in tokens.
 *
 * @category models
 * @since 0.1.0
 */
export interface Numbers {
  readonly parts: Parts
  readonly limits: Limits
}

/**
 * The window is sent as it is.
 *
 * @category models
 * @since 0.1.0
 */
export interface Keep extends Numbers {
  readonly _tag: "Keep"
}

/**
 * The pre-pass is enough: the named rows are sent reduced from now on.
 *
 * @category models
 * @since 0.1.0
 */
export interface Prune extends Numbers {
  readonly _tag: "Prune"
  readonly cause: "trigger" | "limit" | "manual"
  /** The last row of the window: the mark follows it. */
  readonly anchor: string
  readonly reductions: ReadonlyArray<Reduction>
  /** Tokens that it frees, exactly. */
  readonly gain: number
  /** True when results of the tail had to be shortened as well. */
  readonly squeezed: boolean
}

/**
 * The middle goes to the summariser, and the window is cut after it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Summarize extends Numbers {
  readonly _tag: "Summarize"
  readonly cause: "trigger" | "limit" | "manual"
  /** The last row that will be covered: the mark follows it. */
  readonly anchor: string
  /** Ids of the rows newly covered, in order. */
  readonly span: ReadonlyArray<string>
  readonly head: ReadonlyArray<string>
  readonly carry: ReadonlyArray<string>
  /** Tokens that it frees at least, known before it is paid. */
  readonly gain: number
  /** Whether the model may be asked, or earlier fallbacks forbid it for now. */
  readonly by: "model" | "extractive"
  /** Most tokens that the summary may take as sent, fence and all. */
  readonly most: number
  /** Bounds of its items and of its constraints, tokens. */
  readonly maxTokens: number
  readonly maxConstraintTokens: number
}

/**
 * A pass is due or asked for, but none runs now: the window fits and is sent as it is.
 *
 * @category models
 * @since 0.1.0
 */
export interface Hold extends Numbers {
  readonly _tag: "Hold"
  readonly why:
    | Wait
    | { readonly _tag: "TooLittle"; readonly gain: number; readonly least: number }
    /** A tool loop goes on whose signed reasoning a pass would cost. */
    | { readonly _tag: "OpenLoop" }
    | { readonly _tag: "NoPass" }
}

/**
 * No pass can make the window fit: a view of it is sent. Nothing is written.
 *
 * @category models
 * @since 0.1.0
 */
export interface Truncate extends Numbers {
  readonly _tag: "Truncate"
  readonly view: View
  /** The attempt at a pass that failed: the next one waits until the prompt has grown. */
  readonly why?: Extract<Wait, { readonly _tag: "Failed" }>
}

/**
 * The parts that must be sent do not fit.
 *
 * @category models
 * @since 0.1.0
 */
export interface CannotFit extends Numbers {
  readonly _tag: "CannotFit"
  /** Least tokens that would be sent. */
  readonly needed: number
  /** The largest parts, largest first, tokens. */
  readonly biggest: ReadonlyArray<{ readonly part: string; readonly tokens: number }>
}

/**
 * A truncated view of a window.
 *
 * @category models
 * @since 0.1.0
 */
export interface View {
  /** Numbers of the groups that are sent. */
  readonly groups: ReadonlyArray<number>
  readonly summary: boolean
  /** Ids of the recall blocks that are sent. */
  readonly recalls: ReadonlyArray<string>
  /** Rows that are sent shorter than stored, for this view only. */
  readonly reductions: ReadonlyArray<Reduction>
  readonly tokens: number
}

/**
 * What a step does.
 *
 * @category models
 * @since 0.1.0
 */
export type Decision = Keep | Prune | Summarize | Hold | Truncate | CannotFit
