/**
 * Law 3, for prompts of `effect/ai`: nothing that a thread says is lost on the way, and a store gives a prompt back.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { effectPrompt } from "../../formats/effect-prompt/Format.ts"
import { type Conversation, conversation, messagesIn } from "../../formats/format/Conversation.ts"
import { writeExact } from "../../formats/format/ExactJson.ts"
import type { Message } from "../../thread/Message.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { effectMessages } from "../arbitraries/wire/EffectPrompt.ts"
import { type Law, property } from "../Law.ts"
import { mediaOf, saidOf, spokenThread } from "./Said.ts"

const same = (a: unknown, b: unknown): boolean => writeExact(a) === writeExact(b)

const read = (prompt: unknown): ReadonlyArray<Message> => {
  const decoded = effectPrompt.decode(prompt)
  return decoded.ok ? messagesIn(decoded.conversation) : []
}

const survives = property(
  "what a thread says is written and read again",
  fc.property(spokenThread, (thread) => {
    const again = read(effectPrompt.encode(conversation(thread)).request)
    return same(saidOf(again), saidOf(thread)) && same(mediaOf(again), mediaOf(thread))
  }),
)

const valid = property(
  "a valid thread makes a prompt that needs no repair",
  fc.property(arbitraryThread({ endless: 0 }), fc.string({ unit: "binary" }), (thread, system) => {
    const { request } = effectPrompt.encode(conversation(thread, { system }))
    return effectPrompt.validate(request).length === 0
  }),
)

/** What each file holds, by its type: bytes are no text, and an address is no object. */
const kindsIn = (prompt: unknown): ReadonlyArray<string> => {
  const kinds: Array<string> = []
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if ("type" in value && value.type === "file" && "data" in value)
      kinds.push(Object.prototype.toString.call(value.data))
    for (const each of Object.values(value)) visit(each)
  }
  visit(prompt)
  return kinds
}

const stored = property(
  "a prompt comes out of a store as it went in, bytes and addresses included",
  fc.property(effectMessages, (messages) => {
    const decoded = effectPrompt.decode(messages)
    if (!decoded.ok) return false
    const kept: Conversation = JSON.parse(JSON.stringify(decoded.conversation))
    const { content } = effectPrompt.encode(kept).request
    return same(content, messages) && same(kindsIn(content), kindsIn(messages))
  }),
)

/**
 * Says that a thread becomes a prompt of `effect/ai` whole, and that a prompt survives a store.
 *
 * @category laws
 * @since 0.1.0
 */
export const effectPromptLaw: Law = {
  number: 3,
  title: "Validity: effect-prompt, what it says",
  properties: [survives, valid, stored],
}
