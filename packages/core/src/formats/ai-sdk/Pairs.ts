/**
 * Calls and their results: VA1, which the AI SDK checks, and VA2, which it leaves to the providers.
 *
 * @since 0.1.0
 */
import { type IdRule, isLegalId } from "../format/Ids.ts"
import type { Rule, Violation } from "../format/Rule.ts"
import { decidedIn } from "./Approvals.ts"
import { callsAfterResponse } from "./Neighbours.ts"
import { servedFaults } from "./Served.ts"
import {
  type AiSdkMessage,
  type AiSdkPart,
  type AiSdkRequest,
  isClientAnswer,
  isClientCall,
  partsOf,
  stringIn,
} from "./Wire.ts"

type Fault = Omit<Violation, "rule">

/** A part, and where it stands. */
interface Placed {
  readonly id: string
  readonly name: string
  readonly path: string
}

const placed = (
  message: AiSdkMessage | undefined,
  at: number,
  wanted: (part: AiSdkPart) => boolean,
): ReadonlyArray<Placed> =>
  message === undefined
    ? []
    : partsOf(message).flatMap((part, i) =>
        wanted(part)
          ? [
              {
                id: stringIn(part, "toolCallId"),
                name: stringIn(part, "toolName"),
                path: `messages[${at}].content[${i}]`,
              },
            ]
          : [],
      )

const isClientResult = (part: AiSdkPart): boolean => part.type === "tool-result" && isClientAnswer(part)

/** A response with the results in the tool messages right after it; results without a response stand alone. */
interface Step {
  readonly calls: ReadonlyArray<Placed>
  readonly results: ReadonlyArray<Placed>
  readonly isLast: boolean
}

const stepsOf = (messages: ReadonlyArray<AiSdkMessage>): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  for (let at = 0; at < messages.length; ) {
    const first = messages[at]
    let end = first?.role === "tool" ? at : at + 1
    while (messages[end]?.role === "tool") end += 1
    const results = messages.slice(at, end).flatMap((message, i) => {
      return message.role === "tool" ? placed(message, at + i, isClientResult) : []
    })
    const calls = first?.role === "assistant" ? placed(first, at, isClientCall) : []
    steps.push({ calls, results, isLast: end === messages.length })
    at = end
  }
  return steps
}

/** VA1: each call of the host's own tools is answered, but for those that a person has just decided about. */
export const answered: Rule<AiSdkRequest> = {
  id: "VA1",
  check: ({ messages }) => {
    const decided = decidedIn(messages)
    return stepsOf(messages).flatMap(({ calls, results, isLast }) => {
      const answers = new Set(results.map(({ id }) => id))
      return calls
        .filter(({ id }) => !answers.has(id) && !(isLast && decided.has(id)))
        .map(({ path }) => ({ path, detail: "a call without a result right after it" }))
    })
  },
}

/** The ids that the providers behind the SDK take: it passes them on as they are. */
export const CALL_IDS: IdRule = { alphabet: "dashes", min: 1, max: 64, unique: "request" }

/** What is wrong with the calls and the results of a step; `used` are the ids of the steps before it. */
const stepFaults = ({ calls, results }: Step, used: Set<string>): ReadonlyArray<Fault> => {
  const waiting = new Map(calls.map(({ id, name }) => [id, name] as const))
  const idFault = ({ id, path }: Placed): ReadonlyArray<Fault> => {
    if (!isLegalId(id, CALL_IDS)) return [{ path, detail: "an id that not every provider takes" }]
    if (used.has(id)) return [{ path, detail: "the id of another call" }]
    used.add(id)
    return []
  }
  const resultFault = ({ id, name, path }: Placed): ReadonlyArray<Fault> => {
    const called = waiting.get(id)
    if (!waiting.delete(id)) return [{ path, detail: "a result that follows no call that waits for it" }]
    return called === name ? [] : [{ path, detail: "a result under the name of another tool" }]
  }
  return [...calls.flatMap(idFault), ...results.flatMap(resultFault)]
}

/**
 * VA2: each result follows its call, once, under its name; no two calls have one id; a call stands right after another
 * response in no place, and results of the provider without its call in none.
 */
export const paired: Rule<AiSdkRequest> = {
  id: "VA2",
  check: (request) => {
    const used = new Set<string>()
    const besides = request.messages.flatMap((message, i): ReadonlyArray<Fault> => {
      const before = request.messages[i - 1]
      return before !== undefined && callsAfterResponse(before, message)
        ? [{ path: `messages[${i}]`, detail: "a call right after another response" }]
        : []
    })
    return [
      ...stepsOf(request.messages).flatMap((step) => stepFaults(step, used)),
      ...besides,
      ...servedFaults(request),
    ]
  },
}
