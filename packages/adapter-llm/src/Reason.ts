/**
 * Why no summary came, in a closed list.
 *
 * @since 0.1.0
 */
import type { SummariserError } from "@palimpsest/core/engine"
import type { AiError } from "effect/ai"

/**
 * A reason of a `SummariserError` of this package.
 *
 * - `Timeout`, `Unreachable`, `RateLimited`, `Unavailable`: the way to the model; worth another try.
 * - `Empty`, `Undecodable`, `CutOff`: an answer came and is no delta; worth another try.
 * - `Refused`, `TooLong`, `Unauthorized`, `QuotaExhausted`, `Invalid`, `Failed`: the same again would end the same.
 *
 * @category errors
 * @since 0.1.0
 */
export type Reason =
  | "Timeout"
  | "Unreachable"
  | "RateLimited"
  | "Unavailable"
  | "Empty"
  | "Undecodable"
  | "CutOff"
  | "Refused"
  | "TooLong"
  | "Unauthorized"
  | "QuotaExhausted"
  | "Invalid"
  | "Failed"

/**
 * A reason with what is known about it. `detail` holds no text of the conversation and no key.
 *
 * @category errors
 * @since 0.1.0
 */
export interface Cause extends Pick<SummariserError, "isRetryable" | "detail"> {
  readonly reason: Reason
}

const WORTH_ANOTHER_TRY: ReadonlySet<Reason> = new Set<Reason>([
  "Timeout",
  "Unreachable",
  "RateLimited",
  "Unavailable",
  "Empty",
  "Undecodable",
  "CutOff",
])

/**
 * Makes a cause of a reason: whether it is retryable follows from it.
 *
 * @category constructors
 * @since 0.1.0
 */
export const cause = (reason: Reason, detail: string): Cause => ({
  reason,
  detail,
  isRetryable: WORTH_ANOTHER_TRY.has(reason),
})

/** Where this package's HTTP layer notes a time-out, for which Effect's list of reasons has no place. */
const NOTE = "palimpsest"

/**
 * Marks an error of a provider as a time-out.
 *
 * @category constructors
 * @since 0.1.0
 */
export const timeoutNote = { [NOTE]: { timeout: true } }

/**
 * Marks an invalid request as one that the model's window cannot hold.
 *
 * @category constructors
 * @since 0.1.0
 */
export const TOO_LONG = "context_length_exceeded"

const ofReason = (reason: AiError.AiErrorReason): readonly [Reason, string] => {
  switch (reason._tag) {
    case "NetworkError":
      return ["Unreachable", reason.reason]
    case "RateLimitError":
      return ["RateLimited", "the provider asked to wait"]
    case "QuotaExhaustedError":
      return ["QuotaExhausted", "the account has no quota left"]
    case "AuthenticationError":
      return ["Unauthorized", reason.kind]
    case "ContentPolicyError":
      return ["Refused", "the provider or the model declined"]
    case "InternalProviderError":
      return reason.metadata[NOTE] === undefined
        ? ["Unavailable", "the provider failed"]
        : ["Timeout", "no answer in time"]
    case "StructuredOutputError":
      return reason.responseText.trim() === ""
        ? ["Empty", "no text in the answer"]
        : ["Undecodable", `an answer of ${reason.responseText.length} characters is not the JSON asked for`]
    case "InvalidOutputError":
      return ["Undecodable", "the provider's response is not of its protocol"]
    case "InvalidRequestError":
    case "InvalidUserInputError":
      return reason._tag === "InvalidRequestError" && reason.constraint === TOO_LONG
        ? ["TooLong", "the request does not fit the model's window"]
        : ["Invalid", "the provider rejected the request"]
    default:
      return ["Failed", reason._tag]
  }
}

/**
 * Says in our words why a language model failed. The words of the error are left out: they may quote the answer.
 *
 * @category error handling
 * @since 0.1.0
 */
export const ofAiError = (error: AiError.AiError): Cause => cause(...ofReason(error.reason))
