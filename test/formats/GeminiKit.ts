import type { Message, ToolCallPart } from "@palimpsest/core"
import { type Conversation, conversation, type Item, messagesIn } from "@palimpsest/core/formats"
import { gemini } from "@palimpsest/core/formats/gemini"
import { assert } from "vitest"

/** What stands for a lost signature. */
export const SENTINEL = "skip_thought_signature_validator"

export const read = (input: unknown): Conversation => {
  const decoded = gemini.decode(input)
  return decoded.ok ? decoded.conversation : assert.fail(`${decoded.path}: ${decoded.reason}`)
}

export const messages = (...contents: ReadonlyArray<object>): ReadonlyArray<Message> =>
  messagesIn(read(contents))

export const write = (...thread: ReadonlyArray<Message>) =>
  gemini.encode(conversation(thread)).request.contents

export const losses = (...thread: ReadonlyArray<Message>) =>
  gemini.encode(conversation(thread)).losses.map(({ kind, what }) => `${kind} ${what}`)

export const said = (text: string) => ({ role: "user", parts: [{ text }] })
export const model = (...parts: ReadonlyArray<object>) => ({ role: "model", parts })
export const results = (...parts: ReadonlyArray<object>) => ({ role: "user", parts })
export const response = (name: string, answer: object, others: object = {}) => ({
  functionResponse: { name, response: answer, ...others },
})

export const callsOf = (thread: ReadonlyArray<Message>): ReadonlyArray<ToolCallPart> =>
  thread.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-call" ? [part] : [])))

/** For each result the id of its call. */
export const answeredIn = (thread: ReadonlyArray<Message>): ReadonlyArray<string> =>
  thread.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-result" ? [part.call] : [])))

export const kept = ({ items }: Conversation): ReadonlyArray<Item> =>
  items.filter(({ raw }) => raw !== undefined)
