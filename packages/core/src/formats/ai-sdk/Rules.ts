/**
 * The rules of the AI SDK, checked on a request before it is sent. They are stronger than its own: what the SDK lets
 * through, each provider behind it may refuse.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Rule, Violation } from "../format/Rule.ts"
import { approvals } from "./Approvals.ts"
import { withSendableFiles } from "./Files.ts"
import { losesOptions } from "./Neighbours.ts"
import { isBlank } from "./Output.ts"
import { answered, paired } from "./Pairs.ts"
import { isBlankText, isSilent, withoutSilentResults } from "./Says.ts"
import { withValues } from "./Values.ts"
import { type AiSdkMessage, type AiSdkRequest, partsOf } from "./Wire.ts"

type Fault = Omit<Violation, "rule">

const eachMessage = (
  { messages }: AiSdkRequest,
  check: (message: AiSdkMessage, next: AiSdkMessage | undefined) => string | null,
): ReadonlyArray<Fault> =>
  messages.flatMap((message, i) => {
    const detail = check(message, messages[i + 1])
    return detail === null ? [] : [{ path: `messages[${i}]`, detail }]
  })

const isSystemMessage = (value: unknown): boolean =>
  isFields(value) && value.role === "system" && typeof value.content === "string"

/** Whether a value may be the system prompt: a text, a system message, or several. */
export const isSystem = (value: unknown): boolean =>
  typeof value === "string" ||
  isSystemMessage(value) ||
  (Array.isArray(value) && value.every(isSystemMessage))

/** The texts of a system prompt. */
export const systemTexts = (value: unknown): ReadonlyArray<string> =>
  [value]
    .flat()
    .flatMap((one) =>
      typeof one === "string" ? [one] : isFields(one) && typeof one.content === "string" ? [one.content] : [],
    )

/** Whether a system prompt is there and says nothing. */
export const isBlankSystem = (value: unknown): boolean =>
  value !== undefined && isSystem(value) && systemTexts(value).every(isBlank)

/** Whether two fields of a request say what its messages are. */
export const hasPrompt = ({ prompt }: AiSdkRequest): boolean => prompt !== undefined && prompt !== null

/** VA3: there are messages, and the system prompt is not among them unless the request says so. */
const whole: Rule<AiSdkRequest> = {
  id: "VA3",
  check: (request) => [
    ...(request.messages.length === 0 ? [{ path: "messages", detail: "no messages" }] : []),
    ...(hasPrompt(request) ? [{ path: "prompt", detail: "a prompt beside the messages" }] : []),
    ...(request.system === undefined || isSystem(request.system)
      ? []
      : [{ path: "system", detail: "neither a text nor a system message" }]),
    ...(request.allowSystemInMessages === true
      ? []
      : eachMessage(request, ({ role }) => (role === "system" ? "a system message among the others" : null))),
  ],
}

/** VA4: the options of a tool message stay its own: another one after it would take them. */
const single: Rule<AiSdkRequest> = {
  id: "VA4",
  check: (request) =>
    eachMessage(request, (message, next) =>
      next !== undefined && losesOptions(message, next)
        ? "options of a tool message that another one follows"
        : null,
    ),
}

/**
 * VA5: nothing is blank. The SDK leaves empty texts out, and some messages then reach the provider without content;
 * results of nothing it sends, and Anthropic refuses some of them.
 */
const filled: Rule<AiSdkRequest> = {
  id: "VA5",
  check: (request) => [
    ...(isBlankSystem(request.system) ? [{ path: "system", detail: "a blank system prompt" }] : []),
    ...eachMessage(request, (message) => {
      if (isSilent(message)) return "a message that says nothing"
      if (withoutSilentResults(message) !== message) return "a result that says nothing"
      const isBlankPart = partsOf(message).some((part) => isBlankText(part, message.role))
      return message.role !== "system" && isBlankPart ? "a blank text" : null
    }),
  ],
}

/** VA8: each call has an object and each result a value, also after JSON, and the data of a file can be sent. */
const valued: Rule<AiSdkRequest> = {
  id: "VA8",
  check: (request) =>
    eachMessage(request, (message) => {
      if (withValues(message) !== message) return "an input that is no object, or an output without a value"
      return withSendableFiles(message) === message ? null : "a file without data that can be sent"
    }),
}

/** The rules, in their order. */
export const RULES: ReadonlyArray<Rule<AiSdkRequest>> = [
  answered,
  paired,
  whole,
  single,
  filled,
  approvals,
  valued,
]
