/**
 * Law 3, between formats: what one format read and another does not say is listed, at the message that held it.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { messagesIn } from "../../formats/format/Conversation.ts"
import { originalIds } from "../../formats/format/Ids.ts"
import { wellFormed } from "../../text/Unicode.ts"
import type { Message, Part } from "../../thread/Message.ts"
import { type Law, property } from "../Law.ts"
import { wireFormats } from "./WireFormats.ts"

/** What of a part every format can say or must list: which call it is or answers, and how that ended. */
const factOf = (part: Part): ReadonlyArray<string> => {
  if (part.type === "tool-call") return [wellFormed(`call ${part.id} of ${part.name}`)]
  return part.type === "tool-result" ? [wellFormed(`${part.status} of ${part.call}`)] : []
}

const factsOf = (messages: ReadonlyArray<Message>): Map<string, number> => {
  const facts = messages.flatMap(({ parts }) => parts.flatMap(factOf))
  return facts.reduce((counts, fact) => counts.set(fact, (counts.get(fact) ?? 0) + 1), new Map())
}

const crossing = fc
  .tuple(fc.constantFrom(...wireFormats), fc.constantFrom(...wireFormats))
  .chain(([from, to]) => from.samples.list.map((list) => ({ from: from.format, to: to.format, list })))

const listed = property(
  "a call, a result or its outcome that another format does not say is listed at its message",
  fc.property(crossing, ({ from, to, list }) => {
    const read = from.decode(list)
    if (!read.ok) return false
    const { request, losses, ids } = to.encode(read.conversation)
    const again = to.decode(request)
    if (!again.ok) return false
    const silent = messagesIn(read.conversation).filter(
      (_, at) => !losses.some(({ message }) => message === at),
    )
    const said = factsOf(messagesIn(again.conversation).map((message) => originalIds(message, ids)))
    return [...factsOf(silent)].every(([fact, times]) => (said.get(fact) ?? 0) >= times)
  }),
)

/**
 * Says that nothing is lost in silence where a conversation goes from one format to another.
 *
 * @category laws
 * @since 0.1.0
 */
export const lossesLaw: Law = { number: 3, title: "Validity: what is lost is listed", properties: [listed] }
