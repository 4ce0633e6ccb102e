/**
 * Ids of messages: LangGraph replaces and removes messages by them.
 *
 * @since 0.1.0
 */
import { uuid5 } from "../../thread/Id.ts"
import { writeExact } from "../format/ExactJson.ts"
import { type LangChainMessage, type LangChainRequest, viewOf, withFields } from "./Wire.ts"

/** The id of a message; undefined where it has none. */
export const idOf = (message: LangChainMessage): string | undefined => {
  const id = viewOf(message)?.fields.id
  return typeof id === "string" && id !== "" ? id : undefined
}

/** Indices of messages whose id an earlier one has. */
export const repeatedIds = (messages: ReadonlyArray<LangChainMessage>): ReadonlyArray<number> => {
  const seen = new Set<string>()
  return messages.flatMap((message, i) => {
    const id = idOf(message)
    if (id === undefined) return []
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated ? [i] : []
  })
}

/** Gives each message whose id is missing, or stands twice, one that follows from its content and the id before it. */
const derive = (
  messages: ReadonlyArray<LangChainMessage>,
  needsOne: (message: LangChainMessage, index: number) => boolean,
): ReadonlyArray<LangChainMessage> => {
  const taken = new Set(messages.flatMap((message) => idOf(message) ?? []))
  let before = ""
  return messages.map((message, i) => {
    if (!needsOne(message, i)) {
      before = idOf(message) ?? before
      return message
    }
    const { id: _, ...fields } = viewOf(message)?.fields ?? {}
    const seed = writeExact(fields) ?? ""
    let id = uuid5(`langchain ${before} ${seed}`)
    while (taken.has(id)) id = uuid5(id)
    taken.add(id)
    before = id
    return withFields(message, { ...fields, id })
  })
}

/** Messages of which no two have the same id: the later of two gets one of its own. */
export const withoutRepeatedIds = (
  messages: ReadonlyArray<LangChainMessage>,
): ReadonlyArray<LangChainMessage> => {
  const repeated = new Set(repeatedIds(messages))
  return repeated.size === 0 ? messages : derive(messages, (_, i) => repeated.has(i))
}

/**
 * Gives each message without an id one that every process derives alike, from what it says and the id of the message
 * before it. LangGraph gives random ones otherwise, and then a retry adds the same message twice.
 *
 * **Example** (Two processes, one id)
 *
 * ```ts
 * import { withMessageIds } from "@palimpsest/core/formats/langchain"
 *
 * const state = { messages: [{ role: "user", content: "Hi" }] }
 * withMessageIds(state).messages[0]?.id === withMessageIds(state).messages[0]?.id // => true
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const withMessageIds = (request: LangChainRequest): LangChainRequest => ({
  ...request,
  messages: derive(request.messages, (message) => idOf(message) === undefined),
})
