/**
 * The encoded prompt of `effect/ai` as a format.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Format } from "../format/Format.ts"
import { guarded } from "../format/Guarded.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { polish } from "./Polish.ts"
import { readMessages, spanAt } from "./Read.ts"
import { RULES } from "./Rules.ts"
import { checkMessage } from "./Shape.ts"
import { fromStored, toStored } from "./Stored.ts"
import type { EffectMessage, EffectPrompt } from "./Wire.ts"
import { writeMessages } from "./Write.ts"

const isMessage = (value: unknown): value is EffectMessage => checkMessage(value, "") === null

const readSystem = (value: unknown): string | null =>
  isFields(value) && value.role === "system" && typeof value.content === "string" ? value.content : null

/** The format of prompts as they are stored: JSON, with tags for what it cannot hold. */
const stored: Format<EffectPrompt> = makeFormat<EffectPrompt, EffectMessage>({
  codec: {
    name: "effect-prompt",
    span: spanAt,
    read: readMessages,
    write: writeMessages,
    isUnit: (unit): unit is ReadonlyArray<EffectMessage> =>
      Array.isArray(unit) && unit.length > 0 && unit.every(isMessage),
  },
  frame: {
    list: "content",
    system: null,
    readSystem,
    isSystemMessage: (element) => readSystem(element) !== null,
    writeSystem: (content) => ({ options: {}, role: "system", content }),
  },
  // Any provider may read it: no two calls of a prompt have one id.
  ids: { alphabet: "any", min: 1, max: 256, unique: "request" },
  check: checkMessage,
  rules: RULES,
  wellFormed: "PG2",
  pairs: { closed: "EF5", moved: "EF5", "left-out": "EF5", id: "EF5" },
  polish,
})

const given = (request: EffectPrompt): EffectPrompt => fromStored(request) as EffectPrompt

/**
 * The encoded `Prompt` of `effect/ai`. A decoded one is read too, and comes back encoded.
 *
 * **Example** (The history of a chat)
 *
 * ```ts
 * import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
 *
 * const read = effectPrompt.decode([{ role: "system", content: "Be brief." }, { role: "user", content: "Where is it?" }])
 * read.ok ? [read.conversation.system, read.conversation.items.length] : [] // => ["Be brief.", 1]
 * ```
 *
 * **Example** (A prompt for a language model)
 *
 * ```ts
 * import { user } from "@palimpsest/core"
 * import { conversation } from "@palimpsest/core/formats"
 * import { effectPrompt } from "@palimpsest/core/formats/effect-prompt"
 * import { Schema } from "effect"
 * import * as Prompt from "effect/ai/Prompt"
 *
 * const { request } = effectPrompt.encode(conversation([user("Where is it?")]))
 * Schema.decodeUnknownSync(Prompt.Prompt)(request).content.length // => 1
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const effectPrompt: Format<EffectPrompt> = guarded({
  name: stored.name,
  decode: (input) => stored.decode(toStored(input)),
  encode: (conversation) => {
    const encoded = stored.encode(conversation)
    return { ...encoded, request: given(encoded.request) }
  },
  validate: (request) => stored.validate(toStored(request)),
  repair: (request) => {
    const repaired = stored.repair(toStored(request))
    return { ...repaired, request: given(repaired.request) }
  },
})
