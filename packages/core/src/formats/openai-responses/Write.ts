/**
 * From the messages of a thread to items of the Responses API.
 *
 * @since 0.1.0
 */

import { isWellFormed } from "../../text/Unicode.ts"
import type {
  AssistantMessage,
  Message,
  OpaquePart,
  ReasoningPart,
  ToolCallPart,
  ToolMessage,
} from "../../thread/Message.ts"
import type { Loss } from "../format/Conversation.ts"
import { readExact } from "../format/ExactJson.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { mediaPlaceholder } from "../format/Media.ts"
import { opaqueValue } from "../format/Opaque.ts"
import type { WriteContext, Written } from "../format/Units.ts"
import { loneSurrogates } from "../format/WellFormed.ts"
import { asContent, NAME, type Note, writeParts } from "./Content.ts"
import { isReasoning, isReferenceKind, typeOfKind } from "./Kinds.ts"
import { isBlank, type ResponsesItem } from "./Wire.ts"
import { writeOutput } from "./WriteOutput.ts"

/** What stands where a user said nothing. */
const BLANK = "(blank)"

/** A name in the alphabet of names of functions. */
export const legalName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "tool"

/**
 * Reasoning goes back to the provider that it came from, unaltered, or not at all. Its id goes only where what it led to
 * has its own: the provider compares both. What is encrypted says all without an id.
 */
const writeReasoning = (
  part: ReasoningPart,
  { isOwn, paired }: Response,
  note: Note,
): ReadonlyArray<ResponsesItem> => {
  const { text, signature, id } = part
  const isPaired = paired.has(part)
  if (!isOwn || (signature === undefined && !isPaired)) {
    note("dropped", "reasoning", isOwn ? "what it led to is written anew" : "it is not of this provider")
    return []
  }
  if (!isWellFormed(text) || !isWellFormed(signature ?? "")) {
    note("dropped", "reasoning", "it holds half of a character, and is sent unaltered or not at all")
    return []
  }
  return [
    {
      type: "reasoning",
      ...(isPaired ? { id } : {}),
      summary: text === "" ? [] : [{ type: "summary_text", text }],
      ...(signature === undefined ? {} : { encrypted_content: signature }),
    },
  ]
}

const fieldsIn = (text: string): Fields | null => {
  const fields = readExact(text)
  return isFields(fields) ? fields : null
}

/** A call that is none of a function: its fields are its arguments. Its id goes where its reasoning goes. */
const writeOther = (call: ToolCallPart, isNamed: boolean, note: Note): ResponsesItem | null => {
  const { id, kind, arguments: text } = call
  if (isReferenceKind(kind)) {
    const fields = fieldsIn(text)
    return typeof fields?.id === "string" ? { type: "item_reference", id: fields.id } : null
  }
  const type = kind === undefined ? undefined : typeOfKind(kind)
  if (type === undefined) return null
  const fields = fieldsIn(text)
  if (fields === null) note("changed", `the arguments of the call ${id}`, "they are no JSON object")
  const { id: _, ...others } = fields ?? {}
  const kept = isNamed || type.callId === "id" ? (fields ?? {}) : others
  const named = kind === "mcp_approval" ? { name: call.name } : {}
  return { type: type.call, ...kept, ...named, [type.callId]: id }
}

const writeCall = (call: ToolCallPart, isNamed: boolean, note: Note): ResponsesItem => {
  const { id, kind, arguments: text } = call
  if (call.signature !== undefined)
    note("dropped", `the signature of the call ${id}`, "the format has no place for it")
  const other = kind === "custom" ? null : writeOther(call, isNamed, note)
  if (other !== null) return other
  const name = legalName(call.name)
  if (name !== call.name) note("changed", `the name of the tool ${call.name}`, "its letters are not allowed")
  if (kind === "custom") return { type: "custom_tool_call", call_id: id, name, input: text }
  if (kind !== undefined) note("changed", `the call ${id}`, `the format has no calls of the kind ${kind}`)
  return { type: "function_call", name, arguments: text, call_id: id }
}

/** The phase of the texts that follow; undefined for an item that is kept whole. */
const phaseIn = (own: Fields): string | undefined =>
  own.type === "message" && own.role === undefined && typeof own.phase === "string" ? own.phase : undefined

/** Whether a part is written with an id of its own. */
const isNamedPart = (part: AssistantMessage["parts"][number] | undefined): boolean => {
  if (part?.type === "opaque") return typeof opaqueValue(part, NAME)?.id === "string"
  if (part?.type !== "tool-call" || part.kind === undefined || part.kind === "custom") return false
  return !isReferenceKind(part.kind) && typeof fieldsIn(part.arguments)?.id === "string"
}

/** What the writing of a response looks at beside its parts. */
interface Response {
  readonly isOwn: boolean
  /** Its reasoning that is sent with an id. */
  readonly paired: ReadonlySet<ReasoningPart>
  /** It was signed, and its reasoning is not sent: items that name it would be refused. */
  readonly isRobbed: boolean
}

const responseOf = ({ format, parts }: AssistantMessage): Response => {
  const isOwn = format === NAME
  const thoughts = parts.flatMap((part, i) =>
    part.type === "reasoning"
      ? [{ part, isPaired: isNamedPart(parts.slice(i).find((next) => next.type !== "reasoning")) }]
      : [],
  )
  const paired = thoughts.filter(({ part, isPaired }) => isPaired && part.id !== undefined)
  const isSealed = parts.some(
    (part) => part.type === "opaque" && typeof opaqueValue(part, NAME)?.encrypted_content === "string",
  )
  const isThought = paired.length > 0 || thoughts.some(({ part }) => part.signature !== undefined)
  return {
    isOwn,
    paired: new Set(isOwn ? paired.map(({ part }) => part) : []),
    isRobbed: isOwn && !isThought && !isSealed,
  }
}

const writeOpaque = (
  part: OpaquePart,
  own: Fields,
  { isRobbed }: Response,
  note: Note,
): ReadonlyArray<ResponsesItem> => {
  if (typeof own.encrypted_content === "string" && loneSurrogates(own).length > 0) {
    note(
      "dropped",
      `a part of ${part.format}`,
      "it holds half of a character, and is sent unaltered or not at all",
    )
    return []
  }
  if (!isRobbed || typeof own.id !== "string") return [own]
  note("dropped", `a part of ${part.format}`, "its reasoning is not sent")
  return []
}

const writeSaid = (text: string, phase: string | undefined): ReadonlyArray<ResponsesItem> =>
  isBlank(text) ? [] : [{ role: "assistant", content: text, ...(phase === undefined ? {} : { phase }) }]

/** A response does not end with reasoning: the provider wants what it led to. */
const writeResponse = (message: AssistantMessage, note: Note): ReadonlyArray<ResponsesItem> => {
  const response = responseOf(message)
  if (message.name !== undefined) note("dropped", "the name of a speaker", "the format has no place for it")
  let phase: string | undefined
  const items = message.parts.flatMap((part): ReadonlyArray<ResponsesItem> => {
    if (part.type === "text") return writeSaid(part.text, phase)
    const own = part.type === "opaque" ? opaqueValue(part, NAME) : undefined
    const head = own === undefined ? undefined : phaseIn(own)
    phase = head
    if (head !== undefined) return []
    if (part.type === "reasoning") return writeReasoning(part, response, note)
    if (part.type === "tool-call") return [writeCall(part, response.paired.size > 0, note)]
    if (part.type === "media") {
      note("changed", part.mediaType, "a response cannot carry media")
      return writeSaid(mediaPlaceholder(part, "not shown"), undefined)
    }
    if (own !== undefined) return writeOpaque(part, own, response, note)
    note("dropped", `a part of ${part.format}`, "only its own format can carry it")
    return []
  })
  const end = items.findLastIndex((item) => !isReasoning(item)) + 1
  if (end < items.length) note("dropped", "reasoning", "nothing follows it in the response")
  return items.slice(0, end)
}

const writeOutputs = (
  message: ToolMessage,
  context: WriteContext,
  note: Note,
): ReadonlyArray<ResponsesItem> =>
  message.parts.flatMap((part) => {
    if (part.type === "tool-result") return [writeOutput(part, context.kindOf(part.call), note)]
    note("dropped", "an approval", "the format has no place for it")
    return []
  })

const writeMessage = (message: Message, context: WriteContext, note: Note): ReadonlyArray<ResponsesItem> => {
  if (message.role === "assistant") return writeResponse(message, note)
  if (message.role === "tool") return writeOutputs(message, context, note)
  if (message.name !== undefined) note("dropped", "the name of a speaker", "the format has no place for it")
  return [{ role: "user", content: asContent(writeParts(message.parts, note), BLANK) }]
}

/** Writes messages. */
export const writeMessages = (
  messages: ReadonlyArray<Message>,
  context: WriteContext,
): Written<ResponsesItem> => {
  const losses: Array<Loss> = []
  const wire = messages.flatMap((message, index) =>
    writeMessage(message, context, (kind, what, why) => losses.push({ kind, message: index, what, why })),
  )
  return { wire, losses }
}
