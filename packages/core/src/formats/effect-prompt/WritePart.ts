/**
 * From single parts of a thread to those of a prompt.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  MediaPart,
  OpaquePart,
  TextPart,
  ToolResultPart,
} from "../../thread/Message.ts"
import { argumentsObject } from "../format/Arguments.ts"
import type { Loss } from "../format/Conversation.ts"
import { readExact, writeExact } from "../format/ExactJson.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { base64Of, isAddress, mediaPlaceholder, mediaTypeOf, opaquePlaceholder } from "../format/Media.ts"
import { opaquePart } from "../format/Opaque.ts"
import { wellFormedDeep } from "../format/WellFormed.ts"
import { signedOptions } from "./Signed.ts"
import { isBase64, tag } from "./Stored.ts"
import type { EffectMessage, EffectPart } from "./Wire.ts"

const NAME = "effect-prompt"

/** Collects what cannot be said, for one message. */
export type Note = (kind: Loss["kind"], what: string, why: string) => void

const text = (value: string): EffectPart => ({ options: {}, type: "text", text: value })

/** Bytes and addresses are what each provider of `effect/ai` takes; base64 as a text, some take for plain text. */
const dataOf = ({ data }: MediaPart): unknown => {
  if (isAddress(data)) return { $url: data }
  const base64 = base64Of(data)
  return isBase64(base64) ? { $bytes: base64 } : base64
}

const writeMedia = (media: MediaPart, note: Note): EffectPart => {
  if (base64Of(media.data) === "") {
    note("changed", media.mediaType, "it has no data")
    return text(mediaPlaceholder(media, "cannot be sent here"))
  }
  return {
    options: {},
    type: "file",
    mediaType: mediaTypeOf(media.data, media.mediaType),
    ...(media.name === undefined ? {} : { fileName: media.name }),
    data: dataOf(media),
  }
}

/** A part of this format as it came; null for another's. */
const ownOf = (part: OpaquePart): EffectPart | null => opaquePart(part, NAME)

/** What a user says; empty texts are none. */
export const writeContent = (
  parts: ReadonlyArray<TextPart | MediaPart | OpaquePart>,
  note: Note,
): ReadonlyArray<EffectPart> =>
  parts.flatMap((part): ReadonlyArray<EffectPart> => {
    if (part.type === "media") return [writeMedia(part, note)]
    if (part.type === "text") return part.text === "" ? [] : [text(part.text)]
    const own = ownOf(part)
    if (own !== null) return [own]
    note("changed", `a part of ${part.format}`, "only its own format can carry it")
    return [text(opaquePlaceholder(part))]
  })

/** One text is a string; everything else a list. */
export const asContent = (parts: ReadonlyArray<EffectPart>): EffectMessage["content"] => {
  const [first] = parts
  const isPlain = parts.length === 1 && first?.type === "text" && writeExact(first.options) === "{}"
  return isPlain && typeof first.text === "string" && Object.keys(first).length === 3 ? first.text : parts
}

/** Parameters may be any JSON; what is none is wrapped, so that it can be read again. */
const paramsOf = (given: string): unknown => {
  const { value, isWrapped } = argumentsObject(given)
  const json = isWrapped ? readExact(given) : undefined
  return json === undefined || isFields(json) ? value : json
}

/** Writes a part of a response. */
export const writePart = (
  part: AssistantMessage["parts"][number],
  format: string | undefined,
  note: Note,
): ReadonlyArray<EffectPart> => {
  switch (part.type) {
    case "reasoning": {
      const options = signedOptions(part, format)
      if (options === null)
        note("dropped", "the signature of reasoning", "no provider here is known to take it")
      return options === null && part.redacted === true
        ? []
        : [{ options: options ?? {}, type: "reasoning", text: part.text }]
    }
    case "tool-call": {
      const options = signedOptions(part.signature === undefined ? {} : { signature: part.signature }, format)
      const isOwn = options !== null && (part.signature === undefined || format === "gemini")
      if (!isOwn)
        note("dropped", `the signature of the call ${part.id}`, "no provider here is known to take it")
      return [
        {
          options: isOwn ? options : {},
          type: "tool-call",
          id: part.id,
          name: part.name,
          params: paramsOf(part.arguments),
          providerExecuted: false,
        },
      ]
    }
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

/** A result as the value that it was: a JSON object or list that can be sent as it is, or a text. */
const jsonOfText = (said: string): unknown => {
  const value = readExact(said)
  const isValue = (isFields(value) || Array.isArray(value)) && wellFormedDeep(value) === value
  return isValue && writeExact(value) === said ? tag(value) : said
}

/** The value of a result, and its media: a result holds none. */
export const resultValue = (
  { status, content }: ToolResultPart,
  note: Note,
): { readonly result: unknown; readonly beside: ReadonlyArray<EffectPart> } => {
  const media = content.filter((part) => part.type === "media")
  if (media.length > 0) note("changed", "media of a result", "they follow in a message of the user")
  for (const part of content)
    if (part.type === "opaque")
      note("changed", `a part of ${part.format}`, "only its own format can carry it")
  const said = content
    .flatMap((part) =>
      part.type === "text" ? [part.text] : part.type === "opaque" ? [opaquePlaceholder(part)] : [],
    )
    .join("\n")
  const denied: Fields = { type: "execution-denied", ...(said === "" ? {} : { reason: said }) }
  return {
    result: status === "denied" ? denied : jsonOfText(said),
    beside: media.map((part) => writeMedia(part, note)),
  }
}
