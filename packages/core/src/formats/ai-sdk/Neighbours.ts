/**
 * Messages of one role side by side. The AI SDK joins tool messages, and the options of the first go to its last part:
 * VA4. Gemini takes no call after another response, and the SDK's provider for it joins none: VA2.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { Repaired } from "../format/Format.ts"
import type { WireRepair } from "../format/Rule.ts"
import { type AiSdkMessage, type AiSdkPart, type AiSdkRequest, isClientCall, partsOf } from "./Wire.ts"

/** Whether the second of two neighbours may not stand beside the first. */
type Meet = (first: AiSdkMessage, second: AiSdkMessage) => boolean

/** Whether a tool message with options of its own stands before another one. */
export const losesOptions: Meet = (first, second) =>
  first.role === "tool" && second.role === "tool" && isFields(first.providerOptions)

/** Whether a response with calls stands right after another response. */
export const callsAfterResponse: Meet = (first, second) =>
  first.role === "assistant" && second.role === "assistant" && partsOf(second).some(isClientCall)

const fieldsOf = (value: unknown): { readonly [key: string]: unknown } => (isFields(value) ? value : {})

/** Options of a message beside those of its last part, which win: as the SDK merges them. */
const mergedOptions = (message: unknown, part: unknown): object =>
  Object.fromEntries(
    Object.entries({ ...fieldsOf(message), ...fieldsOf(part) }).map(([provider]) => [
      provider,
      { ...fieldsOf(fieldsOf(message)[provider]), ...fieldsOf(fieldsOf(part)[provider]) },
    ]),
  )

/** The parts of a message whose options are those of its last part now. */
const ownParts = (message: AiSdkMessage): ReadonlyArray<AiSdkPart> => {
  const parts = partsOf(message)
  const { providerOptions } = message
  if (!isFields(providerOptions)) return parts
  return parts.map((part, at) =>
    at === parts.length - 1
      ? { ...part, providerOptions: mergedOptions(providerOptions, part.providerOptions) }
      : part,
  )
}

/** Joins neighbours that may not stand side by side. */
const joining =
  (rule: string, detail: string, isJoined: Meet) =>
  (request: AiSdkRequest): Repaired<AiSdkRequest> => {
    const messages: Array<AiSdkMessage> = []
    const repairs: Array<WireRepair> = []
    for (const [i, message] of request.messages.entries()) {
      const last = messages.at(-1)
      if (last === undefined || !isJoined(last, message)) {
        messages.push(message)
        continue
      }
      messages[messages.length - 1] = { ...message, content: [...ownParts(last), ...partsOf(message)] }
      repairs.push({ rule, path: `messages[${i}]`, detail })
    }
    return repairs.length === 0 ? { request, repairs } : { request: { ...request, messages }, repairs }
  }

/** Joins tool messages where options would go astray. */
export const withOwnOptions = joining("VA4", "merged with the tool message before it", losesOptions)

/** Joins responses where a call would not follow what a user or a tool said. */
export const withOneResponse = joining("VA2", "merged with the response before it", callsAfterResponse)
