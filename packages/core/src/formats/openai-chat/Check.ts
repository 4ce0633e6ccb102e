/**
 * The rules of Chat Completions, checked on a request before it is sent.
 *
 * @since 0.1.0
 */
import { wellFormed } from "../../text/Unicode.ts"
import type { OpenAiMessage } from "./Wire.ts"

/**
 * A rule that a message breaks.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiFault {
  /** Id of the rule; see `validateOpenAiChat`. */
  readonly rule: string
  /** Index of the message in the request. */
  readonly index: number
  readonly detail: string
}

/** What a rule says of one message: a detail for each fault. */
type Check = (
  message: OpenAiMessage,
  index: number,
  all: ReadonlyArray<OpenAiMessage>,
) => ReadonlyArray<string>

const callIds = (message: OpenAiMessage | undefined): ReadonlyArray<string> =>
  message?.role === "assistant" ? (message.tool_calls ?? []).map((call) => call.id) : []

/** Ids of the results that stand right after a message. */
const resultsAfter = (all: ReadonlyArray<OpenAiMessage>, index: number): ReadonlyArray<string> => {
  const ids: Array<string> = []
  for (let at = index + 1; ; at += 1) {
    const message = all[at]
    if (message?.role !== "tool") return ids
    ids.push(message.tool_call_id)
  }
}

/** The message that the results around `index` follow. */
const beforeResults = (all: ReadonlyArray<OpenAiMessage>, index: number): OpenAiMessage | undefined => {
  let at = index
  while (all[at]?.role === "tool") at -= 1
  return all[at]
}

const repeated = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.filter((id, i) => ids.indexOf(id) !== i)

const answered: Check = (message, index, all) => {
  const ids = callIds(message)
  if (ids.length === 0) return []
  const results = resultsAfter(all, index)
  return [
    ...ids.filter((id) => !results.includes(id)).map((id) => `no result right after the call ${id}`),
    ...repeated(results).map((id) => `a second result for the call ${id}`),
  ]
}

const asked: Check = (message, index, all) => {
  if (message.role !== "tool") return []
  return callIds(beforeResults(all, index)).includes(message.tool_call_id)
    ? []
    : [`no call ${message.tool_call_id} in the response before this result`]
}

const says: Check = (message) =>
  message.role === "assistant" && (message.content ?? "") === "" && message.tool_calls === undefined
    ? ["a response with neither content nor calls"]
    : []

const argumentsAreText: Check = (message) =>
  message.role === "assistant"
    ? (message.tool_calls ?? []).flatMap((call) =>
        typeof call.function.arguments === "string" ? [] : [`arguments of the call ${call.id} are no string`],
      )
    : []

const callsNotEmpty: Check = (message) =>
  message.role === "assistant" && message.tool_calls?.length === 0 ? ["an empty list of calls"] : []

const resultIsText: Check = (message) =>
  message.role === "tool" && typeof message.content !== "string" ? ["a result that is no text"] : []

const systemFirst: Check = (message, index) =>
  message.role === "system" && index > 0 ? ["a system message after the first message"] : []

const strings = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(strings)
      : []

const isWellFormed: Check = (message) =>
  strings(message).some((text) => wellFormed(text) !== text) ? ["a lone surrogate"] : []

const hasContent: Check = (message) => {
  if (message.role === "assistant" || typeof message.content === "string") {
    return message.role !== "assistant" && message.content === "" ? ["empty content"] : []
  }
  const content: unknown = message.content
  if (!Array.isArray(content) || content.length === 0) return ["empty content"]
  return content.some((part) => part.type === "text" && part.text === "") ? ["an empty text part"] : []
}

const uniqueCalls: Check = (message) =>
  repeated(callIds(message)).map((id) => `two calls with the id ${id} in one response`)

const namesAllowed: Check = (message) => {
  const name = message.role === "user" || message.role === "assistant" ? message.name : undefined
  return name === undefined || /^[A-Za-z0-9_-]{1,64}$/.test(name) ? [] : [`the name ${JSON.stringify(name)}`]
}

const RULES: ReadonlyArray<readonly [rule: string, check: Check]> = [
  ["OC1", answered],
  ["OC2", asked],
  ["OC3", says],
  ["OC4", argumentsAreText],
  ["OC5", callsNotEmpty],
  ["OC6", resultIsText],
  ["OC7", namesAllowed],
  ["OC9", systemFirst],
  ["OC10", isWellFormed],
  ["content", hasContent],
  ["ids", uniqueCalls],
]

/**
 * Lists the rules of Chat Completions that a request breaks; a valid one gives an empty list.
 *
 * **Details**
 *
 * `OC1` each call is answered at once and once; `OC2` each result follows its call; `OC3` a response says something;
 * `OC4` arguments are a string; `OC5` no empty list of calls; `OC6` results are text; `OC7` the alphabet of names;
 * `OC9` one system message, first; `OC10` well-formed strings; `content` nothing is empty; `ids` call ids are unique
 * in a response.
 *
 * **Example** (A result without its call)
 *
 * ```ts
 * import { toolResult } from "@palimpsest/core"
 * import { toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
 *
 * validateOpenAiChat(toOpenAiChat([toolResult("c1", "late")])).map((fault) => fault.rule) // => ["OC2"]
 * ```
 *
 * @category checks
 * @since 0.1.0
 */
export const validateOpenAiChat = (messages: ReadonlyArray<OpenAiMessage>): ReadonlyArray<OpenAiFault> =>
  messages.flatMap((message, index) =>
    RULES.flatMap(([rule, check]) =>
      check(message, index, messages).map((detail) => ({ rule, index, detail })),
    ),
  )
