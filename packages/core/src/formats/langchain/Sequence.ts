/**
 * Rules of a whole list: who speaks first, which result answers which call, which ids stand twice.
 *
 * @since 0.1.0
 */
import type { Message } from "../../thread/Message.ts"
import { type IdRule, isLegalId } from "../format/Ids.ts"
import type { Rule, Violation } from "../format/Rule.ts"
import { repeatedIds } from "./Ids.ts"
import { readMessage } from "./Read.ts"
import { type LangChainRequest, viewOf } from "./Wire.ts"

type Fault = Omit<Violation, "rule">

/** Ids of calls that every provider takes, since the list does not say for which one it is. */
export const idRule: IdRule = { alphabet: "dashes", min: 1, max: 64, unique: "request" }

const at = (i: number): string => `messages[${i}]`

const kindsIn = ({ messages }: LangChainRequest) => messages.map((message) => viewOf(message)?.kind)

const order: Rule<LangChainRequest> = {
  id: "LC7",
  check: (request) => {
    const kinds = kindsIn(request)
    const start = kinds[0] === "system" ? 1 : 0
    const late = kinds.flatMap((kind, i) =>
      kind === "system" && i > 0 ? [{ path: at(i), detail: "a system message after the first message" }] : [],
    )
    const opens = kinds[start] === "human"
    return [...(opens ? [] : [{ path: at(start), detail: "the first message is not the user's" }]), ...late]
  },
}

const callsOf = (message: Message): ReadonlyArray<string> =>
  message.role === "assistant"
    ? message.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : []))
    : []

const resultsOf = (message: Message): ReadonlyArray<string> =>
  message.role === "tool" ? message.parts.map(({ call }) => call) : []

const unanswered = (waiting: ReadonlySet<string>, i: number): ReadonlyArray<Fault> =>
  [...waiting].map((id) => ({ path: at(i), detail: `no result right after the call ${id}` }))

const idFaults = (id: string, seen: Set<string>, i: number): ReadonlyArray<Fault> => {
  const isRepeated = seen.has(id)
  seen.add(id)
  if (isRepeated) return [{ path: at(i), detail: `a second call with the id ${id}` }]
  return isLegalId(id, idRule)
    ? []
    : [{ path: at(i), detail: `the id ${id}, which not every provider takes` }]
}

/** Each call answered once and at once, under an id of its own. */
const pairs: Rule<LangChainRequest> = {
  id: "LC7",
  check: ({ messages }) => {
    const faults: Array<Fault> = []
    const seen = new Set<string>()
    let waiting = new Set<string>()
    let asked = 0
    messages.forEach((message, i) => {
      const read = readMessage(message)
      for (const id of read.flatMap(resultsOf))
        if (!waiting.delete(id)) faults.push({ path: at(i), detail: `no call ${id} waits for this result` })
      if (read.every(({ role }) => role === "tool")) return
      const calls = read.flatMap(callsOf)
      faults.push(...unanswered(waiting, asked), ...calls.flatMap((id) => idFaults(id, seen, i)))
      waiting = new Set(calls)
      asked = i
    })
    return [...faults, ...unanswered(waiting, asked)]
  },
}

const messageIds: Rule<LangChainRequest> = {
  id: "LC3",
  check: ({ messages }) =>
    repeatedIds(messages).map((i) => ({ path: at(i), detail: "the id of an earlier message" })),
}

/** The rules of a list, in their order. */
export const SEQUENCE: ReadonlyArray<Rule<LangChainRequest>> = [order, pairs, messageIds]
