/**
 * From the AI SDK's model messages to those of a thread.
 *
 * @since 0.1.0
 */
import type {
  ApprovalPart,
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "../../thread/Message.ts"
import { argumentsText } from "../format/Arguments.ts"
import { opaque } from "../format/Opaque.ts"
import { textOfData } from "./Live.ts"
import { readOutput } from "./Output.ts"
import { formatOf, readSigned, type Signed, signedCall, signedReasoning } from "./Signed.ts"
import {
  type AiSdkMessage,
  type AiSdkPart,
  fieldsIn,
  isClientAnswer,
  isClientCall,
  NAME,
  partsOf,
  requestsIn,
  stringIn,
} from "./Wire.ts"

/** How an image is to be looked at, where OpenAI's options say it. */
export const detailIn = (options: unknown): Pick<MediaPart, "detail"> => {
  const { imageDetail } = fieldsIn(fieldsIn({ options }, "options"), "openai")
  return imageDetail === "low" || imageDetail === "high" || imageDetail === "auto"
    ? { detail: imageDetail }
    : {}
}

const mediaOf = (part: AiSdkPart): MediaPart | null => {
  const data = textOfData(part.type === "image" ? part.image : part.data)
  if ((part.type !== "image" && part.type !== "file") || data === null) return null
  const name = stringIn(part, "filename")
  return {
    type: "media",
    mediaType:
      stringIn(part, "mediaType") || (part.type === "image" ? "image/*" : "application/octet-stream"),
    data,
    ...detailIn(part.providerOptions),
    ...(name === "" ? {} : { name }),
  }
}

/** A compaction is a text by its type only: its provider made it, and takes it as it is. */
export const isCompaction = ({ providerOptions }: AiSdkPart): boolean =>
  fieldsIn(fieldsIn({ providerOptions }, "providerOptions"), "anthropic").type === "compaction"

/** How a part is kept that is neither text nor a file. */
type Keep = (part: AiSdkPart) => OpaquePart

const asItCame: Keep = (part) => opaque(NAME, part)

/** What a part says. */
export const contentOf = (part: AiSdkPart, keep: Keep = asItCame): TextPart | MediaPart | OpaquePart => {
  if (part.type === "text" && isCompaction(part)) return asItCame(part)
  return part.type === "text" ? { type: "text", text: stringIn(part, "text") } : (mediaOf(part) ?? keep(part))
}

/** The arguments of a call: a text is what the model wrote, as it came. */
export const argumentsIn = (input: unknown): string =>
  typeof input === "string" ? input : argumentsText(input)

const signedBy = (part: AiSdkPart): Signed => {
  if (part.type === "reasoning") return signedReasoning(part.providerOptions)
  return isClientCall(part) ? signedCall(part.providerOptions) : { format: null }
}

/** Reasoning of one item comes as several parts: they are one, and what is encrypted is all of it. */
const joined = (parts: AssistantMessage["parts"]): AssistantMessage["parts"] => {
  const made: Array<AssistantMessage["parts"][number]> = []
  for (const part of parts) {
    const last = made.at(-1)
    const isSame = part.type === "reasoning" && last?.type === "reasoning" && last.id === part.id
    if (!isSame || part.id === undefined) made.push(part)
    else {
      const text = [last.text, part.text].filter((one) => one !== "").join("\n\n")
      made[made.length - 1] = { ...last, ...part, text }
    }
  }
  return made
}

const readCall = (part: AiSdkPart, asked: ReadonlySet<string>): ToolCallPart => {
  const id = stringIn(part, "toolCallId")
  return {
    type: "tool-call",
    id,
    name: stringIn(part, "toolName"),
    arguments: argumentsIn(part.input),
    ...(asked.has(id) ? { pending: true } : {}),
  }
}

/** The parts of a response, and the format of the provider that signed some of them. */
export const readParts = (
  parts: ReadonlyArray<AiSdkPart>,
  keep: Keep = asItCame,
): { readonly parts: AssistantMessage["parts"]; readonly format: string | null } => {
  const signed = parts.map((part) => ({ part, by: signedBy(part) }))
  const format = formatOf(signed.map(({ by }) => by))
  const asked = new Set(requestsIn([{ role: "assistant", content: parts }]).values())
  const read = signed.map(({ part, by }): AssistantMessage["parts"][number] => {
    const own = readSigned(by, format)
    if (part.type === "reasoning") return { type: "reasoning", text: stringIn(part, "text"), ...own }
    return isClientCall(part) ? { ...readCall(part, asked), ...own } : contentOf(part, keep)
  })
  return { parts: joined(read), format }
}

const readAssistant = (message: AiSdkMessage): AssistantMessage => {
  const { parts, format } = readParts(partsOf(message))
  return { role: "assistant", parts, ...(format === null ? {} : { format }) }
}

const answerOf = (part: AiSdkPart, requests: ReadonlyMap<string, string>): ToolResultPart | ApprovalPart => {
  if (part.type === "tool-result") {
    const call = stringIn(part, "toolCallId")
    return { type: "tool-result", call, name: stringIn(part, "toolName"), ...readOutput(part) }
  }
  const id = stringIn(part, "approvalId")
  const reason = typeof part.reason === "string" ? { reason: part.reason } : {}
  return { type: "approval", call: requests.get(id) ?? id, id, approved: part.approved === true, ...reason }
}

/** Answers to calls of the provider belong to no call of the thread: they are kept beside the results. */
const readTool = (message: AiSdkMessage, requests: ReadonlyMap<string, string>): ReadonlyArray<Message> => {
  const parts = partsOf(message)
  const own = parts.filter(isClientAnswer).map((part) => answerOf(part, requests))
  const others = parts.filter((part) => !isClientAnswer(part)).map((part) => opaque(NAME, part))
  const results: ReadonlyArray<ToolMessage> =
    own.length === 0 && others.length > 0 ? [] : [{ role: "tool", parts: own }]
  return others.length === 0 ? results : [...results, { role: "user", synthetic: true, parts: others }]
}

const readMessage = (
  message: AiSdkMessage,
  requests: ReadonlyMap<string, string>,
): ReadonlyArray<Message> => {
  switch (message.role) {
    case "system":
      return [{ role: "user", synthetic: true, parts: partsOf(message).map((part) => contentOf(part)) }]
    case "user":
      return [{ role: "user", parts: partsOf(message).map((part) => contentOf(part)) }]
    case "assistant":
      return [readAssistant(message)]
    case "tool":
      return readTool(message, requests)
  }
}

/** Reads a unit: a message, or a response that asks a person and the answers after it. */
export const readMessages = (unit: ReadonlyArray<AiSdkMessage>): ReadonlyArray<Message> => {
  const requests = requestsIn(unit)
  return unit.flatMap((message) => readMessage(message, requests))
}

const isApproved = (message: AiSdkMessage): boolean =>
  partsOf(message).some(({ type }) => type === "tool-approval-response")

/** Number of messages of the unit that starts at an index: the answer of a person names its request only. */
export const spanAt = (messages: ReadonlyArray<AiSdkMessage>, at: number): number => {
  const first = messages[at]
  if (first === undefined || requestsIn([first]).size === 0) return 1
  let end = at + 1
  while (messages[end]?.role === "tool") end += 1
  return messages.slice(at, end).findLastIndex((message, i) => i === 0 || isApproved(message)) + 1
}
