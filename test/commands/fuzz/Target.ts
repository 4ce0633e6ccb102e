/** What is fuzzed: something that takes any input, and what it must do with it. */
import type fc from "fast-check"

/** What came out wrong. `kind` stays the same while an input is made smaller. */
export interface Failure {
  readonly kind: string
  readonly detail: string
}

/** What an input was: read as a whole, where a target knows several formats as one of them, or refused with a reason. */
export type Verdict = "read" | `read as ${string}` | "refused" | Failure

export const isFailure = (verdict: Verdict): verdict is Failure => typeof verdict === "object"

/** A format, or the readers of files. */
export interface Target {
  readonly name: string
  /** Whether inputs are texts of files, or the values in them. */
  readonly takes: "text" | "value"
  /** Lists that the target reads; absent for readers of files. */
  readonly samples?: fc.Arbitrary<ReadonlyArray<unknown>>
  /** The field of a request that holds the list. */
  readonly field?: string
  /** Whether an element may stand in a list of the target. */
  readonly reads: (element: unknown) => boolean
  readonly check: (input: unknown) => Verdict
  /** How often a check goes through its input: so many times as long it may take. Once by default. */
  readonly rounds?: number
}
