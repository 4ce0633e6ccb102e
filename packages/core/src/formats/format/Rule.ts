/**
 * The rules of a provider, as functions: what a request breaks, and what was done about it.
 *
 * @since 0.1.0
 */

/**
 * A rule that a request breaks.
 *
 * @category models
 * @since 0.1.0
 */
export interface Violation {
  /** Id of the rule, as in `docs/validity.md`: `AN3`; `shape` when a value is not of the format at all. */
  readonly rule: string
  /** Where, such as `messages[3].content[0]`. */
  readonly path: string
  readonly detail: string
}

/**
 * A change that made a request valid.
 *
 * @category models
 * @since 0.1.0
 */
export interface WireRepair {
  /** Id of the rule that it is for. */
  readonly rule: string
  readonly path: string
  /** What was done: "left out …", "added …", "merged …". */
  readonly detail: string
}

/**
 * What a rule says of a request: a place and a sentence for each fault.
 *
 * @category models
 * @since 0.1.0
 */
export interface Rule<Request> {
  readonly id: string
  readonly check: (request: Request) => ReadonlyArray<Omit<Violation, "rule">>
}

/**
 * Runs rules over a request.
 *
 * @category checks
 * @since 0.1.0
 */
export const runRules = <Request>(
  rules: ReadonlyArray<Rule<Request>>,
  request: Request,
): ReadonlyArray<Violation> =>
  rules.flatMap(({ id, check }) => check(request).map((fault) => ({ rule: id, ...fault })))
