/**
 * Why a server refused a request, or did not: whether the prompt was too long for the model.
 *
 * There is no common answer. Most servers say it in words, some in a code, one in a status without a body, and some
 * cut the prompt without a word: that no error came does not mean that the prompt fitted.
 *
 * @since 0.1.0
 */
import { writeExact } from "../format/ExactJson.ts"
import { isFields } from "../format/Fields.ts"

/**
 * What a server answered.
 *
 * @category models
 * @since 0.1.0
 */
export interface ServerAnswer {
  readonly status: number
  /** The body, parsed or not; nothing when there was none. */
  readonly body?: unknown
  /** Who answered, where it is known: `cerebras`. */
  readonly provider?: string
}

/**
 * Why a request was refused.
 *
 * @category models
 * @since 0.1.0
 */
export type RefusalKind = "overflow" | "rate-limit" | "other"

/** Words of servers that are asked too often. They come first: Bedrock says "too many tokens" of a rate as well. */
const RATE = /rate.?limit|too many requests|throttl|quota/i

/** Words and codes of servers whose model's window is too small, as their users report them. */
const OVERFLOW: ReadonlyArray<RegExp> = [
  // OpenAI and most that speak its protocol.
  /context_length_exceeded|context.?(?:length|window|size)/i,
  // Anthropic, z.ai, Ollama, Bedrock.
  /(?:prompt|input|request)\b.{0,60}\btoo (?:long|large)|request_too_large|exceeds the maximum size/i,
  // xAI, and routes that name the limit first.
  /maximum (?:allowed )?(?:prompt|input) length/i,
  // Groq.
  /reduce the length of/i,
  // Google, Kimi, GitHub Copilot.
  /token (?:count|limit).{0,60}exceed|exceed.{0,60}token limit|too many (?:input )?tokens/i,
]

/** The code of z.ai for a prompt that is too long (earendil-works/pi#9805). */
const ZAI_CODE = "1261"

const textOf = (body: unknown): string => {
  if (body === undefined || body === null) return ""
  return typeof body === "string" ? body : (writeExact(body) ?? "")
}

const codeOf = (body: unknown): unknown => {
  const error = isFields(body) && isFields(body.error) ? body.error : body
  return isFields(error) ? error.code : undefined
}

const saysOverflow = ({ status, body, provider }: ServerAnswer): boolean => {
  const text = textOf(body)
  if (text.trim() === "") return status === 413 || (status === 400 && provider === "cerebras")
  return status === 413 || String(codeOf(body)) === ZAI_CODE || OVERFLOW.some((words) => words.test(text))
}

/**
 * Tells why a request was refused: the prompt was too long, too much was asked in a short time, or something else.
 *
 * **Details**
 *
 * A status of 429 is never an overflow, whatever it says; a refusal of Cerebras without a body is one.
 *
 * **Example** (Two refusals that speak of tokens)
 *
 * ```ts
 * import { overflowOf } from "@palimpsest/core/formats/openai-chat"
 *
 * overflowOf({ status: 400, body: "This model's maximum context length is 8192 tokens." }) // => "overflow"
 * overflowOf({ status: 429, body: "Too many tokens, please wait." }) // => "rate-limit"
 * overflowOf({ status: 400, provider: "cerebras" }) // => "overflow"
 * ```
 *
 * @category errors
 * @since 0.1.0
 */
export const overflowOf = (answer: ServerAnswer): RefusalKind => {
  if (answer.status === 429 || RATE.test(textOf(answer.body))) return "rate-limit"
  return answer.status >= 400 && saysOverflow(answer) ? "overflow" : "other"
}

/**
 * What a server reported of a request that it took.
 *
 * @category models
 * @since 0.1.0
 */
export interface TakenPrompt {
  /** Tokens of the prompt, as the server counted them. */
  readonly reported: number
  /** Tokens of the prompt, as they were counted before it was sent. */
  readonly counted: number
  /** Tokens of the model's window. */
  readonly window: number
  /** Tokens of the answer. */
  readonly output: number
  /** Why the answer ended. */
  readonly finish?: string
}

/** The share of the window from which on nothing is left to answer in. */
const FULL = 0.99

/** How far a count may be off before a shorter report means that something was cut. */
const TOLERANCE = 0.5

/**
 * Tells whether a prompt was too long although the server took it.
 *
 * **Details**
 *
 * z.ai takes more than the window and reports it, or ends with `model_context_window_exceeded`; MiMo fills the window
 * and has no room left to answer; Ollama cuts the prompt and reports what was left of it.
 *
 * **Example** (A prompt that was cut)
 *
 * ```ts
 * import { isSilentOverflow } from "@palimpsest/core/formats/openai-chat"
 *
 * isSilentOverflow({ reported: 4_096, counted: 20_000, window: 4_096, output: 80 }) // => true
 * isSilentOverflow({ reported: 3_100, counted: 3_000, window: 4_096, output: 80 }) // => false
 * ```
 *
 * @category errors
 * @since 0.1.0
 */
export const isSilentOverflow = ({ reported, counted, window, output, finish }: TakenPrompt): boolean => {
  if (finish === "model_context_window_exceeded" || reported > window) return true
  if (finish === "length" && output === 0 && reported >= window * FULL) return true
  return counted > window && reported < counted * TOLERANCE
}
