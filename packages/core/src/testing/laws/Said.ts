/**
 * What a thread says, whichever way its messages are cut: what must survive when one provider's messages become
 * another's.
 *
 * @since 0.1.0
 */
import type fc from "fast-check"
import { readExact, writeExact } from "../../formats/format/ExactJson.ts"
import { wellFormedDeep } from "../../formats/format/WellFormed.ts"
import { wellFormed } from "../../text/Unicode.ts"
import { type Message, type Part, textOf } from "../../thread/Message.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"

const withData = <P extends Part>(part: P): P =>
  part.type === "media" && part.data === "" ? { ...part, data: "aGVs" } : part

const whole = (message: Message): Message => {
  if (message.role === "user") return { ...message, parts: message.parts.map(withData) }
  if (message.role === "assistant") return message
  const parts = message.parts.map((part) =>
    part.type === "tool-result" ? { ...part, content: part.content.map(withData) } : part,
  )
  return { ...message, parts }
}

/** Random threads in which each medium has data: a text stands for one without. */
export const spokenThreadOf = (
  options: Parameters<typeof arbitraryThread>[0],
): fc.Arbitrary<ReadonlyArray<Message>> =>
  arbitraryThread({ ...options, endless: 0 }).map((thread) => thread.map(whole))

/** The same, of any length. */
export const spokenThread: fc.Arbitrary<ReadonlyArray<Message>> = spokenThreadOf({})

/** Arguments, however they are spaced. */
const argumentsOf = (text: string): string => {
  const value = readExact(text)
  return value === undefined ? wellFormed(text) : (writeExact(wellFormedDeep(value)) ?? text)
}

const saidIn = (message: Message, part: Part, calls: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [[message.role, wellFormed(part.text)]]
    case "tool-call":
      return [["call", part.name, argumentsOf(part.arguments)]]
    case "tool-result": {
      const place = calls.lastIndexOf(part.call)
      return [["result", place, part.status !== "ok", wellFormed(textOf(part.content))]]
    }
    default:
      return []
  }
}

/** Texts, calls and results in their order; results with the number of their call. */
export const saidOf = (messages: ReadonlyArray<Message>): ReadonlyArray<unknown> => {
  const calls: Array<string> = []
  return messages.flatMap((message) => {
    for (const part of message.parts) if (part.type === "tool-call") calls.push(part.id)
    return message.parts.flatMap((part) => saidIn(message, part, calls))
  })
}

/** The data of all media, in results and beside them, in any order. */
export const mediaOf = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages
    .flatMap(({ parts }) =>
      parts.flatMap((part): ReadonlyArray<Part> => (part.type === "tool-result" ? part.content : [part])),
    )
    .flatMap((part) => (part.type === "media" ? [part.data] : []))
    .toSorted()
