/**
 * LangChain's messages as a format.
 *
 * @since 0.1.0
 */
import type { Format } from "../format/Format.ts"
import { guarded } from "../format/Guarded.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { checkMessage } from "./Check.ts"
import { plainOf } from "./Live.ts"
import { polish } from "./Polish.ts"
import { readMessage } from "./Read.ts"
import { RULES } from "./Rules.ts"
import { idRule } from "./Sequence.ts"
import { blocksOf, type LangChainMessage, type LangChainRequest, viewOf } from "./Wire.ts"
import { writeMessages } from "./Write.ts"

const isMessage = (value: unknown): value is LangChainMessage => checkMessage(value, "") === null

/** The text of a system message; null where it holds anything else. */
const readSystem = (value: unknown): string | null => {
  const view = viewOf(value)
  if (view === null) return null
  const texts = blocksOf(view.fields).map(({ type, text }) =>
    type === "text" && typeof text === "string" ? text : null,
  )
  return texts.includes(null) ? null : texts.join("\n")
}

const plain = makeFormat<LangChainRequest, LangChainMessage>({
  codec: {
    name: "langchain",
    span: () => 1,
    read: (unit) => unit.flatMap(readMessage),
    write: writeMessages,
    isUnit: (unit): unit is ReadonlyArray<LangChainMessage> =>
      Array.isArray(unit) && unit.length === 1 && unit.every(isMessage),
  },
  frame: {
    list: "messages",
    system: null,
    readSystem,
    isSystemMessage: (element) => viewOf(element)?.kind === "system",
    writeSystem: (content) => ({
      type: "system",
      data: { content, additional_kwargs: {}, response_metadata: {} },
    }),
  },
  ids: idRule,
  check: checkMessage,
  rules: RULES,
  wellFormed: "PG2",
  pairs: { closed: "LC7", moved: "LC7", "left-out": "LC7", id: "LC7" },
  polish,
})

/**
 * LangChain's messages, in any of their forms: stored, serialised, plain, and as objects of its classes, which need no
 * import of LangChain here. New ones are written as LangChain stores them, `{type, data}`, which
 * `mapStoredMessagesToChatMessages` makes messages of; the others keep the form in which they came.
 *
 * **Example** (Messages of another provider)
 *
 * ```ts
 * import { assistant, user } from "@palimpsest/core"
 * import { conversation } from "@palimpsest/core/formats"
 * import { langchain } from "@palimpsest/core/formats/langchain"
 *
 * const { request } = langchain.encode(conversation([user("Where is it?"), assistant("Shipped.")]))
 * request.messages.map(({ type }) => type) // => ["human", "ai"]
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const langchain: Format<LangChainRequest> = guarded({
  name: plain.name,
  decode: (input) => plain.decode(plainOf(input)),
  encode: plain.encode,
  validate: (request) => plain.validate(plainOf(request)),
  repair: (request) => plain.repair(plainOf(request)),
})
