/**
 * What is wrong with a single part, and what makes it right.
 *
 * @since 0.1.0
 */
import { argumentsObject } from "../format/Arguments.ts"
import { writeExact } from "../format/ExactJson.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { readResponse, writeResponse } from "./Response.ts"
import {
  callOf,
  DATA,
  type Dialect,
  dataOf,
  fieldOf,
  type GeminiPart,
  objectField,
  responseOf,
  signatureOf,
  singleParts,
  spellings,
  textIn,
} from "./Wire.ts"

/** A fault of a part, by the rule that it breaks. */
export interface PartFault {
  readonly rule: "GE8" | "GE9" | "GE10"
  readonly detail: string
}

/** Fields of `Part`, `FunctionCall` and `FunctionResponse` in the API's reference, July 2026. */
const PART = spellings([
  ...DATA,
  "thought",
  "thoughtSignature",
  "videoMetadata",
  "mediaResolution",
  "partMetadata",
])
const CALL = spellings(["name", "args", "partialArgs", "willContinue"])
const RESPONSE = spellings(["name", "response", "parts", "scheduling", "willContinue"])

const withId = (names: ReadonlyArray<string>, { ids }: Dialect): ReadonlyArray<string> =>
  ids ? [...names, "id"] : names

/** Fields that stand where the API knows none. */
const unknownIn = (object: Fields, known: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(object).filter((name) => !known.includes(name))

const onlyKnown = <A extends Fields>(object: A, known: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(object).filter(([name]) => known.includes(name)))

/** An object where one belongs; absent arguments are allowed. */
const isObjectOr = (value: unknown, absent: boolean): boolean =>
  value === undefined ? absent : isFields(value)

/** Parts of a response: media. */
const innerParts = (part: GeminiPart): ReadonlyArray<GeminiPart> => {
  const parts = fieldOf(responseOf(part)?.fields ?? {}, "parts")
  return Array.isArray(parts) ? parts : []
}

/** Whether there is nothing in a part; a signature is something. */
export const isEmptyPart = (part: GeminiPart, dialect: Dialect): boolean => {
  const isNewer = dialect.fields.some((name) => (part[name] ?? null) !== null)
  if (dataOf(part).length === 0) return !isNewer
  return textIn(part) === "" && dataOf(part).length === 1 && signatureOf(part) === undefined && !isNewer
}

/** Lists what is wrong with a part. */
export const partFaults = (part: GeminiPart, dialect: Dialect): ReadonlyArray<PartFault> => {
  const call = callOf(part)?.fields
  const response = responseOf(part)?.fields
  const unknown = [
    ...unknownIn(part, [...PART, ...dialect.fields]),
    ...unknownIn(call ?? {}, withId(CALL, dialect)),
    ...unknownIn(response ?? {}, withId(RESPONSE, dialect)),
  ]
  const faults: ReadonlyArray<readonly [PartFault["rule"], string, boolean]> = [
    ["GE8", "args is no object", call !== undefined && !isObjectOr(fieldOf(call, "args"), true)],
    [
      "GE8",
      "response is no object",
      response !== undefined && !isObjectOr(fieldOf(response, "response"), false),
    ],
    ["GE9", `${unknown.join(", ")}: no such field`, unknown.length > 0],
    ["GE9", `${dataOf(part).join(" and ")} stand in one part`, dataOf(part).length > 1],
    ["GE10", "media stand inside a function response", dialect.generation < 3 && innerParts(part).length > 0],
  ]
  return faults.flatMap(([rule, detail, isBroken]) => (isBroken ? [{ rule, detail }] : []))
}

const cleanCall = (part: GeminiPart, dialect: Dialect): GeminiPart => {
  const call = objectField(part, "functionCall")
  if (call === undefined) return part
  const { functionCall: _, function_call: __, ...others } = part
  const args = fieldOf(call, "args")
  const right = isObjectOr(args, true) ? {} : { args: argumentsObject(writeExact(args) ?? "").value }
  return { functionCall: { ...onlyKnown(call, withId(CALL, dialect)), ...right }, ...others }
}

const cleanResponse = (part: GeminiPart, dialect: Dialect): ReadonlyArray<GeminiPart> => {
  const own = objectField(part, "functionResponse")
  if (own === undefined) return [part]
  const { functionResponse: _, function_response: __, ...others } = part
  const response = fieldOf(own, "response")
  const right = isObjectOr(response, false) ? {} : { response: writeResponse(readResponse(response)) }
  const { parts, ...plain } = { ...onlyKnown(own, withId(RESPONSE, dialect)), ...right } as Fields
  const isOutside = dialect.generation < 3 || parts === undefined
  return [
    { functionResponse: isOutside ? plain : { ...plain, parts }, ...others },
    ...(isOutside ? innerParts(part) : []),
  ]
}

/** Makes a part right: several parts when it held several things. */
export const cleanPart = (part: GeminiPart, dialect: Dialect): ReadonlyArray<GeminiPart> =>
  partFaults(part, dialect).length === 0
    ? [part]
    : singleParts(onlyKnown(part, [...PART, ...dialect.fields])).flatMap((single) =>
        cleanResponse(cleanCall(single, dialect), dialect),
      )
