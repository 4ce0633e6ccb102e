/**
 * What holds for a prompt of `effect/ai`, whichever provider it is sent to: the module itself checks none of it.
 *
 * @since 0.1.0
 */
import type { Rule, Violation } from "../format/Rule.ts"
import { hasFoldedSteps, stepsOf } from "./Steps.ts"
import {
  type EffectMessage,
  type EffectPart,
  type EffectPrompt,
  isClientCall,
  partsOf,
  requestsIn,
  stringIn,
} from "./Wire.ts"

type Fault = Omit<Violation, "rule">

const eachMessage = (id: string, check: (message: EffectMessage) => string | null): Rule<EffectPrompt> => ({
  id,
  check: ({ content }) =>
    content.flatMap((message, i): ReadonlyArray<Fault> => {
      const detail = check(message)
      return detail === null ? [] : [{ path: `content[${i}]`, detail }]
    }),
})

const folded = eachMessage("EF3", (message) =>
  hasFoldedSteps(message) ? "results of the host's calls stand in the message of the response" : null,
)

/** Whether a result has no value: what was undefined is lost when JSON is written. */
export const isWithoutResult = (part: EffectPart): boolean =>
  part.type === "tool-result" && !("result" in part)

const encoded = eachMessage("EF4", (message) =>
  partsOf(message).some(isWithoutResult) ? "a tool result has no result" : null,
)

/** Whether a message says nothing. */
export const isEmptyMessage = ({ role, content }: EffectMessage): boolean =>
  role !== "system" && content.length === 0

const nonEmpty = eachMessage("EF5", (message) => (isEmptyMessage(message) ? "the message is empty" : null))

/** The calls that still wait for a result, and those for which a person's decision stands in its place. */
interface Waiting {
  readonly calls: Set<string>
  readonly decided: Set<string>
}

const answersIn = (
  message: EffectMessage,
  { calls, decided }: Waiting,
  requests: ReadonlyMap<string, string>,
): ReadonlyArray<string> =>
  partsOf(message).flatMap((part) => {
    const request = requests.get(stringIn(part, "approvalId"))
    if (part.type === "tool-approval-response" && request !== undefined) decided.add(request)
    if (part.type !== "tool-result" || calls.delete(stringIn(part, "id"))) return []
    return ["a result does not follow its call"]
  })

const unanswered = ({ calls, decided }: Waiting): ReadonlyArray<string> =>
  [...calls].some((id) => !decided.has(id)) ? ["a call before it has no result"] : []

const pairFaults = (messages: ReadonlyArray<EffectMessage>): ReadonlyArray<Fault> => {
  const requests = requestsIn(messages)
  const used = new Set<string>()
  let waiting: Waiting = { calls: new Set(), decided: new Set() }
  const faults = messages.flatMap((each, i) => {
    const details = stepsOf(each).flatMap((message) => {
      if (message.role === "tool") return answersIn(message, waiting, requests)
      const ids = partsOf(message)
        .filter(isClientCall)
        .map((part) => stringIn(part, "id"))
      const open = unanswered(waiting)
      const isTwice = new Set(ids).size < ids.length || ids.some((id) => used.has(id))
      for (const id of ids) used.add(id)
      waiting = { calls: new Set(ids), decided: new Set() }
      return isTwice ? [...open, "an id of a call stands twice"] : open
    })
    return details.map((detail) => ({ path: `content[${i}]`, detail }))
  })
  const atEnd = unanswered(waiting).map(() => ({ path: "content", detail: "the last calls have no result" }))
  return [...faults, ...atEnd]
}

const pairs: Rule<EffectPrompt> = { id: "EF5", check: ({ content }) => pairFaults(content) }

/** The rules, in their order. */
export const RULES: ReadonlyArray<Rule<EffectPrompt>> = [folded, encoded, nonEmpty, pairs]
