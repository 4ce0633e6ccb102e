/** What is fuzzed: something that takes any input, and what it must do with it. */
import type fc from "fast-check"

/** What came out wrong. `kind` stays the same while an input is made smaller. */
export interface Failure {
  readonly kind: string
  readonly detail: string
}

/** What an input was: read as a whole, or refused with a reason. */
export type Verdict = "read" | "refused" | Failure

export const isFailure = (verdict: Verdict): verdict is Failure => typeof verdict === "object"

/** A format, or a reader of files. */
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
}

/** Runs a check: an exception is what must not be. */
export const guarded = (check: Target["check"], input: unknown): Verdict => {
  try {
    return check(input)
  } catch (error) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const [first = "", place = ""] = stack.split("\n").map((line) => line.trim())
    return { kind: `throws ${first.slice(0, 80)}`, detail: `${first} ${place}` }
  }
}
