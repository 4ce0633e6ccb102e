/**
 * Anthropic's Messages as a format.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Format } from "../format/Format.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { polish } from "./Polish.ts"
import { readMessage } from "./Read.ts"
import { RULES } from "./Rules.ts"
import { type AnthropicMessage, type AnthropicRequest, checkMessage } from "./Wire.ts"
import { writeMessages } from "./Write.ts"

const isMessage = (value: unknown): value is AnthropicMessage => checkMessage(value, "") === null

/** The text of a system prompt: a string, or blocks of text. */
const readSystem = (value: unknown): string | null => {
  if (typeof value === "string") return value
  if (!Array.isArray(value)) return null
  const texts = value.map((block) => (isFields(block) && typeof block.text === "string" ? block.text : null))
  return texts.includes(null) ? null : texts.join("\n")
}

/**
 * Anthropic's Messages API.
 *
 * **Example** (A request of another provider)
 *
 * ```ts
 * import { anthropic } from "@palimpsest/core/formats/anthropic"
 *
 * const read = anthropic.decode({ system: "Be brief.", messages: [{ role: "user", content: "Where is it?" }] })
 * read.ok ? anthropic.encode(read.conversation).request.system : "" // => "Be brief."
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const anthropic: Format<AnthropicRequest> = makeFormat<AnthropicRequest, AnthropicMessage>({
  codec: {
    name: "anthropic",
    span: () => 1,
    read: (unit) => unit.flatMap(readMessage),
    write: writeMessages,
    isUnit: (unit): unit is ReadonlyArray<AnthropicMessage> =>
      Array.isArray(unit) && unit.length === 1 && unit.every(isMessage),
  },
  frame: {
    list: "messages",
    system: "system",
    readSystem,
    isSystemMessage: () => false,
    writeSystem: (text) => text,
  },
  ids: { alphabet: "dashes", min: 1, max: 64, unique: "request" },
  check: checkMessage,
  rules: RULES,
  wellFormed: "PG2",
  pairs: { closed: "AN3", moved: "AN3", "left-out": "AN5", id: "AN6" },
  polish,
})
