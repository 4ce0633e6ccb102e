/**
 * Reasoning that a server wants back with the calls that it led to: OC8 of DeepSeek and its like.
 *
 * DeepSeek thinks unless it is told not to, and refuses a turn that holds calls and not the reasoning of each of its
 * responses (documentation of DeepSeek, "Thinking Mode"; NousResearch/hermes-agent#15353).
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Repaired } from "../format/Format.ts"
import type { Rule } from "../format/Rule.ts"
import { isCalling } from "./Says.ts"
import {
  isText,
  type OpenAiAssistantMessage,
  type OpenAiChatRequest,
  type OpenAiMessage,
  partsOf,
} from "./Wire.ts"
import { isMediaTitle } from "./Write.ts"

/** The model of DeepSeek that thinks only when it is told to. */
const QUIET = "deepseek-chat"

const isThinking = ({ thinking, model }: OpenAiChatRequest): boolean => {
  const mode = isFields(thinking) ? thinking.type : undefined
  return mode === "enabled" || (mode !== "disabled" && model !== QUIET)
}

/** Whether a message begins a turn: what a user said, and no media that a result is sent with. */
const opensTurn = (message: OpenAiMessage): boolean => {
  if (message.role !== "user") return false
  const [first] = partsOf(message.content)
  return first === undefined || !isText(first) || !isMediaTitle(first.text)
}

const isThought = ({ reasoning_content: text }: OpenAiAssistantMessage): boolean =>
  typeof text === "string" && text !== ""

/** Places of responses without reasoning in turns that hold calls. */
const missingIn = (request: OpenAiChatRequest): ReadonlyArray<number> => {
  if (!isThinking(request)) return []
  const missing: Array<number> = []
  let turn: Array<number> = []
  let isCalled = false
  const close = () => {
    if (isCalled) missing.push(...turn)
    turn = []
    isCalled = false
  }
  for (const [i, message] of request.messages.entries()) {
    if (opensTurn(message)) close()
    if (message.role !== "assistant") continue
    isCalled ||= isCalling(message)
    if (!isThought(message)) turn.push(i)
  }
  close()
  return missing
}

/** OC8: each response of a turn that holds calls has its reasoning. */
export const thought: Rule<OpenAiChatRequest> = {
  id: "OC8",
  check: (request) =>
    missingIn(request).map((i) => ({ path: `messages[${i}]`, detail: "no reasoning in a turn with calls" })),
}

/**
 * What stands for reasoning that there is none of: an empty text is refused by the newest models, a blank is not
 * (NousResearch/hermes-agent#18263).
 */
const UNKNOWN = " "

/** A request whose turns with calls have reasoning in each response: its own under another name, or a blank. */
export const withReasoning = (request: OpenAiChatRequest): Repaired<OpenAiChatRequest> => {
  const missing = new Set(missingIn(request))
  if (missing.size === 0) return { request, repairs: [] }
  const messages = request.messages.map((message, i) => {
    const { reasoning } = message
    const text = typeof reasoning === "string" && reasoning !== "" ? reasoning : UNKNOWN
    return missing.has(i) ? { ...message, reasoning_content: text } : message
  })
  const repairs = [...missing].map((i) => ({
    rule: "OC8",
    path: `messages[${i}]`,
    detail: "added what stands for its reasoning",
  }))
  return { request: { ...request, messages }, repairs }
}
