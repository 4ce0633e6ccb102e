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

/** Lists with an element left out now and then, so that results come after no response, and responses without them. */
const gapped = (list: fc.Arbitrary<ReadonlyArray<unknown>>): fc.Arbitrary<ReadonlyArray<unknown>> =>
  fc.tuple(list, fc.nat({ max: 5 })).map(([wire, gap]) => wire.filter((_, i) => i !== gap))

/** The formats by name, so that a failure shows names. */
const byName = new Map(wireFormats.map(({ format, samples }) => [format.name, { format, samples }]))

const crossing = fc
  .tuple(fc.constantFrom(...byName.keys()), fc.constantFrom(...byName.keys()))
  .chain(([from, to]) =>
    gapped(byName.get(from)?.samples.list ?? fc.constant([])).map((list) => ({ from, to, list })),
  )

const listed = property(
  "a call, a result or its outcome that another format does not say is listed at its message",
  fc.property(crossing, ({ from, to, list }) => {
    const [reader, writer] = [byName.get(from)?.format, byName.get(to)?.format]
    const read = reader?.decode(list)
    if (writer === undefined || !read?.ok) return false
    const { request, losses, ids } = writer.encode(read.conversation)
    const again = writer.decode(request)
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
export const lossesLaw: Law = {
  number: 3,
  title: "Validity: between formats, what is lost is listed",
  properties: [listed],
}
