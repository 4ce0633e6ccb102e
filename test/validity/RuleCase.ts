import type { Format } from "@palimpsest/core/formats"

/** Requests for one rule of a provider: each kind is a test. */
export interface RuleCase {
  /** Id of the rule: `AN3`. */
  readonly rule: string
  /** What the rule says, in few words: it stands in the table. */
  readonly says: string
  /** Requests that break no rule at all. */
  readonly accepts: ReadonlyArray<unknown>
  /** Requests that break this rule; each is repaired to one that breaks none. */
  readonly refuses: ReadonlyArray<unknown>
}

/** A rule that no single request shows: of bytes, of histories, of stores. A test elsewhere shows it. */
export interface ShownElsewhere {
  readonly rule: string
  readonly says: string
  /** A test file, and words of the titles of an accepting and a refusing test in it. */
  readonly file: string
  readonly accepts: string
  readonly refuses: string
}

/** Rules of one subject, and what shows them. */
export interface RuleSet {
  readonly title: string
  readonly cases: ReadonlyArray<RuleCase>
  readonly elsewhere: ReadonlyArray<ShownElsewhere>
}

/** The rules of a format. */
export interface Validity<R = unknown> extends RuleSet {
  readonly format: Format<R>
}
