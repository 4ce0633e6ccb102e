/**
 * Calls and their results: OC1, OC2 and the ids of calls.
 *
 * What these rules ask for is made by mending a conversation before its request is polished.
 *
 * @since 0.1.0
 */
import { isLegalId } from "../format/Ids.ts"
import type { Rule } from "../format/Rule.ts"
import type { Dialect } from "./Dialect.ts"
import { callsOf, type OpenAiChatRequest, type OpenAiMessage } from "./Wire.ts"

/** What a rule says of one message: a detail for each fault. */
type Check = (
  message: OpenAiMessage,
  index: number,
  all: ReadonlyArray<OpenAiMessage>,
) => ReadonlyArray<string>

/** Makes a rule of what is said of single messages. */
export const eachMessage = (id: string, check: Check): Rule<OpenAiChatRequest> => ({
  id,
  check: ({ messages }) =>
    messages.flatMap((message, i) =>
      check(message, i, messages).map((detail) => ({ path: `messages[${i}]`, detail })),
    ),
})

const idsOf = (message: OpenAiMessage | undefined): ReadonlyArray<string> =>
  callsOf(message).map(({ id }) => id)

/** Ids of the results that stand right after a message. */
const resultsAfter = (all: ReadonlyArray<OpenAiMessage>, index: number): ReadonlyArray<string> => {
  const ids: Array<string> = []
  for (let at = index + 1; ; at += 1) {
    const message = all[at]
    if (message?.role !== "tool") return ids
    ids.push(message.tool_call_id)
  }
}

/** The message that the results around an index follow. */
const beforeResults = (all: ReadonlyArray<OpenAiMessage>, index: number): OpenAiMessage | undefined => {
  let at = index
  while (all[at]?.role === "tool") at -= 1
  return all[at]
}

const repeated = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  return ids.filter((id) => {
    const isSeen = seen.has(id)
    seen.add(id)
    return isSeen
  })
}

/** OC1: each call has one result, right after it. */
export const answered = eachMessage("OC1", (message, index, all) => {
  const ids = idsOf(message)
  if (ids.length === 0) return []
  const results = resultsAfter(all, index)
  const given = new Set(results)
  return [
    ...ids.filter((id) => !given.has(id)).map((id) => `no result right after the call ${id}`),
    ...repeated(results).map((id) => `a second result for the call ${id}`),
  ]
})

/** OC2: each result has its call in the response before it. */
export const asked = eachMessage("OC2", (message, index, all) => {
  if (message.role !== "tool") return []
  const { tool_call_id: id } = message
  return idsOf(beforeResults(all, index)).includes(id)
    ? []
    : [`no call ${id} in the response before this result`]
})

/** OC11: the ids of a response are of the server's alphabet and length, and none stands twice. */
export const ids = ({ ids: rule, idRule }: Dialect): ReadonlyArray<Rule<OpenAiChatRequest>> => [
  eachMessage("OC11", (message) =>
    repeated(idsOf(message)).map((id) => `two calls with the id ${id} in one response`),
  ),
  eachMessage(idRule, (message) =>
    idsOf(message)
      .filter((id) => !isLegalId(id, rule))
      .map((id) => `the id ${JSON.stringify(id.slice(0, 60))} of a call`),
  ),
]
