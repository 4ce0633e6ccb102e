/**
 * Law 3, for Chat Completions: a valid thread makes a valid request, and nothing of it is lost on the way.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { conversation } from "../../formats/format/Conversation.ts"
import {
  fromOpenAiChat,
  type OpenAiChatDialect,
  openAiChatFor,
  toOpenAiChat,
  validateOpenAiChat,
} from "../../formats/openai-chat.ts"
import { wellFormed } from "../../text/Unicode.ts"
import { type Message, type Part, textOf } from "../../thread/Message.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { wireText } from "../arbitraries/Wire.ts"
import { type Law, property } from "../Law.ts"

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Texts of user and assistant, those that are blank left out as they are on the wire. */
const saidIn = (parts: ReadonlyArray<Part>): string =>
  wellFormed(textOf(parts.filter((part) => part.type === "text" && part.text.trim() !== "")))

/** What must survive: texts, ids, names and arguments, in order. */
const essence = (messages: ReadonlyArray<Message>): ReadonlyArray<unknown> =>
  messages.flatMap((message): ReadonlyArray<unknown> => {
    if (message.role === "tool") {
      return message.parts.flatMap((part) =>
        part.type === "tool-result" ? [[part.call, wellFormed(textOf(part.content))]] : [],
      )
    }
    const calls = message.parts.flatMap((part) =>
      part.type === "tool-call" ? [[part.id, part.name, wellFormed(part.arguments)]] : [],
    )
    return [[message.role, saidIn(message.parts), calls]]
  })

const withText = (message: Message): Message =>
  message.role !== "tool"
    ? message
    : {
        ...message,
        parts: message.parts.map((part) =>
          part.type === "tool-result" && textOf(part.content).trim() === ""
            ? { ...part, content: [{ type: "text", text: "none" }] }
            : part,
        ),
      }

/** Threads without media, whose results say something: for the others the wire adds text of its own. */
const plainThread = arbitraryThread({ images: false }).map((messages) => messages.map(withText))

const isValid = fc.property(
  arbitraryThread(),
  wireText,
  (thread, system) => validateOpenAiChat(toOpenAiChat(thread, { system })).length === 0,
)

const keepsEssence = fc.property(plainThread, (thread) => {
  const reading = fromOpenAiChat(JSON.parse(JSON.stringify(toOpenAiChat(thread))))
  return reading.ok && same(essence(reading.messages), essence(thread))
})

const roundTrips = fc.property(arbitraryThread(), (thread) => {
  const wire = toOpenAiChat(thread, { system: "Be brief." })
  const reading = fromOpenAiChat(wire)
  return reading.ok && same(toOpenAiChat(reading.messages, { system: reading.system ?? "" }), wire)
})

/** A thread, and a place in it where no results are awaited. */
const appended = fc.tuple(arbitraryThread(), fc.nat()).map(([thread, pick]) => {
  const places = thread.flatMap((message, i) => (message.role === "tool" ? [] : [i]))
  return { thread, at: places[pick % Math.max(places.length, 1)] ?? 0 }
})

const keepsPrefix = fc.property(appended, ({ thread, at }) => {
  const before = toOpenAiChat(thread.slice(0, at))
  return same(toOpenAiChat(thread).slice(0, before.length), before)
})

const dialects = ["openai", "deepseek", "mistral", "strict", "bedrock"] as const

/** What is called and answered, in order: ids may change, so results are told by the place of their call. */
const exchanged = (messages: ReadonlyArray<Message>): ReadonlyArray<unknown> => {
  const calls: Array<string> = []
  return messages.flatMap((message) =>
    message.parts.flatMap((part): ReadonlyArray<unknown> => {
      if (part.type === "tool-call") {
        calls.push(part.id)
        return [[part.name, wellFormed(part.arguments)]]
      }
      if (part.type !== "tool-result") return []
      return [[calls.lastIndexOf(part.call), wellFormed(textOf(part.content))]]
    }),
  )
}

const spokenIn = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" ? [wellFormed(part.text)] : [])),
  )

const keepsSaid = fc.property(
  plainThread,
  fc.constantFrom<OpenAiChatDialect>(...dialects),
  (thread, dialect) => {
    const format = openAiChatFor(dialect)
    const { request } = format.repair(format.encode(conversation(thread)).request)
    const read = format.decode(request)
    if (!read.ok) return false
    const after = read.conversation.items.map(({ message }) => message)
    const said = spokenIn(after).join("\n")
    const isSaid = (text: string) => text.trim() === "" || said.includes(text)
    return same(exchanged(after), exchanged(thread)) && spokenIn(thread).every(isSaid)
  },
)

/**
 * Says that valid threads stay valid as Chat Completions requests, with texts, ids and arguments unaltered, and that
 * what is appended leaves the bytes before it as they were.
 *
 * @category laws
 * @since 0.1.0
 */
export const openAiChatLaw: Law = {
  number: 3,
  title: "Validity: openai-chat, what it says",
  properties: [
    property("a valid thread makes a valid request", isValid),
    property("texts, ids and arguments come back from the wire", keepsEssence),
    property("a request that was read is written the same", roundTrips),
    property("appending leaves what was sent before it as it was", keepsPrefix),
    property("repair for any server keeps texts, calls and results", keepsSaid),
  ],
}
