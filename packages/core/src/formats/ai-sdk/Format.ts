/**
 * The AI SDK's model messages as a format.
 *
 * @since 0.1.0
 */
import type { Conversation } from "../format/Conversation.ts"
import type { Format, FormatSpec } from "../format/Format.ts"
import { guarded } from "../format/Guarded.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { keptUnits } from "../format/Units.ts"
import { reopened } from "./Approvals.ts"
import { fromStored, toStored } from "./Live.ts"
import { CALL_IDS } from "./Pairs.ts"
import { polish } from "./Polish.ts"
import { readMessages, spanAt } from "./Read.ts"
import { isSystem, RULES, systemTexts } from "./Rules.ts"
import { checkMessage } from "./Shape.ts"
import { type AiSdkMessage, type AiSdkRequest, NAME } from "./Wire.ts"
import { writeMessages } from "./Write.ts"

const isMessage = (value: unknown): value is AiSdkMessage => checkMessage(value, "") === null

const isSystemMessage = (value: unknown): boolean => isMessage(value) && value.role === "system"

const readSystem = (value: unknown): string | null => {
  const texts = isSystem(value) ? systemTexts(value) : []
  return texts.length === 0 ? null : texts.join("\n")
}

const spec: FormatSpec<AiSdkRequest, AiSdkMessage> = {
  codec: {
    name: NAME,
    span: spanAt,
    read: readMessages,
    write: writeMessages,
    isUnit: (unit): unit is ReadonlyArray<AiSdkMessage> =>
      Array.isArray(unit) && unit.length > 0 && unit.every(isMessage) && spanAt(unit, 0) === unit.length,
  },
  frame: {
    list: "messages",
    system: "system",
    readSystem,
    isSystemMessage,
    writeSystem: (text) => text,
  },
  ids: CALL_IDS,
  check: checkMessage,
  rules: RULES,
  wellFormed: "PG2",
  pairs: { closed: "VA1", moved: "VA2", "left-out": "VA2", id: "VA2" },
  polish,
}

/** The format of requests as they are stored: JSON, with tags for what it cannot hold. */
const stored: Format<AiSdkRequest> = makeFormat(spec)

const given = (request: AiSdkRequest): AiSdkRequest => fromStored(request) as AiSdkRequest

/** Whether the last message goes out in the form in which it came. */
const isEndKept = ({ items }: Conversation): boolean =>
  [...keptUnits(items, spec.codec)].some(([at, { length }]) => at + length === items.length)

/**
 * The AI SDK's `ModelMessage`s of versions 5 and 6, as `generateText` and `streamText` take them. Bytes and addresses
 * in files come back as what they were.
 *
 * **Example** (A conversation with Claude, continued through the AI SDK)
 *
 * ```ts
 * import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
 * import { anthropic } from "@palimpsest/core/formats/anthropic"
 *
 * const read = anthropic.decode({ system: "Be brief.", messages: [{ role: "user", content: "Where is it?" }] })
 * const request = read.ok ? aiSdk.encode(read.conversation).request : null
 * request?.system // => "Be brief."
 * request?.messages[0]?.content // => [{ type: "text", text: "Where is it?" }]
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const aiSdk: Format<AiSdkRequest> = guarded({
  name: NAME,
  decode: (input) => stored.decode(toStored(input)),
  encode: (conversation) => {
    const encoded = stored.encode(conversation)
    const request = isEndKept(conversation) ? encoded.request : reopened(encoded.request)
    return { ...encoded, request: given(request) }
  },
  validate: (request) => stored.validate(toStored(request)),
  repair: (request) => {
    const repaired = stored.repair(toStored(request))
    return { ...repaired, request: given(repaired.request) }
  },
})
