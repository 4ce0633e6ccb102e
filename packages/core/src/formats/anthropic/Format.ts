/**
 * Anthropic's Messages as a format.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Format } from "../format/Format.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { type AnthropicOptions, limitsFor } from "./Limits.ts"
import { polishFor, unaltered } from "./Polish.ts"
import { isUnit, readUnit, spanOf } from "./Read.ts"
import { checkFor } from "./Rules.ts"
import { type AnthropicMessage, type AnthropicRequest, CALL_IDS, checkMessage } from "./Wire.ts"
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
 * Makes the format for a model: one with a larger window takes more images.
 *
 * **Example** (A model with a window of a million tokens)
 *
 * ```ts
 * import { anthropicFor } from "@palimpsest/core/formats/anthropic"
 *
 * const source = { type: "url", url: "https://example.org/a.png" }
 * const content = Array.from({ length: 101 }, () => ({ type: "image", source }))
 * const request = { messages: [{ role: "user", content }] }
 * anthropicFor({ window: 1_000_000 }).validate(request).length // => 0
 * anthropicFor({ window: 200_000 }).validate(request)[0]?.rule // => "AN20"
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const anthropicFor = (options: AnthropicOptions): Format<AnthropicRequest> => {
  const limits = limitsFor(options)
  return makeFormat<AnthropicRequest, AnthropicMessage>({
    codec: {
      name: "anthropic",
      span: spanOf,
      read: readUnit,
      write: writeMessages,
      isUnit: (unit): unit is ReadonlyArray<AnthropicMessage> =>
        Array.isArray(unit) && unit.every(isMessage) && isUnit(unit),
    },
    frame: {
      list: "messages",
      system: "system",
      readSystem,
      isSystemMessage: () => false,
      writeSystem: (text) => text,
    },
    ids: CALL_IDS,
    check: checkMessage,
    rules: checkFor(limits),
    wellFormed: "PG2",
    pairs: { closed: "AN3", moved: "AN3", "left-out": "AN5", id: "AN6" },
    unaltered,
    polish: polishFor(limits),
  })
}

/**
 * Anthropic's Messages API, for models with a window of 200,000 tokens.
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
export const anthropic: Format<AnthropicRequest> = anthropicFor({})
