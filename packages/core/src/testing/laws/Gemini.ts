/**
 * Law 3, for Gemini: nothing that a thread says is lost on the way, and calls without ids keep the ids that they got.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { conversation, messagesIn } from "../../formats/format/Conversation.ts"
import { writeExact } from "../../formats/format/ExactJson.ts"
import { isFields } from "../../formats/format/Fields.ts"
import { gemini, geminiFor } from "../../formats/gemini/Format.ts"
import type { GeminiRequest } from "../../formats/gemini/Wire.ts"
import type { Message, ToolCallPart } from "../../thread/Message.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { geminiContents } from "../arbitraries/wire/Gemini.ts"
import { type Law, property } from "../Law.ts"
import { mediaOf, saidOf, spokenThread } from "./Said.ts"

const same = (a: unknown, b: unknown): boolean => writeExact(a) === writeExact(b)

const read = (contents: unknown): ReadonlyArray<Message> => {
  const decoded = gemini.decode(contents)
  return decoded.ok ? messagesIn(decoded.conversation) : []
}

const dialects = [gemini, geminiFor({ generation: 2 }), geminiFor({ generation: 2, ids: false })] as const

const survives = property(
  "what a thread says is written and read again, with or without ids",
  fc.property(spokenThread, fc.constantFrom(...dialects), (thread, format) => {
    const again = read(format.encode(conversation(thread)).request)
    return same(saidOf(again), saidOf(thread)) && same(mediaOf(again), mediaOf(thread))
  }),
)

const valid = property(
  "a valid thread makes a request that needs no repair but for its first and its last content",
  fc.property(arbitraryThread({ endless: 0 }), fc.constantFrom(...dialects), (thread, format) => {
    const { request } = format.encode(conversation(thread, { system: "Be brief." }))
    return thread.length === 0 || format.validate(request).every(({ rule }) => rule === "GE1")
  }),
)

const callsIn = (thread: ReadonlyArray<Message>): ReadonlyArray<ToolCallPart> =>
  thread.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-call" ? [part] : [])))

const stable = property(
  "the ids of calls are those that they had before their results came",
  fc.property(geminiContents, fc.nat(8), (contents, length) => {
    const before = callsIn(read(contents.slice(0, length))).map(({ id }) => id)
    return same(
      callsIn(read(contents))
        .slice(0, before.length)
        .map(({ id }) => id),
      before,
    )
  }),
)

/** The contents of a request, where each result has an id of its own. */
const withResultIds = ({ contents }: GeminiRequest): unknown => {
  let last = 0
  return contents.map((content) => ({
    ...content,
    parts: content.parts.map((part) => {
      const { functionResponse } = part
      last += 1
      return isFields(functionResponse) ? { functionResponse: { ...functionResponse, id: `x${last}` } } : part
    }),
  }))
}

const answered = property(
  "calls without ids are answered by results that have some",
  fc.property(spokenThread, (thread) => {
    const { request } = geminiFor({ ids: false }).encode(conversation(thread))
    return same(saidOf(read(withResultIds(request))), saidOf(thread))
  }),
)

const unsent = property(
  "ids that were derived are never sent",
  fc.property(geminiContents, (contents) => {
    const { request } = gemini.encode(conversation(read(contents)))
    return !/"gemini-[0-9a-f]{24}"/.test(writeExact(request) ?? "")
  }),
)

/** Threads of Gemini: the first call of a response is signed, and some of its reasoning. */
const signedThread = arbitraryThread({ images: false, endless: 0 }).map((thread) =>
  thread.map((message, index): Message => {
    if (message.role !== "assistant") return message
    const parts = message.parts.map((part, i) =>
      part.type === "tool-call" && i % 2 === 0 ? { ...part, signature: `sig${index}.${i}` } : part,
    )
    return { ...message, parts, format: "gemini" }
  }),
)

const signaturesIn = (thread: ReadonlyArray<Message>): ReadonlyArray<unknown> =>
  thread.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type === "tool-call") return [[part.id, part.signature]]
      return part.type === "reasoning" ? [[part.text, part.signature]] : []
    }),
  )

const signed = property(
  "a signature comes back on the part on which it came",
  fc.property(signedThread, (thread) => {
    const { request } = gemini.encode(conversation(thread))
    return same(signaturesIn(read(request)), signaturesIn(thread))
  }),
)

/**
 * Says that a thread is told to Gemini whole: texts, calls, results, media and signatures, each on its place.
 *
 * @category laws
 * @since 0.1.0
 */
export const geminiLaw: Law = {
  number: 3,
  title: "Validity: gemini, what it is told",
  properties: [survives, valid, stable, answered, unsent, signed],
}
