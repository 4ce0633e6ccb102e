/**
 * Law 3, for servers that speak Chat Completions: what they are sent is of the form that each of them takes, told apart
 * from the rules that repair it.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { writeExact } from "../../formats/format/ExactJson.ts"
import { isFields } from "../../formats/format/Fields.ts"
import type { OpenAiMessage, OpenAiPart } from "../../formats/openai-chat/Wire.ts"
import { openAiChatFor } from "../../formats/openai-chat.ts"
import { wellFormed } from "../../text/Unicode.ts"
import { openAiChatMessages } from "../arbitraries/wire/OpenAiChat.ts"
import { type Law, property } from "../Law.ts"

type Messages = ReadonlyArray<OpenAiMessage>

const callsOf = (message: OpenAiMessage): ReadonlyArray<unknown> =>
  message.role === "assistant" && Array.isArray(message.tool_calls) ? message.tool_calls : []

const idsIn = (messages: Messages): ReadonlyArray<unknown> =>
  messages.flatMap((message) => callsOf(message).map((call) => (isFields(call) ? call.id : undefined)))

const hasIds =
  (pattern: RegExp) =>
  (messages: Messages): boolean =>
    idsIn(messages).every((id) => typeof id === "string" && pattern.test(id))

/** One message of instructions at most, and no other before it. */
const isTold = (messages: Messages): boolean =>
  messages.every(({ role }, i) => i === 0 || (role !== "system" && role !== "developer"))

/** Each message and the one before it. */
const everyPair =
  (isSound: (message: OpenAiMessage, before: OpenAiMessage) => boolean) =>
  (messages: Messages): boolean =>
    messages.slice(1).every((message, i) => {
      const before = messages[i]
      return before === undefined || isSound(message, before)
    })

/** A result is one text, without what a server's template cannot join. */
const isPlain = (messages: Messages): boolean =>
  messages.every(({ role, content }) => role !== "tool" || typeof content === "string")

/** What a user says comes after a response to the results. */
const isAnswered = everyPair((message, before) => message.role !== "user" || before.role !== "tool")

const takesTurns = everyPair(
  (message, before) =>
    message.role === "tool" ||
    message.role !== before.role ||
    (message.role === "assistant" && callsOf(before).length > 0),
)

const isToBeAnswered = (messages: Messages): boolean => {
  const last = messages.at(-1)
  return last?.role !== "assistant" || last.prefix === true
}

/** Each response from a user's message to the next one; media of results are in the user's role, and no turn of it. */
const turnsOf = (messages: Messages): ReadonlyArray<Messages> => {
  const turns: Array<Array<OpenAiMessage>> = [[]]
  for (const message of messages) {
    if (message.role === "user" && !isOfResult(message)) turns.push([])
    if (message.role === "assistant") turns.at(-1)?.push(message)
  }
  return turns
}

const TITLE = "[from the result of the call "

const isTitle = (part: OpenAiPart): boolean => typeof part.text === "string" && part.text.startsWith(TITLE)

const isOfResult = ({ content }: OpenAiMessage): boolean =>
  Array.isArray(content) && content.slice(0, 1).some(isTitle)

const isThought = (messages: Messages): boolean =>
  turnsOf(messages).every(
    (turn) =>
      turn.every((message) => callsOf(message).length === 0) ||
      turn.every(({ reasoning_content: text }) => typeof text === "string" && text !== ""),
  )

/** Media of results stand right after the results. */
const isNear = everyPair((message, before) => !isOfResult(message) || before.role === "tool")

const servers = {
  openai: [isTold, hasIds(/^[\s\S]{1,40}$/)],
  deepseek: [isTold, isPlain, isThought],
  mistral: [isTold, isPlain, isAnswered, isToBeAnswered, hasIds(/^[A-Za-z0-9]{9}$/)],
  strict: [isTold, isPlain, isAnswered, takesTurns],
  bedrock: [isTold, isPlain],
} as const

const names = ["openai", "deepseek", "mistral", "strict", "bedrock"] as const

const taken = property(
  "each server is sent what it takes",
  fc.property(openAiChatMessages, fc.constantFrom(...names), (list, name) => {
    const { messages } = openAiChatFor(name).repair(list).request
    return servers[name].every((isSound) => isSound(messages))
  }),
)

const spokenIn = (messages: Messages): string =>
  messages
    .flatMap(({ content }) =>
      typeof content === "string" ? [content] : (content ?? []).map(({ text }) => text),
    )
    .join("\n")

const heard = property(
  "what users say reaches each server",
  fc.property(openAiChatMessages, fc.constantFrom(...names), (list, name) => {
    const spoken = spokenIn(openAiChatFor(name).repair(list).request.messages)
    return list.every((message) => {
      const text = isFields(message) && message.role === "user" ? message.content : undefined
      return typeof text !== "string" || text.trim() === "" || spoken.includes(wellFormed(text))
    })
  }),
)

const picture = { type: "image_url", image_url: { url: "https://example.org/a.png" } }
const call = { id: "c1", type: "function", function: { name: "find", arguments: "{}" } }

const near = property(
  "pictures of results stand right after the results",
  fc.property(openAiChatMessages, (list) => {
    const seen = [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: [{ type: "text", text: "found" }, picture] },
    ]
    const others = list.filter((message) => !isFields(message) || message.role !== "user")
    return isNear(openAiChatFor("openai").repair([...seen, ...others]).request.messages)
  }),
)

/** A list with a message of its own put in, whose content is missing. */
const silent = fc
  .tuple(openAiChatMessages, fc.nat(), fc.constantFrom("system", "developer", "user", "tool"))
  .map(([list, pick, role]) => {
    const at = pick % (list.length + 1)
    return { at, list: [...list.slice(0, at), { role, tool_call_id: "c1", text: "Hi" }, ...list.slice(at)] }
  })

const missing = property(
  "a message without content is refused at its place, and the repair of the others does not make one up",
  fc.property(silent, ({ at, list }) => {
    const decoded = openAiChatFor("openai").decode(list)
    const found = openAiChatFor("openai").validate(list)[0]
    const made = openAiChatFor("openai").repair(list).request.messages
    const without = openAiChatFor("openai").repair(list.filter((_, i) => i !== at)).request.messages
    return (
      !decoded.ok &&
      decoded.path === `[${at}].content` &&
      found?.rule === "OC12" &&
      found.path === decoded.path &&
      writeExact(made) === writeExact(without)
    )
  }),
)

/**
 * Says of each kind of server that what is repaired for it has the form that it takes.
 *
 * @category laws
 * @since 0.1.0
 */
export const openAiServersLaw: Law = {
  number: 3,
  title: "Validity: openai-chat, what its servers are sent",
  properties: [taken, heard, missing, near],
}
