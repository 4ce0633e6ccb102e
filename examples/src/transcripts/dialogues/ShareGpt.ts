/**
 * Chats in the form of ShareGPT: `{conversations: [{from, value}]}`. Calls have no ids there: they are numbered, and
 * an observation answers the call before it.
 */
import { assistant, type Message, toolResult, user } from "@palimpsest/core"
import { readExact, writeExact } from "@palimpsest/core/formats"
import { Result, Schema } from "effect"
import { fieldOf, has, isFields, textAt } from "../Fields.ts"
import { malformed, type Reader, whole } from "../Reader.ts"
import { type Transcript, transcriptOf } from "../Transcript.ts"

const Turn = Schema.Struct({ from: Schema.String, value: Schema.String })

const Chats = Schema.Array(
  Schema.Struct({
    conversations: Schema.Array(Turn),
    id: Schema.optionalKey(Schema.Unknown),
    system: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
)

const decode = Schema.decodeUnknownResult(Chats)

type Chat = (typeof Chats.Type)[number]

/** The calls of a turn: one, or a list of them; null when the text is no call. */
const callsIn = (text: string, first: number) => {
  const json = readExact(text)
  const calls = Array.isArray(json) ? json : [json]
  if (!calls.every((call) => isFields(call) && textAt(call, "name") !== "")) return null
  return calls.map((call, i) => ({
    id: `call-${first + i}`,
    name: textAt(call, "name"),
    arguments: writeExact(fieldOf(call, "arguments") ?? {}) ?? "{}",
  }))
}

const readChat = (chat: Chat, name: string): Transcript => {
  const messages: Array<Message> = []
  const system: Array<string> = chat.system === undefined || chat.system === null ? [] : [chat.system]
  const waiting: Array<string> = []
  let count = 0
  for (const { from, value } of chat.conversations) {
    if (from === "system") system.push(value)
    else if (from === "human" || from === "user") messages.push(user(value))
    else if (from === "observation" || from === "tool") {
      const call = waiting.shift()
      messages.push(call === undefined ? { ...user(value), synthetic: true } : toolResult(call, value))
    } else {
      const calls = from === "function_call" ? callsIn(value, count + 1) : null
      count += calls?.length ?? 0
      waiting.splice(0, waiting.length, ...(calls?.map(({ id }) => id) ?? []))
      messages.push(calls === null ? assistant(value) : assistant("", calls))
    }
  }
  const said = messages.map((message) => ({ message, origin: { ids: [] } }))
  return transcriptOf("sharegpt", name, said, { system: system.length === 0 ? null : system.join("\n\n") })
}

export const shareGpt: Reader = {
  format: "sharegpt",
  fits: ({ entries }) => has(entries[0]?.value, "conversations"),
  read: (source) =>
    Result.flatMap(whole(source), ({ name, entries }) =>
      decode(entries.map(({ value }) => value)).pipe(
        Result.map((chats) =>
          chats.map((chat, i) => readChat(chat, chats.length === 1 ? name : `${name}#${i + 1}`)),
        ),
        Result.mapError(({ message }) =>
          malformed(name, "ShareGPT chats", message, "Each turn needs `from` and `value`, both texts."),
        ),
      ),
    ),
}
