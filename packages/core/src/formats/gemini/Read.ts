/**
 * From Gemini's contents to the messages of a thread.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  TextPart,
  ToolResultPart,
} from "../../thread/Message.ts"
import { argumentsText } from "../format/Arguments.ts"
import { isAddress } from "../format/Media.ts"
import { opaque } from "../format/Opaque.ts"
import { derivedIds } from "./CallId.ts"
import { pairsOf } from "./Pair.ts"
import { readResponse } from "./Response.ts"
import { SENTINEL } from "./Sentinel.ts"
import {
  callOf,
  callsIn,
  fieldOf,
  type GeminiContent,
  type GeminiPart,
  isModel,
  type Named,
  objectField,
  partsOf,
  responseOf,
  responsesIn,
  signatureOf,
  textIn,
} from "./Wire.ts"

const NAME = "gemini"

const mediaOf = (part: GeminiPart): MediaPart | null => {
  const blob = objectField(part, "inlineData")
  const file = objectField(part, "fileData")
  const data = blob === undefined ? file && fieldOf(file, "fileUri") : fieldOf(blob, "data")
  const mediaType = fieldOf(blob ?? file ?? {}, "mimeType")
  if (typeof data !== "string" || typeof mediaType !== "string") return null
  return isAddress(data) === (blob === undefined) ? { type: "media", mediaType, data } : null
}

const contentOf = (part: GeminiPart): TextPart | MediaPart | OpaquePart => {
  const text = textIn(part)
  if (text !== undefined && fieldOf(part, "thought") !== true) return { type: "text", text }
  return fieldOf(part, "thought") === true ? opaque(NAME, part) : (mediaOf(part) ?? opaque(NAME, part))
}

/** The parts of a response beside its object: images, since generation 3. */
const mediaIn = ({ fields }: Named): ToolResultPart["content"] => {
  const parts = fieldOf(fields, "parts")
  return Array.isArray(parts) ? parts.map((part) => mediaOf(part) ?? opaque(NAME, part)) : []
}

const resultOf = (response: Named, call: string): ToolResultPart => {
  const { status, text } = readResponse(fieldOf(response.fields, "response"))
  const content = [...(text === "" ? [] : [{ type: "text", text } as const]), ...mediaIn(response)]
  return { type: "tool-result", call, name: response.name, status, content }
}

const readModelPart = (part: GeminiPart, call: string): AssistantMessage["parts"][number] => {
  const signature = signatureOf(part)
  const made = callOf(part)
  if (made !== undefined)
    return {
      type: "tool-call",
      id: call,
      name: made.name,
      arguments: argumentsText(fieldOf(made.fields, "args")),
      ...(signature === undefined || signature === SENTINEL ? {} : { signature }),
    }
  const text = textIn(part)
  return text !== undefined && fieldOf(part, "thought") === true
    ? { type: "reasoning", text, ...(signature === undefined ? {} : { signature }) }
    : contentOf(part)
}

const isSigned = (part: GeminiPart): boolean => (signatureOf(part) ?? SENTINEL) !== SENTINEL

/** The ids that the calls of a content have in the thread. */
const callIds = (content: GeminiContent): ReadonlyArray<string> => {
  const idAt = derivedIds(content)
  return callsIn(content).map(({ id }, i) => id ?? idAt(i))
}

/** Contents of the model that follow each other are one response: a stream that was kept piece by piece. */
const readModel = (contents: ReadonlyArray<GeminiContent>): AssistantMessage => {
  const parts = contents.flatMap((content) => {
    const ids = [...callIds(content)]
    return partsOf(content).map((part) =>
      readModelPart(part, callOf(part) === undefined ? "" : (ids.shift() ?? "")),
    )
  })
  const signed = contents.some((content) => partsOf(content).some(isSigned)) ? { format: NAME } : {}
  return { role: "assistant", parts, ...signed }
}

/**
 * Results are a message of their own; what else was said follows them. Media alone beside results belong to these: no
 * person said them.
 */
const readUser = (
  content: GeminiContent,
  calls: ReadonlyArray<string | undefined>,
): ReadonlyArray<Message> => {
  const idAt = derivedIds(content)
  const results = responsesIn(content).map((response, i) =>
    resultOf(response, calls[i] ?? response.id ?? idAt(i)),
  )
  const said = partsOf(content).filter((part) => responseOf(part) === undefined)
  const isMedia = results.length > 0 && said.every((part) => textIn(part) === undefined)
  const synthetic = content.role === "system" || isMedia ? { synthetic: true } : {}
  return [
    ...(results.length === 0 ? [] : [{ role: "tool", parts: results } as const]),
    ...(said.length === 0 && results.length > 0
      ? []
      : [{ role: "user", parts: said.map(contentOf), ...synthetic } as const]),
  ]
}

/** Reads a unit: the contents of one response of the model and its results, or a content of the user. */
export const readContents = (unit: ReadonlyArray<GeminiContent>): ReadonlyArray<Message> => {
  const model = unit.filter(isModel)
  const others = unit.filter((content) => !isModel(content))
  const ids = model.flatMap(callIds)
  const pairs = pairsOf(model.flatMap(callsIn), others.flatMap(responsesIn))
  const answered = pairs.map((call) => (call === undefined ? undefined : ids[call]))
  let read = 0
  const heard = others.flatMap((content) => {
    const first = read
    read += responsesIn(content).length
    return readUser(content, answered.slice(first, read))
  })
  return [...(model.length === 0 ? [] : [readModel(model)]), ...heard]
}
