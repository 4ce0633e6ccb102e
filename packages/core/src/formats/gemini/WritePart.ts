/**
 * From single parts of a thread to those of Gemini.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  MediaPart,
  OpaquePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from "../../thread/Message.ts"
import { argumentsObject } from "../format/Arguments.ts"
import type { Loss } from "../format/Conversation.ts"
import { base64Of, isAddress, mediaPlaceholder, mediaTypeOf, opaquePlaceholder } from "../format/Media.ts"
import { opaqueValue } from "../format/Opaque.ts"
import { noteRefusal } from "../format/Refusal.ts"
import { isDerivedId } from "./CallId.ts"
import { writeResponse } from "./Response.ts"
import { SENTINEL } from "./Sentinel.ts"
import type { Dialect, GeminiPart } from "./Wire.ts"

const NAME = "gemini"

/** Collects what cannot be said, for one message. */
export type Note = (kind: Loss["kind"], what: string, why: string) => void

const text = (value: string): GeminiPart => ({ text: value })

/** A medium: data inline, an address as a file. */
const mediaData = ({ data, mediaType }: MediaPart): GeminiPart | null => {
  if (isAddress(data)) return { fileData: { mimeType: mediaType, fileUri: data } }
  const base64 = base64Of(data)
  return base64 === "" ? null : { inlineData: { mimeType: mediaTypeOf(data, mediaType), data: base64 } }
}

const writeMedia = (media: MediaPart, note: Note): GeminiPart => {
  const written = mediaData(media)
  if (written === null) {
    note("changed", media.mediaType, "it has no data")
    return text(mediaPlaceholder(media, "cannot be sent here"))
  }
  if (media.name !== undefined) note("dropped", "the name of a file", "the format has no place for it")
  return written
}

/** What a user says; empty texts are none. */
export const writeContent = (
  parts: ReadonlyArray<TextPart | MediaPart | OpaquePart>,
  note: Note,
): ReadonlyArray<GeminiPart> =>
  parts.flatMap((part): ReadonlyArray<GeminiPart> => {
    if (part.type === "media") return [writeMedia(part, note)]
    if (part.type === "text") return part.text === "" ? [] : [text(part.text)]
    const own = opaqueValue(part, NAME)
    if (own !== undefined) return [own]
    note("changed", `a part of ${part.format}`, "only its own format can carry it")
    return [text(opaquePlaceholder(part))]
  })

interface ModelContext {
  readonly dialect: Dialect
  readonly note: Note
  /** The format that signed the message. */
  readonly format: string | undefined
  readonly isFirstCall: boolean
}

/** Reasoning goes back to the provider that signed it, unaltered, or not at all. */
const writeReasoning = (
  { text: thought, signature }: ReasoningPart,
  { format, note }: ModelContext,
): ReadonlyArray<GeminiPart> => {
  if (format !== NAME) {
    note("dropped", "reasoning", "this provider did not sign it")
    return []
  }
  const signed = signature === undefined ? {} : { thoughtSignature: signature }
  return thought === "" && signature === undefined ? [] : [{ text: thought, thought: true, ...signed }]
}

const writeCall = (
  call: ToolCallPart,
  { dialect, note, format, isFirstCall }: ModelContext,
): ReadonlyArray<GeminiPart> => {
  const { value, isWrapped } = argumentsObject(call.arguments)
  if (isWrapped) note("changed", `the arguments of the call ${call.id}`, "they are no JSON object")
  const isOwn = call.signature !== undefined && format === NAME
  if (call.signature !== undefined && !isOwn)
    note("dropped", `the signature of the call ${call.id}`, "another provider made it")
  const otherwise = isFirstCall && dialect.generation === 3 ? SENTINEL : undefined
  const thoughtSignature = isOwn ? call.signature : otherwise
  return [
    {
      functionCall: { ...idField(call.id, dialect), name: call.name, args: value },
      ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
    },
  ]
}

const idField = (id: string, { ids }: Dialect): { readonly id?: string } =>
  ids && !isDerivedId(id) ? { id } : {}

/** Writes a part of a response. */
export const writeModelPart = (
  part: AssistantMessage["parts"][number],
  context: ModelContext,
): ReadonlyArray<GeminiPart> => {
  switch (part.type) {
    case "reasoning":
      return writeReasoning(part, context)
    case "tool-call":
      return writeCall(part, context)
    case "text":
    case "media":
      return writeContent([part], context.note)
    case "opaque": {
      const own = opaqueValue(part, NAME)
      if (own !== undefined) return [own]
      context.note("dropped", `a part of ${part.format}`, "only its own format can carry it")
      return []
    }
  }
}

interface ResultContext {
  readonly dialect: Dialect
  readonly note: Note
  readonly nameOf: (call: string) => string | undefined
}

/** The response, and the media that cannot be inside it. */
interface WrittenResult {
  readonly response: GeminiPart
  readonly beside: ReadonlyArray<GeminiPart>
}

/** Writes a result. */
export const writeResult = (
  result: ToolResultPart,
  { dialect, note, nameOf }: ResultContext,
): WrittenResult => {
  const media = result.content.filter((part) => part.type === "media")
  const inside = (part: MediaPart): boolean =>
    dialect.generation === 3 && !isAddress(part.data) && mediaData(part) !== null
  const beside = media.filter((part) => !inside(part))
  noteRefusal(result, note)
  if (beside.length > 0) note("changed", "media of a result", "they stand beside the result")
  const others = result.content.flatMap((part) => (part.type === "opaque" ? [part] : []))
  const own = others.flatMap((part) => opaqueValue(part, NAME) ?? [])
  const foreign = others.filter((part) => opaqueValue(part, NAME) === undefined)
  for (const { format } of foreign) note("changed", `a part of ${format}`, "only its own format can carry it")
  const texts = result.content.flatMap((part) => {
    if (part.type === "text") return [part.text]
    return part.type === "opaque" && foreign.includes(part) ? [opaquePlaceholder(part)] : []
  })
  const parts = [...media.filter(inside).map((part) => writeMedia(part, note)), ...own]
  const name = nameOf(result.call) ?? result.name ?? "unknown"
  return {
    response: {
      functionResponse: {
        ...idField(result.call, dialect),
        name,
        response: writeResponse({ status: result.status, text: texts.join("\n") }),
        ...(parts.length === 0 ? {} : { parts }),
      },
    },
    beside: beside.map((part) => writeMedia(part, note)),
  }
}
