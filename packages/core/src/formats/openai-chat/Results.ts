/**
 * Results are text: OC6. What is none moves to a user message after the results of the response.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule, WireRepair } from "../format/Rule.ts"
import type { Dialect } from "./Dialect.ts"
import { eachMessage } from "./Pairs.ts"
import { isText, type OpenAiChatRequest, type OpenAiMessage, type OpenAiPart, partsOf } from "./Wire.ts"
import { mediaTitle, NO_OUTPUT } from "./Write.ts"

const isOddPart = (part: OpenAiPart): boolean => !isText(part)

const faultOf = ({ role, content }: OpenAiMessage, { isRich }: Dialect): string | null => {
  if (role !== "tool" || typeof content === "string") return null
  if (partsOf(content).some(isOddPart)) return "a result that is no text"
  return isRich && Array.isArray(content) ? null : "a result that is a list of texts"
}

/** OC6: a result is text: a string, or a list of texts where the server takes one. */
export const resultIsText = (dialect: Dialect): Rule<OpenAiChatRequest> =>
  eachMessage("OC6", (message) => {
    const detail = faultOf(message, dialect)
    return detail === null ? [] : [detail]
  })

/** What stands in the text of a result for a part that moved. */
const lineFor = ({ type }: OpenAiPart): string => `[${type}: in the user message after the results]`

const textOf = (part: OpenAiPart): string => (isText(part) ? part.text : lineFor(part))

/** The parts that a user message can carry: a refusal is none. */
const movedFrom = (parts: ReadonlyArray<OpenAiPart>): ReadonlyArray<OpenAiPart> =>
  parts.filter((part) => isOddPart(part) && part.type !== "refusal")

/** A request whose results are text. */
export const withTextResults =
  (dialect: Dialect) =>
  (request: OpenAiChatRequest): Repaired<OpenAiChatRequest> => {
    const repairs: Array<WireRepair> = []
    const messages: Array<OpenAiMessage> = []
    let waiting: ReadonlyArray<OpenAiPart> = []
    const handOver = () => {
      if (waiting.length > 0) messages.push({ role: "user", content: waiting })
      waiting = []
    }
    for (const [i, message] of request.messages.entries()) {
      const detail = faultOf(message, dialect)
      if (message.role !== "tool") handOver()
      if (message.role !== "tool" || detail === null) {
        messages.push(message)
        continue
      }
      const parts = partsOf(message.content)
      const moved = movedFrom(parts)
      repairs.push({ rule: "OC6", path: `messages[${i}]`, detail: `made a text of it: ${detail}` })
      messages.push({ ...message, content: parts.map(textOf).join("\n") || NO_OUTPUT })
      if (moved.length > 0) waiting = [...waiting, mediaTitle(message.tool_call_id), ...moved]
    }
    handOver()
    return { request: repairs.length === 0 ? request : { ...request, messages }, repairs }
  }
