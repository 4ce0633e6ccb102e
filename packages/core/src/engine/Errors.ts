/**
 * What can go wrong at the edges, as typed errors. Fields are loose on purpose: reporting a failure must not fail.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"

/**
 * The store could not do an operation. Nothing was half done: it may be tried again when `isRetryable`.
 *
 * @category errors
 * @since 0.1.0
 */
export class StoreError extends Schema.TaggedError<StoreError>("@palimpsest/core/StoreError")("StoreError", {
  operation: Schema.String,
  reason: Schema.String,
  isRetryable: Schema.Boolean,
  /** What to do about it, where that is known. */
  remedy: Schema.optionalKey(Schema.String),
  cause: Schema.optionalKey(Schema.Defect()),
}) {
  override get message() {
    const what = `${this.operation}: ${this.reason}`
    return this.remedy === undefined ? what : `${what}. ${this.remedy}`
  }
}

/**
 * A row that cannot be stored as it is: the same id with other content, an unknown anchor, a payload too deep.
 * Nothing of its batch was written.
 *
 * @category errors
 * @since 0.1.0
 */
export class RowError extends Schema.TaggedError<RowError>("@palimpsest/core/RowError")("RowError", {
  operation: Schema.String,
  row: Schema.String,
  reason: Schema.String,
  remedy: Schema.String,
}) {
  override get message() {
    return `${this.operation}: row ${JSON.stringify(this.row)}: ${this.reason}. ${this.remedy}`
  }
}

/**
 * The summariser gave nothing that can be used.
 *
 * @category errors
 * @since 0.1.0
 */
export class SummariserError extends Schema.TaggedError<SummariserError>("@palimpsest/core/SummariserError")(
  "SummariserError",
  {
    summariser: Schema.String,
    /** Such as `Timeout`, `RateLimited`, `Refused`, `CutOff`, `Undecodable`, `Unreachable`, `TooLong`, `Defect`. */
    reason: Schema.String,
    isRetryable: Schema.Boolean,
    detail: Schema.String,
  },
) {
  override get message() {
    return `${this.summariser}: ${this.reason}: ${this.detail}`
  }
}

/**
 * The durable facts of a span could not be kept: the pass that would have covered it is put off.
 *
 * @category errors
 * @since 0.1.0
 */
export class FlushError extends Schema.TaggedError<FlushError>("@palimpsest/core/FlushError")("FlushError", {
  boundary: Schema.String,
  reason: Schema.String,
  isRetryable: Schema.Boolean,
}) {
  override get message() {
    return `flush before ${this.boundary}: ${this.reason}`
  }
}

/**
 * Long-term memory could not be searched: the step goes on without a recall block, and says so.
 *
 * @category errors
 * @since 0.1.0
 */
export class MemoryError extends Schema.TaggedError<MemoryError>("@palimpsest/core/MemoryError")(
  "MemoryError",
  {
    reason: Schema.String,
    isRetryable: Schema.Boolean,
  },
) {
  override get message() {
    return `long-term memory: ${this.reason}`
  }
}

/**
 * What must be sent does not fit the budget, whatever is left out.
 *
 * @category errors
 * @since 0.1.0
 */
export class CannotFitError extends Schema.TaggedError<CannotFitError>("@palimpsest/core/CannotFitError")(
  "CannotFitError",
  {
    /** Least tokens that would be sent. */
    needed: Schema.Finite,
    /** Tokens that the budget leaves for system prompt and messages. */
    limit: Schema.Finite,
    /** The largest parts, largest first. */
    biggest: Schema.Array(Schema.Struct({ part: Schema.String, tokens: Schema.Finite })),
  },
) {
  override get message() {
    const parts = this.biggest.map(({ part, tokens }) => `${part} (${tokens} tokens)`).join(", ")
    return `the prompt needs at least ${this.needed} tokens and the budget leaves ${this.limit}. Biggest parts: ${parts}. Shorten one of them, or use a larger window.`
  }
}

/**
 * A policy, an accounting or a time that makes no sense: each fault names its field.
 *
 * @category errors
 * @since 0.1.0
 */
export class PolicyError extends Schema.TaggedError<PolicyError>("@palimpsest/core/PolicyError")(
  "PolicyError",
  {
    faults: Schema.Array(Schema.Struct({ field: Schema.String, reason: Schema.String })),
  },
) {
  override get message() {
    return this.faults.map(({ field, reason }) => `${field} ${reason}`).join("; ")
  }
}
