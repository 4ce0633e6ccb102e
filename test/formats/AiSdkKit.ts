import type { Message } from "@palimpsest/core"
import { type Conversation, conversation, type Loss, messagesIn } from "@palimpsest/core/formats"
import { type AiSdkRequest, aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { aiSdkUi, type UiMessage } from "@palimpsest/core/formats/ai-sdk-ui"
import { assert } from "vitest"

/** What is read, as a conversation. */
export const decoded = (input: unknown): Conversation => {
  const read = aiSdk.decode(input)
  assert(read.ok, read.ok ? "" : `${read.path}: ${read.reason}`)
  return read.conversation
}

/** The messages of a thread that model messages are read to. */
export const read = (...messages: ReadonlyArray<object>): ReadonlyArray<Message> =>
  messagesIn(decoded(messages))

/** Model messages, written from a thread. */
export const write = (...thread: ReadonlyArray<Message>): ReadonlyArray<object> =>
  aiSdk.encode(conversation(thread)).request.messages

/** What messages lose: kind and what, in few words. */
export const lossesOf = (losses: ReadonlyArray<Loss>): ReadonlyArray<string> =>
  losses.filter(({ message }) => message >= 0).map(({ kind, what }) => `${kind} ${what}`)

/** The same of UI messages. */
export const decodedUi = (input: unknown): Conversation => {
  const found = aiSdkUi.decode(input)
  assert(found.ok, found.ok ? "" : `${found.path}: ${found.reason}`)
  return found.conversation
}

export const readUi = (...messages: ReadonlyArray<object>): ReadonlyArray<Message> =>
  messagesIn(decodedUi(messages))

/** The parts of each UI message, written from a thread. */
export const writeUi = (...thread: ReadonlyArray<Message>): ReadonlyArray<UiMessage["parts"]> =>
  aiSdkUi.encode(conversation(thread)).request.messages.map(({ parts }) => parts)

/** A request as it comes out of a store: JSON of the conversation, written again. */
export const throughStore = (request: unknown): AiSdkRequest =>
  aiSdk.encode(JSON.parse(JSON.stringify(decoded(request)))).request
