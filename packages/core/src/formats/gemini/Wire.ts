/**
 * The shapes of Gemini's contents, as far as they are read here.
 *
 * @since 0.1.0
 */
import { type Fields, isFields } from "../format/Fields.ts"

/**
 * A part of a content: one kind of data, such as `text` or `functionCall`, and what belongs to it.
 *
 * @category models
 * @since 0.1.0
 */
export type GeminiPart = Fields

/**
 * A content of a request.
 *
 * @category models
 * @since 0.1.0
 */
export interface GeminiContent {
  readonly role?: string | null
  readonly parts: ReadonlyArray<GeminiPart>
  readonly [key: string]: unknown
}

/**
 * A request of `generateContent`, as far as a memory writes it; the other fields pass through.
 *
 * @category models
 * @since 0.1.0
 */
export interface GeminiRequest {
  readonly systemInstruction?: unknown
  readonly contents: ReadonlyArray<GeminiContent>
  readonly tools?: ReadonlyArray<Fields>
  readonly [key: string]: unknown
}

/**
 * What differs between the models and the routes of Gemini.
 *
 * @category models
 * @since 0.1.0
 */
export interface GeminiDialect {
  /**
   * Since generation 3 a call of the current turn needs a signature, and a result may hold images. Default 3; 2 stands
   * for all models before it.
   */
  readonly generation?: 2 | 3
  /** Whether calls and results may have an `id`: some versions of Vertex refuse it. Default true. */
  readonly ids?: boolean
  /** Fields of parts that are newer than this library: they are neither refused nor left out. */
  readonly fields?: ReadonlyArray<string>
}

/** A dialect with its defaults in place. */
export type Dialect = Required<GeminiDialect>

const snakeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The fields of which a part has one: the `data` of `Part` in the API's reference, July 2026. */
export const DATA = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
] as const

/** The fields that are read here, by their names in snake case: the API takes both. */
const SNAKE: Readonly<Record<string, string>> = Object.fromEntries(
  [...DATA, "thoughtSignature", "mimeType", "fileUri"].map((name) => [name, snakeOf(name)]),
)

/** Each name in both spellings. */
export const spellings = (names: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(names.flatMap((name) => [name, snakeOf(name)])),
]

/** A field in either spelling; undefined where it is absent or null, which the API takes for the same. */
export const fieldOf = (object: Fields, name: string): unknown =>
  object[name] ?? object[SNAKE[name] ?? name] ?? undefined

const stringField = (object: Fields, name: string): string | undefined => {
  const value = fieldOf(object, name)
  return typeof value === "string" && value !== "" ? value : undefined
}

/** A field that is an object. */
export const objectField = (object: Fields, name: string): Fields | undefined => {
  const value = fieldOf(object, name)
  return isFields(value) ? value : undefined
}

/** A function call or a function response: both have a name and may have an id. */
export interface Named {
  readonly name: string
  readonly id: string | undefined
  readonly fields: Fields
}

const named = (part: GeminiPart, field: string): Named | undefined => {
  const fields = objectField(part, field)
  return fields === undefined
    ? undefined
    : { name: stringField(fields, "name") ?? "", id: stringField(fields, "id"), fields }
}

/** The call of a part. */
export const callOf = (part: GeminiPart): Named | undefined => named(part, "functionCall")

/** The response of a part. */
export const responseOf = (part: GeminiPart): Named | undefined => named(part, "functionResponse")

/** The signature of a part; an empty one is none. */
export const signatureOf = (part: GeminiPart): string | undefined => stringField(part, "thoughtSignature")

/** The text of a part; undefined where it has other data. */
export const textIn = (part: GeminiPart): string | undefined => {
  const text = fieldOf(part, "text")
  return typeof text === "string" ? text : undefined
}

/** Whether the model said it. `assistant` is what other providers call it. */
export const isModel = (content: GeminiContent | undefined): boolean =>
  content?.role === "model" || content?.role === "assistant"

/** The kinds of data that a part has. */
export const dataOf = (part: GeminiPart): ReadonlyArray<string> =>
  DATA.filter((name) => fieldOf(part, name) !== undefined)

/** A part for each kind of data: the API takes one only. */
export const singleParts = (part: GeminiPart): ReadonlyArray<GeminiPart> => {
  const kinds = dataOf(part)
  if (kinds.length < 2) return [part]
  return kinds.map((kind) => {
    const others = spellings(kinds.filter((other) => other !== kind))
    return Object.fromEntries(Object.entries(part).filter(([name]) => !others.includes(name)))
  })
}

/** The parts of a content, one for each kind of data. */
export const partsOf = (content: GeminiContent): ReadonlyArray<GeminiPart> =>
  content.parts.flatMap(singleParts)

/** The calls of a content: only the model makes some. */
export const callsIn = (content: GeminiContent): ReadonlyArray<Named> =>
  isModel(content) ? partsOf(content).flatMap((part) => callOf(part) ?? []) : []

/** The responses in a content: the model gives none. */
export const responsesIn = (content: GeminiContent): ReadonlyArray<Named> =>
  isModel(content) ? [] : partsOf(content).flatMap((part) => responseOf(part) ?? [])
