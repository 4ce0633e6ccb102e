/**
 * Law 3, for Responses: nothing that a thread says is lost on the way, and reasoning is sent with what it led to, as it
 * came or not at all.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { type Conversation, conversation, messagesIn } from "../../formats/format/Conversation.ts"
import { writeExact } from "../../formats/format/ExactJson.ts"
import { isFields } from "../../formats/format/Fields.ts"
import { base64Of } from "../../formats/format/Media.ts"
import { mend } from "../../formats/format/Mend.ts"
import { openAiResponses } from "../../formats/openai-responses/Format.ts"
import { itemsOf, type ResponsesItem, type ResponsesRequest } from "../../formats/openai-responses/Wire.ts"
import type { Message } from "../../thread/Message.ts"
import { arbitraryThread } from "../arbitraries/Messages.ts"
import { openAiResponsesItems } from "../arbitraries/wire/OpenAiResponses.ts"
import { type Law, property } from "../Law.ts"
import { mediaOf, saidOf, spokenThread } from "./Said.ts"

const same = (a: unknown, b: unknown): boolean => writeExact(a) === writeExact(b)

const read = (input: unknown): Conversation => {
  const decoded = openAiResponses.decode(input)
  return decoded.ok ? decoded.conversation : conversation([])
}

const isBlank = (text: unknown): boolean => typeof text === "string" && text.trim() === ""

/** Texts, calls and results; of an output neither how it ended nor that it is empty can be told. */
const told = (thread: ReadonlyArray<Message>): ReadonlyArray<unknown> =>
  saidOf(thread).flatMap((said): ReadonlyArray<unknown> => {
    if (!Array.isArray(said)) return [said]
    const [kind, first, , text] = said
    if (kind === "result") return [[kind, first, isBlank(text) ? "(no output)" : text]]
    return (kind === "user" || kind === "assistant") && (isBlank(first) || first === "(blank)") ? [] : [said]
  })

/** Blank lines in an output of several texts are not sent. */
const withoutBlanks = (thread: ReadonlyArray<Message>): ReadonlyArray<Message> =>
  thread.map((message) =>
    message.role !== "tool"
      ? message
      : {
          ...message,
          parts: message.parts.map((part) =>
            part.type !== "tool-result"
              ? part
              : {
                  ...part,
                  content: part.content.filter((each) => each.type !== "text" || !isBlank(each.text)),
                },
          ),
        },
  )

const dataOf = (thread: ReadonlyArray<Message>): ReadonlyArray<string> =>
  mediaOf(thread).map(base64Of).toSorted()

const survives = property(
  "what a thread says is written and read again",
  fc.property(spokenThread, (thread) => {
    const again = messagesIn(read(openAiResponses.encode(conversation(thread)).request))
    return same(told(again), told(withoutBlanks(thread))) && same(dataOf(again), dataOf(thread))
  }),
)

/** Half of a character among them: such a signature is never sent, since it could not be sent as it is. */
const SIGNED = ["c2ln", "ZW5j", "\ud83d"]

/** Threads whose reasoning the provider gave: sealed, by its id, or both; some of it leads to nothing. */
const thoughtful = arbitraryThread({ endless: 0 }).map((thread) =>
  thread.map((message, index): Message => {
    if (message.role !== "assistant") return message
    const parts = message.parts.map((part, i) =>
      part.type !== "reasoning"
        ? part
        : {
            type: part.type,
            text: part.text,
            ...((index + i) % 3 === 0 ? {} : { id: `rs_${index}_${i}` }),
            ...((index + i) % 3 === 1
              ? {}
              : { signature: SIGNED[Math.floor(index / 3) % SIGNED.length] ?? "" }),
          },
    )
    const isSaid = index % 2 === 0 && parts.every(({ type }) => type !== "tool-call")
    const last = { type: "reasoning", text: "Hm.", signature: "c2ln" } as const
    return { ...message, parts: isSaid ? [...parts, last] : parts, format: "openai-responses" }
  }),
)

const sealedIn = (items: ReadonlyArray<ResponsesItem>): ReadonlyArray<unknown> =>
  items.flatMap(({ encrypted_content: sealed }) => (typeof sealed === "string" ? [sealed] : []))

const valid = property(
  "a valid thread makes a request that needs no repair, whatever signs its reasoning",
  fc.property(thoughtful, (thread) => {
    const { request } = openAiResponses.encode(conversation(thread, { system: "Be brief." }))
    const isKnown = (each: unknown) => SIGNED.some((one) => one === each)
    return openAiResponses.validate(request).length === 0 && sealedIn(itemsOf(request)).every(isKnown)
  }),
)

/** A list, the valid request made of it, and that one after parts of its messages were left out. */
const edited = fc
  .tuple(openAiResponsesItems, fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }), fc.boolean())
  .map(([list, mask, store]) => {
    const before = itemsOf(openAiResponses.repair(list).request)
    let place = 0
    const isKept = () => mask[place++ % mask.length] === true
    const whole = read(before)
    const items = whole.items.map((item) => {
      const parts = item.message.parts.filter(isKept)
      return parts.length === item.message.parts.length
        ? item
        : { ...item, message: { ...item.message, parts } as Message }
    })
    const request: ResponsesRequest = openAiResponses.encode({ ...whole, items: mend(items).items }).request
    return { list, store, before, after: itemsOf(openAiResponses.repair({ store, ...request }).request) }
  })

const idsOf = (items: ReadonlyArray<ResponsesItem>): ReadonlySet<unknown> =>
  new Set(items.map(({ id }) => id))

const sealed = property(
  "nothing that is encrypted changes, whatever is left out around it",
  fc.property(edited, ({ list, before, after }) => {
    const known = new Set(sealedIn(list.filter(isFields)))
    return [...sealedIn(before), ...sealedIn(after)].every((each) => known.has(each))
  }),
)

const isHeard = ({ type, role }: ResponsesItem): boolean =>
  role === "user" || role === "system" || role === "developer" || /_output$/.test(type ?? "")

/** Whether each reasoning leads to something of the model, and each call of a function is answered before a user speaks. */
const isInOrder = (items: ReadonlyArray<ResponsesItem>): boolean =>
  items.every((item, i) => {
    const after = items.slice(i + 1)
    if (item.type === "reasoning") {
      const next = after.find(({ type }) => type !== "reasoning")
      return next !== undefined && !isHeard(next)
    }
    if (item.type !== "function_call") return true
    const answer = after.findIndex(({ type, call_id: id }) => isAnswer(type) && id === item.call_id)
    return answer !== -1 && after.slice(0, answer).every((each) => !isHeard(each) || isAnswer(each.type))
  })

const isAnswer = (type: unknown): boolean => typeof type === "string" && /_(?:output|response)$/.test(type)

const ordered = property(
  "a repaired request has what reasoning led to after it, and each output before the next turn",
  fc.property(openAiResponsesItems, (list) => isInOrder(itemsOf(openAiResponses.repair(list).request))),
)

const WHOLE: ReadonlySet<unknown> = new Set(["message", "function_call", "custom_tool_call"])

/** Ids of reasoning, and of what it led to. */
const pairsIn = (items: ReadonlyArray<ResponsesItem>): ReadonlyArray<readonly [string, string]> =>
  items.flatMap(({ type, id }, i) => {
    const next = items[i + 1]
    const isPair = type === "reasoning" && typeof id === "string" && WHOLE.has(next?.type)
    return isPair && typeof next?.id === "string" ? [[id, next.id] as const] : []
  })

/** Whether each reasoning with an id leads to something with an id. */
const isNamed = (items: ReadonlyArray<ResponsesItem>): boolean =>
  items.every(({ type, id }, i) => {
    const next = items.slice(i + 1).find((item) => item.type !== "reasoning")
    return (
      type !== "reasoning" || typeof id !== "string" || !WHOLE.has(next?.type) || typeof next?.id === "string"
    )
  })

const paired = property(
  "reasoning and what it led to are sent with both ids or with neither, whatever is left out",
  fc.property(edited, ({ store, before, after }) => {
    const ids = idsOf(after)
    const isThought = pairsIn(before).every(([thought, next]) => ids.has(thought) || !ids.has(next))
    return isThought && (!store || isNamed(after))
  }),
)

/**
 * Says that a thread is told to the Responses API whole, and that its reasoning is sent as it came or not at all.
 *
 * @category laws
 * @since 0.1.0
 */
export const openAiResponsesLaw: Law = {
  number: 3,
  title: "Validity: openai-responses, what it is told",
  properties: [survives, valid, sealed, ordered, paired],
}
