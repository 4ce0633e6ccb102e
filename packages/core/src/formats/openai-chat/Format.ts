/**
 * Chat Completions as a format, for OpenAI's API and for servers that speak it.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Format } from "../format/Format.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { DIALECTS, type OpenAiChatDialect } from "./Dialect.ts"
import { readMessage, readSystem } from "./Read.ts"
import { polishOf, rulesOf } from "./Rules.ts"
import { checkMessage } from "./Shape.ts"
import type { OpenAiChatRequest, OpenAiMessage } from "./Wire.ts"
import { writeMessages } from "./Write.ts"

const isMessage = (value: unknown): value is OpenAiMessage => checkMessage(value, "") === null

/**
 * Makes the format for a kind of server.
 *
 * **Example** (Ids that Mistral takes)
 *
 * ```ts
 * import { assistant, toolResult, user } from "@palimpsest/core"
 * import { conversation } from "@palimpsest/core/formats"
 * import { openAiChatFor } from "@palimpsest/core/formats/openai-chat"
 *
 * const call = { id: "call_1", name: "find", arguments: "{}" }
 * const thread = [user("Where?"), assistant("", [call]), toolResult("call_1", "here"), user("And now?")]
 * const mistral = openAiChatFor("mistral")
 * const { request, ids } = mistral.encode(conversation(thread))
 * const roles = mistral.repair(request).request.messages.map(({ role }) => role)
 * Array.from(ids.values()) // => ["call_1"]
 * roles // => ["user", "assistant", "tool", "assistant", "user"]
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const openAiChatFor = (name: OpenAiChatDialect): Format<OpenAiChatRequest> => {
  const dialect = DIALECTS[name]
  return makeFormat<OpenAiChatRequest, OpenAiMessage>({
    codec: {
      name: "openai-chat",
      span: () => 1,
      read: (unit) => unit.map(readMessage),
      write: writeMessages(dialect),
      isUnit: (unit): unit is ReadonlyArray<OpenAiMessage> =>
        Array.isArray(unit) && unit.length === 1 && unit.every(isMessage),
    },
    frame: {
      list: "messages",
      system: null,
      readSystem,
      isSystemMessage: (value) => isFields(value) && (value.role === "system" || value.role === "developer"),
      writeSystem: (text): OpenAiMessage => ({ role: "system", content: text }),
    },
    ids: dialect.ids,
    check: checkMessage,
    rules: rulesOf(dialect),
    wellFormed: "OC10",
    pairs: { closed: "OC1", moved: "OC1", "left-out": "OC2", id: dialect.idRule },
    polish: polishOf(dialect),
  })
}

/**
 * OpenAI's Chat Completions.
 *
 * **Example** (A request of another provider)
 *
 * ```ts
 * import { anthropic } from "@palimpsest/core/formats/anthropic"
 * import { openAiChat } from "@palimpsest/core/formats/openai-chat"
 *
 * const read = anthropic.decode({ system: "Be brief.", messages: [{ role: "user", content: "Where is it?" }] })
 * read.ok ? openAiChat.encode(read.conversation).request.messages.map(({ role }) => role) : []
 * // => ["system", "user"]
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const openAiChat: Format<OpenAiChatRequest> = openAiChatFor("openai")
