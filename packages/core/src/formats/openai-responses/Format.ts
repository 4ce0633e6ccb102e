/**
 * The Responses API as a format.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Format, Repaired } from "../format/Format.ts"
import { guarded } from "../format/Guarded.ts"
import { isLegalId } from "../format/Ids.ts"
import { makeFormat } from "../format/MakeFormat.ts"
import { wellFormedDeep } from "../format/WellFormed.ts"
import { NAME } from "./Content.ts"
import { CALL_IDS } from "./Ids.ts"
import { callIdOf, outputIdOf } from "./Kinds.ts"
import { isSystemMessage, readSystem, readUnit, spanOf } from "./Read.ts"
import { polish, RULES, unaltered } from "./Rules.ts"
import { checkItem } from "./Shape.ts"
import { isContinued, itemsOf, type ResponsesItem, type ResponsesRequest } from "./Wire.ts"
import { writeMessages } from "./Write.ts"

const isItem = (value: unknown): value is ResponsesItem => checkItem(value, "") === null

const whole: Format<ResponsesRequest> = makeFormat<ResponsesRequest, ResponsesItem>({
  codec: {
    name: NAME,
    span: spanOf,
    read: readUnit,
    write: writeMessages,
    isUnit: (unit): unit is ReadonlyArray<ResponsesItem> =>
      Array.isArray(unit) && unit.length > 0 && unit.every(isItem) && spanOf(unit, 0) === unit.length,
  },
  frame: {
    list: "input",
    system: "instructions",
    listOf: (value) => (typeof value === "string" ? [{ role: "user", content: value }] : null),
    readSystem,
    isSystemMessage,
    writeSystem: (text) => text,
  },
  ids: CALL_IDS,
  check: checkItem,
  rules: RULES,
  wellFormed: "PG2",
  pairs: { closed: "OR2", moved: "OR2", "left-out": "OR1", id: "OR11" },
  unaltered,
  polish,
})

/** Whether a value is a request that goes on from a response which the server has. */
const isContinuing = (
  request: unknown,
): request is ResponsesRequest & { readonly input: ReadonlyArray<unknown> } =>
  isFields(request) && Array.isArray(request.input) && isContinued({ ...request, input: [] })

/**
 * Outputs whose calls the server has: they come first, and nothing in the request tells what they answer. The server
 * has no call with an id that it does not allow.
 */
const continued = (request: ResponsesRequest): Repaired<ResponsesRequest> => {
  const items = itemsOf(request).filter(isItem)
  const made = new Set(items.map(callIdOf))
  const isHeld = (item: ResponsesItem): boolean =>
    outputIdOf(item) !== undefined && !made.has(outputIdOf(item))
  const all = items.filter(isHeld)
  const held = all.filter((item) => isLegalId(outputIdOf(item) ?? "", CALL_IDS))
  const others = itemsOf(request).filter((item) => !isItem(item) || !isHeld(item))
  const repaired = whole.repair({ ...request, input: others })
  const joined = polish(
    wellFormedDeep({ ...repaired.request, input: [...held, ...itemsOf(repaired.request)] }),
  )
  const moved = { rule: "OR1", path: "input", detail: "moved outputs of earlier calls to the start" }
  const odd = { rule: "OR11", path: "input", detail: "left out outputs with an id that is not allowed" }
  return {
    request: joined.request,
    repairs: [
      ...(held.length > 0 ? [moved] : []),
      ...(held.length < all.length ? [odd] : []),
      ...repaired.repairs,
      ...joined.repairs,
    ],
  }
}

/**
 * OpenAI's Responses API.
 *
 * **Example** (A response, and a request of another provider)
 *
 * ```ts
 * import { messagesIn } from "@palimpsest/core/formats"
 * import { openAiChat } from "@palimpsest/core/formats/openai-chat"
 * import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
 *
 * const read = openAiResponses.decode({
 *   instructions: "Be brief.",
 *   input: [
 *     { role: "user", content: "Where is it?" },
 *     { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ZW5j" },
 *     { type: "function_call", id: "fc_1", call_id: "call_1", name: "find", arguments: "{}" },
 *     { type: "function_call_output", call_id: "call_1", output: "here" },
 *   ],
 * })
 * read.ok ? messagesIn(read.conversation).map(({ role }) => role) : [] // => ["user", "assistant", "tool"]
 * const sent = read.ok ? openAiChat.encode(read.conversation) : null
 * sent?.request.messages.map(({ role }) => role) // => ["system", "user", "assistant", "tool"]
 * ```
 *
 * @category formats
 * @since 0.1.0
 */
export const openAiResponses: Format<ResponsesRequest> = guarded({
  ...whole,
  repair: (request) =>
    isContinuing(request) && whole.validate(request).length > 0 ? continued(request) : whole.repair(request),
})
