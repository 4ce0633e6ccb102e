import type { Message } from "@palimpsest/core"
import { type Conversation, conversation, messagesIn } from "@palimpsest/core/formats"
import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import { assert } from "vitest"

export const read = (input: unknown): Conversation => {
  const decoded = effectPrompt.decode(input)
  return decoded.ok ? decoded.conversation : assert.fail(`${decoded.path}: ${decoded.reason}`)
}

export const messages = (...content: ReadonlyArray<object>): ReadonlyArray<Message> =>
  messagesIn(read(content))

export const write = (...thread: ReadonlyArray<Message>) =>
  effectPrompt.encode(conversation(thread)).request.content

export const losses = (...thread: ReadonlyArray<Message>) =>
  effectPrompt.encode(conversation(thread)).losses.map(({ kind, what }) => `${kind} ${what}`)

export const hello = { role: "user", content: "Hello" }
export const said = (role: string, content: unknown) => ({ options: {}, role, content })
export const part = (type: string, others: object, options: object = {}) => ({ options, type, ...others })
export const call = (id: string, others: object = {}) =>
  part("tool-call", { id, name: "find", params: {}, providerExecuted: false, ...others })
export const result = (id: string, value: unknown, others: object = {}) =>
  part("tool-result", {
    id,
    name: "find",
    isFailure: false,
    result: value,
    providerExecuted: false,
    ...others,
  })

/** A chat through JSON: what a store gives back. */
export const stored = (conversation: Conversation): Conversation => JSON.parse(JSON.stringify(conversation))
