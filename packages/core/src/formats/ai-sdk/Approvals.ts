/**
 * Approvals: a request names a call of its response, an answer names a request before it. VA6.
 *
 * @since 0.1.0
 */
import { CLOSING } from "../../thread/Group.ts"
import type { Repaired } from "../format/Format.ts"
import type { Rule } from "../format/Rule.ts"
import {
  type AiSdkMessage,
  type AiSdkPart,
  type AiSdkRequest,
  approvalIn,
  fieldsIn,
  isClientAnswer,
  isClientCall,
  partsOf,
  requestsIn,
  stringIn,
} from "./Wire.ts"

/** The calls that a person decided about in the last message: the SDK runs or denies them before it asks the model. */
export const decidedIn = (messages: ReadonlyArray<AiSdkMessage>): ReadonlySet<string> => {
  const last = messages.at(-1)
  const requests = requestsIn(messages)
  const answers = last?.role === "tool" ? partsOf(last) : []
  return new Set(
    answers.flatMap((part) => {
      const call =
        part.type === "tool-approval-response" ? requests.get(stringIn(part, "approvalId")) : undefined
      return call === undefined ? [] : [call]
    }),
  )
}

/** A question that was asked: about which call, and whether the provider runs it. */
interface Asked {
  readonly call: string
  readonly isServed: boolean
}

type AskedById = ReadonlyMap<string, Asked>

/** What is wrong with a part about an approval; null for a sound one and for other parts. */
const faultOf = (part: AiSdkPart, message: AiSdkMessage, asked: AskedById): string | null => {
  if (part.type === "tool-approval-response")
    return asked.has(stringIn(part, "approvalId")) ? null : "an answer without a request before it"
  if (part.type === "tool-result" && message.role === "tool" && !isClientAnswer(part)) {
    const about = asked.get(approvalIn(part))
    const isSound = about?.isServed === true && about.call === part.toolCallId
    return isSound ? null : "a denial without a request before it"
  }
  if (part.type !== "tool-approval-request") return null
  return callIn(message, part.toolCallId) === undefined ? "a request without its call" : null
}

const callIn = (message: AiSdkMessage, id: unknown): AiSdkPart | undefined =>
  partsOf(message).find(({ type, toolCallId }) => type === "tool-call" && toolCallId === id)

/** Requests with their call: answers look back. */
const askedIn = (message: AiSdkMessage): AskedById =>
  new Map(
    [...requestsIn([message])].flatMap(([id, call]) => {
      const part = callIn(message, call)
      return part === undefined ? [] : [[id, { call, isServed: !isClientCall(part) }] as const]
    }),
  )

const eachPart = <A>(
  messages: ReadonlyArray<AiSdkMessage>,
  visit: (message: AiSdkMessage, at: number, asked: AskedById) => A,
): ReadonlyArray<A> => {
  const asked = new Map<string, Asked>()
  return messages.map((message, at) => {
    const seen = visit(message, at, asked)
    for (const [id, about] of askedIn(message)) asked.set(id, about)
    return seen
  })
}

/** VA6: a request stands beside its call, and an answer or a denial after its request. */
export const approvals: Rule<AiSdkRequest> = {
  id: "VA6",
  check: ({ messages }) =>
    eachPart(messages, (message, at, asked) =>
      partsOf(message).flatMap((part, i) => {
        const detail = faultOf(part, message, asked)
        return detail === null ? [] : [{ path: `messages[${at}].content[${i}]`, detail }]
      }),
    ).flat(),
}

/** A request without the parts about approvals that lead nowhere. */
export const withoutLostApprovals = (request: AiSdkRequest): Repaired<AiSdkRequest> => {
  const repairs = approvals
    .check(request)
    .map(({ path, detail }) => ({ rule: "VA6", path, detail: `left out: ${detail}` }))
  if (repairs.length === 0) return { request, repairs }
  const messages = eachPart(request.messages, (message, _, asked) => {
    const sound = partsOf(message).filter((part) => faultOf(part, message, asked) === null)
    return sound.length === partsOf(message).length ? message : { ...message, content: sound }
  })
  return { request: { ...request, messages }, repairs }
}

/** Whether a result is the one that closes a call which was never answered. */
const isClosing = (part: AiSdkPart): boolean => {
  const output = fieldsIn(part, "output")
  return part.type === "tool-result" && output.type === "error-text" && output.value === CLOSING
}

/**
 * A request in which a call that a person has just decided about is open, as the SDK wants it: the answer in the last
 * message is what makes it run the tool, and a result in its place would keep it from that.
 */
export const reopened = (request: AiSdkRequest): AiSdkRequest => {
  const { messages } = request
  const decided = decidedIn(messages)
  const last = messages.at(-1)
  if (last === undefined || decided.size === 0) return request
  const content = partsOf(last).filter(
    (part) => !(isClosing(part) && decided.has(stringIn(part, "toolCallId"))),
  )
  if (content.length === partsOf(last).length) return request
  return { ...request, messages: [...messages.slice(0, -1), { ...last, content }] }
}
