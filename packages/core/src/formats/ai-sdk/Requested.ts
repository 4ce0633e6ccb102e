/**
 * The calls of a response for which a person is asked.
 *
 * @since 0.1.0
 */
import type { AssistantMessage } from "../../thread/Message.ts"
import { stringIn } from "./Wire.ts"
import { ownOf } from "./WritePart.ts"

/**
 * The call of each request in a response, by the index of the request's part. The ids of calls may have changed since
 * they were asked about: then the requests belong to the calls that wait, in their order.
 */
export const requestedCalls = ({ parts }: AssistantMessage): ReadonlyMap<number, string> => {
  const requests = parts.flatMap((part, index) => {
    const own = part.type === "opaque" ? ownOf(part) : null
    return own?.type === "tool-approval-request" ? [{ index, call: stringIn(own, "toolCallId") }] : []
  })
  const calls = parts.flatMap((part) => {
    const own = part.type === "opaque" ? ownOf(part) : null
    if (part.type === "tool-call") return [part.id]
    return own?.type === "tool-call" ? [stringIn(own, "toolCallId")] : []
  })
  const named = new Set(requests.map(({ call }) => call))
  const waiting = parts.flatMap((part) =>
    part.type === "tool-call" && part.pending === true && !named.has(part.id) ? [part.id] : [],
  )
  return new Map(
    requests.map(
      ({ index, call }) => [index, calls.includes(call) ? call : (waiting.shift() ?? call)] as const,
    ),
  )
}
