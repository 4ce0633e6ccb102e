/**
 * The order of messages that some servers ask for: OT1 (Mistral), OT2 (strict templates) and OT5 (Bedrock).
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule, WireRepair } from "../format/Rule.ts"
import type { Dialect } from "./Dialect.ts"
import { joinContents } from "./Instructions.ts"
import { isCalling } from "./Says.ts"
import type { OpenAiAssistantMessage, OpenAiChatRequest, OpenAiMessage } from "./Wire.ts"

type Messages = ReadonlyArray<OpenAiMessage>

/** What an order refuses at a place: the message there after the one before it. */
interface Fault {
  readonly kind: "opening" | "answer" | "merge" | "nothing" | "prefix" | "unfinished"
  readonly index: number
  readonly detail: string
}

const kindAt = (
  message: OpenAiMessage,
  before: OpenAiMessage | undefined,
  isLast: boolean,
  { name }: Dialect,
): Omit<Fault, "index"> | null => {
  const isFirst = before === undefined || before.role === "system"
  const isUser = message.role === "user"
  const isReply = message.role === "assistant"
  if ((name === "strict" || name === "bedrock") && isFirst && !isUser && message.role !== "system")
    return { kind: "opening", detail: "the first message is not the user's" }
  if (name !== "mistral" && name !== "strict") return null
  if (isUser && before?.role === "tool")
    return { kind: "answer", detail: "a user message right after a result" }
  if (name === "mistral") {
    if (!isReply) return null
    if (isLast && message.prefix !== true)
      return { kind: "unfinished", detail: "a last response that is not to be gone on with" }
    return !isLast && message.prefix === true
      ? { kind: "prefix", detail: "a response to go on with that is not the last message" }
      : null
  }
  if (isUser && before?.role === "user") return { kind: "merge", detail: "two user messages side by side" }
  if (isReply && before?.role === "assistant" && !isCalling(before))
    return { kind: "merge", detail: "two responses side by side" }
  return isReply && typeof message.content !== "string" && !Array.isArray(message.content)
    ? { kind: "nothing", detail: "a content of null" }
    : null
}

const faultsIn = (messages: Messages, dialect: Dialect): ReadonlyArray<Fault> =>
  messages.flatMap((message, index) => {
    const found = kindAt(message, messages[index - 1], index === messages.length - 1, dialect)
    return found === null ? [] : [{ ...found, index }]
  })

const RULES = { mistral: "OT1", strict: "OT2", bedrock: "OT5" } as const

const ruleOf = ({ name }: Dialect): string => (name in RULES ? RULES[name as keyof typeof RULES] : "OT2")

/** The rule of the order of messages. */
export const ordered = (dialect: Dialect): Rule<OpenAiChatRequest> => ({
  id: ruleOf(dialect),
  check: ({ messages }) =>
    faultsIn(messages, dialect).map(({ index, detail }) => ({ path: `messages[${index}]`, detail })),
})

const OPENING: OpenAiMessage = { role: "user", content: "(earlier messages are not shown)" }
const ANSWER: OpenAiMessage = { role: "assistant", content: "(noted)" }

const joined = (first: OpenAiMessage, second: OpenAiMessage): OpenAiMessage => ({
  ...second,
  content: joinContents(first.content ?? "", second.content ?? ""),
})

const unprefixed = ({ prefix: _, ...others }: OpenAiAssistantMessage): OpenAiMessage => others

const DONE = {
  opening: "added a user message",
  answer: "added a response between",
  merge: "merged with the message before it",
  nothing: "made it an empty text",
  prefix: "no longer to be gone on with",
  unfinished: "to be gone on with",
} as const

/** The message in the form that a fault asks for; messages that have to stand before it are put there. */
const mend = (message: OpenAiMessage, placed: Array<OpenAiMessage>, kind: Fault["kind"]): OpenAiMessage => {
  switch (kind) {
    case "opening":
      placed.push(OPENING)
      return message
    case "answer":
      placed.push(ANSWER)
      return message
    case "merge": {
      const before = placed.pop()
      return before === undefined ? message : joined(before, message)
    }
    case "nothing":
      return { ...message, content: "" }
    case "prefix":
      return message.role === "assistant" ? unprefixed(message) : message
    case "unfinished":
      return { ...message, prefix: true }
  }
}

/** Puts messages in the order of a dialect. */
export const inOrder =
  (dialect: Dialect) =>
  (request: OpenAiChatRequest): Repaired<OpenAiChatRequest> => {
    const repairs: Array<WireRepair> = []
    const placed: Array<OpenAiMessage> = []
    const { messages } = request
    for (const [i, given] of messages.entries()) {
      let message = given
      const isLast = i === messages.length - 1
      for (
        let fault = kindAt(message, placed.at(-1), isLast, dialect);
        fault !== null;
        fault = kindAt(message, placed.at(-1), isLast, dialect)
      ) {
        message = mend(message, placed, fault.kind)
        repairs.push({ rule: ruleOf(dialect), path: `messages[${i}]`, detail: DONE[fault.kind] })
      }
      placed.push(message)
    }
    return { request: repairs.length === 0 ? request : { ...request, messages: placed }, repairs }
  }
