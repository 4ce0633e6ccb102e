/**
 * Calls that the provider runs, which stand in the response with their results: VA2.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Violation } from "../format/Rule.ts"
import { type AiSdkMessage, type AiSdkPart, type AiSdkRequest, isClientCall, partsOf } from "./Wire.ts"

/** What is wrong with a part, given the calls of the host and those of the provider so far. */
const faultOf = (part: AiSdkPart, own: ReadonlySet<unknown>, served: Set<unknown>): string | null => {
  const id = part.toolCallId
  if (part.type === "tool-result")
    return served.has(id) ? null : "a result of the provider without a call before it"
  if (part.type !== "tool-call" || isClientCall(part)) return null
  if (own.has(id) || served.has(id)) return "the id of another call"
  served.add(id)
  return null
}

/** The parts of responses that belong to no call of the provider, or to one with the id of another call. */
const faultsIn = (messages: ReadonlyArray<AiSdkMessage>): ReadonlyMap<AiSdkPart, string> => {
  const responses = messages.filter(({ role }) => role === "assistant").flatMap(partsOf)
  const own = new Set(responses.filter(isClientCall).map(({ toolCallId }) => toolCallId))
  const served = new Set<unknown>()
  return new Map(
    responses.flatMap((part) => {
      const fault = faultOf(part, own, served)
      return fault === null ? [] : [[part, fault] as const]
    }),
  )
}

/** What is wrong with the calls that the provider ran, and with their results. */
export const servedFaults = ({ messages }: AiSdkRequest): ReadonlyArray<Omit<Violation, "rule">> => {
  const faults = faultsIn(messages)
  return messages.flatMap((message, at) =>
    partsOf(message).flatMap((part, i) => {
      const detail = faults.get(part)
      return detail === undefined ? [] : [{ path: `messages[${at}].content[${i}]`, detail }]
    }),
  )
}

/** A request without the parts that belong to no call of the provider. */
export const withoutStrays = (request: AiSdkRequest): Repaired<AiSdkRequest> => {
  const faults = faultsIn(request.messages)
  if (faults.size === 0) return { request, repairs: [] }
  const repairs = servedFaults(request).map(({ path, detail }) => ({
    rule: "VA2",
    path,
    detail: `left out: ${detail}`,
  }))
  const messages = request.messages.map((message) => {
    const sound = partsOf(message).filter((part) => !faults.has(part))
    return sound.length === partsOf(message).length ? message : { ...message, content: sound }
  })
  return { request: { ...request, messages }, repairs }
}
