/**
 * The rules of UI messages that are to be sent to a model, by the AI SDK's conversion and its own check.
 *
 * @since 0.1.0
 */
import { CALL_IDS } from "../ai-sdk/Pairs.ts"
import { stringIn } from "../ai-sdk/Wire.ts"
import { isLegalId } from "../format/Ids.ts"
import type { Rule, Violation } from "../format/Rule.ts"
import { isBlankText, isRead, isSilent, withoutLoneReasoning } from "./Says.ts"
import { stateFault } from "./State.ts"
import { isSentFile, saidResult, withInput } from "./Values.ts"
import { isClientTool, isTool, stepsOf, type UiMessage, type UiPart, type UiRequest } from "./Wire.ts"

type Fault = Omit<Violation, "rule">

const eachMessage = (
  { messages }: UiRequest,
  check: (message: UiMessage, index: number) => string | null,
): ReadonlyArray<Fault> =>
  messages.flatMap((message, i) => {
    const detail = check(message, i)
    return detail === null ? [] : [{ path: `messages[${i}]`, detail }]
  })

const eachPart = (
  { messages }: UiRequest,
  check: (part: UiPart, message: UiMessage) => string | null,
): ReadonlyArray<Fault> =>
  messages.flatMap((message, i) =>
    message.parts.flatMap((part, j) => {
      const detail = check(part, message)
      return detail === null ? [] : [{ path: `messages[${i}].parts[${j}]`, detail }]
    }),
  )

/** The parts of the last step, when the assistant has the last word: what a person decided there is still to be done. */
const lastStep = (messages: ReadonlyArray<UiMessage>): ReadonlySet<UiPart> => {
  const last = messages.at(-1)
  return new Set(last?.role === "assistant" ? stepsOf(last).at(-1) : [])
}

/** Whether a call of the host has neither a result nor, in the last step, a person's decision. */
export const isUnanswered = (messages: ReadonlyArray<UiMessage>): ((part: UiPart) => boolean) => {
  const last = lastStep(messages)
  return (part) =>
    isClientTool(part) &&
    (part.state === "input-available" ||
      part.state === "approval-requested" ||
      (part.state === "approval-responded" && !last.has(part)))
}

/** VA1: each call of the host's own tools is answered. */
const answered: Rule<UiRequest> = {
  id: "VA1",
  check: (request) => {
    const isOpen = isUnanswered(request.messages)
    return eachPart(request, (part, { role }) =>
      role === "assistant" && isOpen(part) ? "a call without a result" : null,
    )
  },
}

/** VA2: no two calls have one id, and each has one that every provider takes. */
const single: Rule<UiRequest> = {
  id: "VA2",
  check: (request) => {
    const used = new Set<unknown>()
    return eachPart(request, (part) => {
      if (!isTool(part) || part.state === "input-streaming") return null
      const isTwice = used.has(part.toolCallId)
      used.add(part.toolCallId)
      if (isTwice) return "the id of another call"
      return isLegalId(stringIn(part, "toolCallId"), CALL_IDS) ? null : "an id that not every provider takes"
    })
  },
}

/** VA3: there are messages that reach a model, and the system prompt is the first or none. */
const whole: Rule<UiRequest> = {
  id: "VA3",
  check: (request) => [
    ...(request.messages.some(isRead) ? [] : [{ path: "messages", detail: "no message reaches a model" }]),
    ...eachMessage(request, ({ role }, i) =>
      role === "system" && i > 0 ? "a system message after the first message" : null,
    ),
  ],
}

/** VA5: nothing is blank, results included, and no step is of reasoning alone. */
const filled: Rule<UiRequest> = {
  id: "VA5",
  check: (request) => [
    ...eachMessage(request, (message) => {
      if (isSilent(message)) return "a message that says nothing"
      const isLone = stepsOf(message).some((step) => withoutLoneReasoning(step).length < step.length)
      return message.role === "assistant" && isLone ? "a step of reasoning alone" : null
    }),
    ...eachPart(request, (part, { role }) => {
      if (isBlankText(part, role)) return "a blank text"
      return saidResult(part) === part ? null : "a result that says nothing"
    }),
  ],
}

/** VA8: the data of a file can be sent, and the input of a call is an object. */
const sendable: Rule<UiRequest> = {
  id: "VA8",
  check: (request) =>
    eachPart(request, (part) => {
      if (!isSentFile(part)) return "a file without data that can be sent"
      return withInput(part) === part ? null : "an input that is no object"
    }),
}

/** VA9: a call has what its state demands, and the metadata of its result only with a result. */
const lawful: Rule<UiRequest> = {
  id: "VA9",
  check: (request) => eachPart(request, stateFault),
}

/** VA10: each message has an id of its own: a step is named by the id of its message and its number. */
const named: Rule<UiRequest> = {
  id: "VA10",
  check: (request) => {
    const used = new Set<string>()
    return eachMessage(request, ({ id }) => {
      if (id === undefined || id === "") return "a message without an id"
      const isTwice = used.has(id)
      used.add(id)
      return isTwice ? "the id of another message" : null
    })
  },
}

/** The rules, in their order. */
export const RULES: ReadonlyArray<Rule<UiRequest>> = [
  answered,
  single,
  whole,
  filled,
  sendable,
  lawful,
  named,
]
