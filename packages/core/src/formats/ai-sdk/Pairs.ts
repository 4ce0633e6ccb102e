/**
 * Calls and their results: VA1, which the AI SDK checks, and VA2, which it leaves to the providers.
 *
 * @since 0.1.0
 */
import type { Rule, Violation } from "../format/Rule.ts"
import { decidedIn } from "./Approvals.ts"
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
        wanted(part) ? [{ id: stringIn(part, "toolCallId"), path: `messages[${at}].content[${i}]` }] : [],
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

/** VA2: each result follows its call, once, and no two calls have one id. */
export const paired: Rule<AiSdkRequest> = {
  id: "VA2",
  check: ({ messages }) => {
    const used = new Set<string>()
    return stepsOf(messages).flatMap(({ calls, results }): ReadonlyArray<Fault> => {
      const twice = calls.filter(({ id }) => used.has(id) || !used.add(id))
      const waiting = new Set(calls.map(({ id }) => id))
      const strays = results.filter(({ id }) => !waiting.delete(id))
      return [
        ...twice.map(({ path }) => ({ path, detail: "the id of another call" })),
        ...strays.map(({ path }) => ({ path, detail: "a result that follows no call that waits for it" })),
      ]
    })
  },
}
