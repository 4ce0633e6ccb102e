/**
 * What goes wrong between us and an OpenAI-compatible server, as the errors of `effect/ai`.
 *
 * No error here holds a header, a key, or a text that the server wrote: servers quote keys and prompts.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Option, Schema } from "effect"
import { AiError } from "effect/ai"
import type { HttpClientError, HttpClientResponse } from "effect/http"
import type { FailedTry } from "./Attempts.ts"
import { TOO_LONG, timeoutNote } from "./Reason.ts"
import { retryAfter } from "./RetryAfter.ts"

const WireError = Schema.fromJsonString(
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.optional(Schema.Unknown),
      type: Schema.optional(Schema.Unknown),
      message: Schema.optional(Schema.Unknown),
    }),
  }),
)

/**
 * What is asked of the server, as errors name it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Endpoint {
  readonly module: string
  readonly method: string
  /** Below the server's address, such as `chat/completions`. */
  readonly path: string
  /** What it answers, such as `chat completion`. */
  readonly answer: string
}

const failed = ({ module, method }: Endpoint, reason: AiError.AiErrorReason, wait?: number): FailedTry => ({
  error: AiError.make({ module, method, reason }),
  ...(wait === undefined ? {} : { wait }),
})

/**
 * Reports a key with characters that no key has, such as a line break.
 *
 * @category constructors
 * @since 0.1.0
 */
export const malformedKey = (endpoint: Endpoint): FailedTry =>
  failed(endpoint, new AiError.AuthenticationError({ kind: "InvalidKey" }))

/**
 * Reports that a try took too long.
 *
 * @category constructors
 * @since 0.1.0
 */
export const timedOut = (endpoint: Endpoint, milliseconds: number): FailedTry =>
  failed(
    endpoint,
    new AiError.InternalProviderError({
      description: `no answer within ${milliseconds} ms`,
      metadata: timeoutNote,
    }),
  )

/**
 * Reports a connection that was refused, reset, or cut in the middle of the answer.
 *
 * @category constructors
 * @since 0.1.0
 */
export const unreachable = (endpoint: Endpoint, error: HttpClientError.HttpClientError): FailedTry => {
  const { _tag } = error.reason
  return failed(
    endpoint,
    new AiError.NetworkError({
      reason: _tag === "EncodeError" || _tag === "InvalidUrlError" ? _tag : "TransportError",
      request: { method: "POST", url: endpoint.path, urlParams: [], headers: {} },
      description: error.response === undefined ? "no connection" : "the answer was cut off on its way",
    }),
  )
}

/**
 * Reports an answer with status 200 that is not of the protocol, such as a page of a proxy.
 *
 * @category constructors
 * @since 0.1.0
 */
export const notOurProtocol = (endpoint: Endpoint, characters: number): FailedTry =>
  failed(
    endpoint,
    new AiError.InvalidOutputError({
      description: `a body of ${characters} characters is no ${endpoint.answer}`,
    }),
  )

/** What a server says about its error, for tests against known words only. */
const wordsOf = (body: string): string => {
  const { error } = Option.getOrElse(Schema.decodeUnknownOption(WireError)(body), () => ({
    error: { code: undefined, type: undefined, message: body.slice(0, 2_000) },
  }))
  return [error.code, error.type, error.message]
    .filter((word) => typeof word === "string")
    .join(" ")
    .toLowerCase()
}

const SAYS_TOO_LONG =
  /context_length_exceeded|context (length|window|size)|too many tokens|prompt is too long|maximum.{0,20}tokens/
const SAYS_NO_QUOTA = /insufficient_quota|quota_exceeded|billing/

const reasonOf = (status: number, words: string): AiError.AiErrorReason => {
  if (status === 413 || (status < 500 && status !== 429 && SAYS_TOO_LONG.test(words)))
    return new AiError.InvalidRequestError({ constraint: TOO_LONG })
  if (status === 402 || (status === 429 && SAYS_NO_QUOTA.test(words)))
    return new AiError.QuotaExhaustedError({})
  if (status === 408 || status === 504)
    return new AiError.InternalProviderError({ description: `status ${status}`, metadata: timeoutNote })
  if (status === 401 || status === 403 || status === 429) return AiError.reasonFromHttpStatus({ status })
  return status >= 500 || status === 409 || status === 425
    ? new AiError.InternalProviderError({ description: `status ${status}` })
    : new AiError.InvalidRequestError({ description: `status ${status}` })
}

/**
 * Reports a status that is not 2xx, with the wait that the server asks for.
 *
 * @category constructors
 * @since 0.1.0
 */
export const badStatus = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  response: HttpClientResponse.HttpClientResponse,
) {
  const body = yield* Effect.orElseSucceed(response.text, () => "")
  const now = yield* Clock.currentTimeMillis
  return failed(endpoint, reasonOf(response.status, wordsOf(body)), retryAfter(response.headers, now))
})
