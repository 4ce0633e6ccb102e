/**
 * From the messages of a prompt to those of a thread.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  TextPart,
  ToolMessage,
  ToolResultPart,
} from "../../thread/Message.ts"
import { argumentsText } from "../format/Arguments.ts"
import { writeExact } from "../format/ExactJson.ts"
import { isFields } from "../format/Fields.ts"
import { opaque } from "../format/Opaque.ts"
import { type Signed, signedBy } from "./Signed.ts"
import { stepsOf } from "./Steps.ts"
import { jsonOf } from "./Stored.ts"
import { type EffectMessage, type EffectPart, isClientCall, partsOf, requestsIn, stringIn } from "./Wire.ts"

const NAME = "effect-prompt"

/** The data of a file as a text: tagged bytes are base64, tagged addresses are addresses. */
const dataOf = ({ data }: EffectPart): string => {
  if (isFields(data)) return stringIn(data, "$bytes") || stringIn(data, "$url")
  return typeof data === "string" ? data : ""
}

const contentOf = (part: EffectPart): TextPart | MediaPart | OpaquePart => {
  if (part.type === "text") return { type: "text", text: stringIn(part, "text") }
  if (part.type !== "file") return opaque(NAME, part)
  const name = stringIn(part, "fileName")
  const named = name === "" ? {} : { name }
  return { type: "media", mediaType: stringIn(part, "mediaType"), data: dataOf(part), ...named }
}

/** The text of a result: a text as it is, another value as JSON. */
const textOfResult = (result: unknown): string => {
  if (result === undefined) return ""
  return typeof result === "string" ? result : (writeExact(result) ?? "")
}

/** What `effect/ai` says of a call that a person did not approve. */
const isDenied = (result: unknown): boolean => isFields(result) && result.type === "execution-denied"

const resultOf = (part: EffectPart): ToolResultPart => {
  const result = jsonOf(part.result)
  const denied = part.isFailure === true && isDenied(result)
  const text = denied && isFields(result) ? stringIn(result, "reason") : textOfResult(result)
  const failed = part.isFailure === true ? "error" : "ok"
  return {
    type: "tool-result",
    call: stringIn(part, "id"),
    name: stringIn(part, "name"),
    status: denied ? "denied" : failed,
    content: text === "" ? [] : [{ type: "text", text }],
  }
}

const readTool = (message: EffectMessage, requests: ReadonlyMap<string, string>): ToolMessage => ({
  role: "tool",
  parts: partsOf(message).flatMap((part): ToolMessage["parts"] => {
    if (part.type === "tool-result") return [resultOf(part)]
    if (part.type !== "tool-approval-response") return []
    const id = stringIn(part, "approvalId")
    const reason = typeof part.reason === "string" ? { reason: part.reason } : {}
    return [
      { type: "approval", call: requests.get(id) ?? id, id, approved: part.approved === true, ...reason },
    ]
  }),
})

const readPart = (
  part: EffectPart,
  { format, signature, redacted, id }: Signed,
  pending: ReadonlySet<string>,
): AssistantMessage["parts"][number] => {
  if (part.type === "reasoning")
    return {
      type: "reasoning",
      text: stringIn(part, "text"),
      ...(format === null || signature === undefined ? {} : { signature }),
      ...(format === null || redacted === undefined ? {} : { redacted }),
      ...(id === undefined ? {} : { id }),
    }
  if (!isClientCall(part)) return contentOf(part)
  return {
    type: "tool-call",
    id: stringIn(part, "id"),
    name: stringIn(part, "name"),
    arguments: argumentsText(part.params),
    ...(format === null || signature === undefined ? {} : { signature }),
    ...(pending.has(stringIn(part, "id")) ? { pending: true } : {}),
  }
}

const readAssistant = (message: EffectMessage): AssistantMessage => {
  const pending = new Set(requestsIn([message]).values())
  const signed = partsOf(message).map((part) => ({ part, by: signedBy(part) }))
  const format = signed.find(({ by }) => by.format !== null)?.by.format ?? null
  const parts = signed.map(({ part, by }) =>
    readPart(part, by.format === format ? by : { ...by, format: null }, pending),
  )
  return { role: "assistant", parts, ...(format === null ? {} : { format }) }
}

const readMessage = (message: EffectMessage, requests: ReadonlyMap<string, string>): Message => {
  switch (message.role) {
    case "system":
      return { role: "user", synthetic: true, parts: partsOf(message).map(contentOf) }
    case "user":
      return { role: "user", parts: partsOf(message).map(contentOf) }
    case "assistant":
      return readAssistant(message)
    case "tool":
      return readTool(message, requests)
  }
}

/** Reads a unit: a message, or a response that asks a person and the answers after it. */
export const readMessages = (unit: ReadonlyArray<EffectMessage>): ReadonlyArray<Message> => {
  const requests = requestsIn(unit)
  return unit.flatMap(stepsOf).map((message) => readMessage(message, requests))
}

/** Number of messages of the unit that starts at an index: answers of a person name their request only. */
export const spanAt = (messages: ReadonlyArray<EffectMessage>, at: number): number => {
  const first = messages[at]
  if (first === undefined || first.role !== "assistant" || requestsIn([first]).size === 0) return 1
  let end = at + 1
  while (messages[end]?.role === "tool") end += 1
  const isAnswer = (message: EffectMessage): boolean =>
    partsOf(message).some(({ type }) => type === "tool-approval-response")
  return messages.slice(at, end).findLastIndex((message, i) => i === 0 || isAnswer(message)) + 1
}
