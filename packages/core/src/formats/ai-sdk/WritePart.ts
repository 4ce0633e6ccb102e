/**
 * From single parts of a thread to those of a model message.
 *
 * @since 0.1.0
 */
import type { AssistantMessage, MediaPart, OpaquePart, TextPart, ToolCallPart } from "../../thread/Message.ts"
import { argumentsObject } from "../format/Arguments.ts"
import type { Fields } from "../format/Fields.ts"
import { mediaPlaceholder, opaquePlaceholder } from "../format/Media.ts"
import { opaquePart } from "../format/Opaque.ts"
import { UI } from "./FromUi.ts"
import { isSendable } from "./Media.ts"
import { isBlank, type Note } from "./Output.ts"
import { callOptions, reasoningOptions } from "./Signed.ts"
import { type AiSdkPart, NAME } from "./Wire.ts"

const text = (value: string): AiSdkPart => ({ type: "text", text: value })

const writeMedia = (media: MediaPart, note: Note): AiSdkPart => {
  const { data, mediaType, name, detail } = media
  if (!isSendable(media)) {
    note("changed", mediaType, "it has no data that can be sent")
    return text(mediaPlaceholder(media, "cannot be sent here"))
  }
  return {
    type: "file",
    mediaType,
    ...(name === undefined ? {} : { filename: name }),
    data,
    ...(detail === undefined ? {} : { providerOptions: { openai: { imageDetail: detail } } }),
  }
}

/** A part of this format as it came; null for another's. */
export const ownOf = (part: OpaquePart): AiSdkPart | null => opaquePart(part, NAME)

/** What a user says; blank texts are none. */
export const writeContent = (
  parts: ReadonlyArray<TextPart | MediaPart | OpaquePart>,
  note: Note,
): ReadonlyArray<AiSdkPart> =>
  parts.flatMap((part): ReadonlyArray<AiSdkPart> => {
    if (part.type === "media") return [writeMedia(part, note)]
    if (part.type === "text") return isBlank(part.text) ? [] : [text(part.text)]
    const own = ownOf(part)
    if (own !== null) return [own]
    if (part.format === UI) {
      note("dropped", `a part of ${part.format}`, "it is for people, and reaches no model")
      return []
    }
    note("changed", `a part of ${part.format}`, "only its own format can carry it")
    return [text(opaquePlaceholder(part))]
  })

/** What a call says in both formats of the AI SDK: its input, and what carries its signature, if anything does. */
export const sayCall = (
  call: ToolCallPart,
  format: string | undefined,
  note: Note,
): { readonly input: unknown; readonly options: Fields | undefined } => {
  const { value, isWrapped } = argumentsObject(call.arguments)
  if (isWrapped) note("changed", `the arguments of the call ${call.id}`, "they are no JSON object")
  if (call.kind !== undefined) note("dropped", `the kind of the call ${call.id}`, "the format knows one")
  const options = callOptions(call.signature, format)
  if (options === null)
    note("dropped", `the signature of the call ${call.id}`, "no provider here is known to take it")
  return { input: value, options: options ?? undefined }
}

const writeCall = (call: ToolCallPart, format: string | undefined, note: Note): AiSdkPart => {
  const { input, options } = sayCall(call, format, note)
  return {
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.name,
    input,
    ...(options === undefined ? {} : { providerOptions: options }),
  }
}

/** Writes a part of a response. Reasoning goes back to the provider that signed it, unaltered, or not at all. */
export const writePart = (
  part: AssistantMessage["parts"][number],
  format: string | undefined,
  note: Note,
): ReadonlyArray<AiSdkPart> => {
  switch (part.type) {
    case "reasoning": {
      const options = reasoningOptions(part, format)
      if (options === undefined) return isBlank(part.text) ? [] : [{ type: "reasoning", text: part.text }]
      if (options !== null) return [{ type: "reasoning", text: part.text, providerOptions: options }]
      note("dropped", "reasoning", "no provider here is known to have signed it")
      return []
    }
    case "tool-call":
      return [writeCall(part, format, note)]
    case "text":
    case "media":
      return writeContent([part], note)
    case "opaque": {
      const own = ownOf(part)
      if (own !== null) return [own]
      note("dropped", `a part of ${part.format}`, "only its own format can carry it")
      return []
    }
  }
}
