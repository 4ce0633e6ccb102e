/**
 * Law 3, for the AI SDK: nothing that a thread says is lost on the way, what is signed stays so, and a store gives
 * messages back.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { aiSdk } from "../../formats/ai-sdk/Format.ts"
import { aiSdkUi } from "../../formats/ai-sdk-ui/Format.ts"
import { type Conversation, conversation, messagesIn } from "../../formats/format/Conversation.ts"
import { writeExact } from "../../formats/format/ExactJson.ts"
import type { Format } from "../../formats/format/Format.ts"
import type { Message, Part, ToolResultPart } from "../../thread/Message.ts"
import { aiSdkMessages } from "../arbitraries/wire/AiSdk.ts"
import { type Law, type Property, property } from "../Law.ts"
import { mediaOf, saidOf, spokenThreadOf } from "./Said.ts"

const same = (a: unknown, b: unknown): boolean => writeExact(a) === writeExact(b)

const isBlank = (part: Part): boolean => part.type === "text" && part.text.trim() === ""

const GO_ON: Message = { role: "user", parts: [{ type: "text", text: "Go on." }] }

const SIGNERS = ["anthropic", "gemini", "openai-responses"] as const

/** Results that say something, without media where they cannot be: the form that a format carries. */
const spoken = (part: ToolResultPart, withMedia: boolean): ToolResultPart => {
  const isWhole = withMedia && part.status === "ok"
  const content = part.content.filter((item) => !isBlank(item) && (isWhole || item.type === "text"))
  return content.length > 0 ? { ...part, content } : { ...part, content: [{ type: "text", text: "none" }] }
}

/** A thread as both formats carry it: nothing blank, no reasoning alone, and each response signed by somebody. */
const carried = (thread: ReadonlyArray<Message>, pick: number, withMedia: boolean): ReadonlyArray<Message> =>
  thread.map((message, i): Message => {
    if (message.role === "tool") {
      const parts = message.parts.map((part) =>
        part.type === "tool-result" ? spoken(part, withMedia) : part,
      )
      return { ...message, parts }
    }
    if (message.role === "user") {
      const parts = message.parts.filter((part) => !isBlank(part))
      return parts.length > 0 ? { ...message, parts } : GO_ON
    }
    const format = SIGNERS[(pick + i) % SIGNERS.length] ?? SIGNERS[0]
    const said = message.parts.filter((part) => !isBlank(part))
    const parts = said.map((part) =>
      part.type === "tool-call" && format === "gemini" ? { ...part, signature: `of ${part.id}` } : part,
    )
    const signed = { type: "reasoning", text: `thought ${i}`, signature: `s${i}` } as const
    return { ...message, format, parts: [signed, ...parts, { type: "text", text: `said ${i}` }] }
  })

const threads = (withMedia: boolean): fc.Arbitrary<ReadonlyArray<Message>> =>
  fc
    .tuple(spokenThreadOf({ turns: 3, groups: 2 }), fc.nat(2))
    .map(([thread, pick]) => carried(thread, pick, withMedia))

/** What is signed, by whom: reasoning and calls. */
const signedOf = (messages: ReadonlyArray<Message>): ReadonlyArray<unknown> =>
  messages.flatMap((message) =>
    message.role !== "assistant"
      ? []
      : message.parts.flatMap((part) =>
          (part.type === "reasoning" || part.type === "tool-call") && part.signature !== undefined
            ? [[message.format, part.signature]]
            : [],
        ),
  )

/** How each result ended. */
const endedOf = (messages: ReadonlyArray<Message>): ReadonlyArray<unknown> =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-result" ? [part.status] : [])))

const survives = <R>(format: Format<R>, withMedia: boolean): Property =>
  property(
    `what a thread says and who signed it is written and read again: ${format.name}`,
    fc.property(threads(withMedia), (thread) => {
      const decoded = format.decode(format.encode(conversation(thread)).request)
      const again = decoded.ok ? messagesIn(decoded.conversation) : []
      const isSaid = [saidOf, signedOf, endedOf].every((facts) => same(facts(again), facts(thread)))
      return isSaid && (!withMedia || same(mediaOf(again), mediaOf(thread)))
    }),
  )

/** Responses side by side are of the thread: only a repair joins them. */
const BESIDE = "a call right after another response"

const valid = <R>(format: Format<R>): Property =>
  property(
    `a valid thread makes a request that needs no repair: ${format.name}`,
    fc.property(threads(true), (thread) => {
      // Said twice: messages that are the same stay two.
      const { request } = format.encode(conversation([...thread, GO_ON, GO_ON], { system: "Be brief." }))
      const found = format.validate(request).filter(({ detail }) => detail !== BESIDE)
      return found.length === 0
    }),
  )

/** What each file holds, by its type: bytes are no text, and an address is no object. */
const kindsIn = (value: unknown): ReadonlyArray<string> => {
  const kinds: Array<string> = []
  const visit = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return
    for (const [name, own] of Object.entries(each)) {
      if (name === "data" || name === "image") kinds.push(Object.prototype.toString.call(own))
      visit(own)
    }
  }
  visit(value)
  return kinds
}

const stored = property(
  "messages come out of a store as they went in, bytes and addresses included",
  fc.property(aiSdkMessages, (messages) => {
    const decoded = aiSdk.decode(messages)
    if (!decoded.ok) return false
    const kept: Conversation = JSON.parse(JSON.stringify(decoded.conversation))
    const again = aiSdk.encode(kept).request.messages
    return same(again, messages) && same(kindsIn(again), kindsIn(messages))
  }),
)

/**
 * Says that a thread becomes messages of the AI SDK whole, signatures included, and that messages survive a store.
 *
 * @category laws
 * @since 0.1.0
 */
export const aiSdkLaw: Law = {
  number: 3,
  title: "Validity: ai-sdk and ai-sdk-ui, what their messages say",
  properties: [survives(aiSdk, true), survives(aiSdkUi, false), valid(aiSdk), valid(aiSdkUi), stored],
}
