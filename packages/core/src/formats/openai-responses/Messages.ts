/**
 * What messages and compactions hold: OR8, OR12 and OR13.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import { outputTypeOf, typeOf } from "./Kinds.ts"
import { partsOf, type ResponsesItem, type ResponsesPart, stringOf } from "./Wire.ts"

const OF_MODEL = new Set(["output_text", "refusal"])
const OF_USER = new Set(["input_text", "input_image", "input_file", "input_audio"])

/** The field of an item that holds parts, and the types that may not stand in it. */
const placeOf = (
  item: ResponsesItem,
): { readonly field: string; readonly refused: ReadonlySet<string> } | null => {
  if (typeOf(item) === "message")
    return { field: "content", refused: item.role === "assistant" ? OF_USER : OF_MODEL }
  return outputTypeOf(item) === undefined ? null : { field: "output", refused: OF_MODEL }
}

const isMisplaced = (refused: ReadonlySet<string>, part: unknown): boolean =>
  isFields(part) && typeof part.type === "string" && refused.has(part.type)

/** OR12: whether an item holds a text of the other side. */
export const isCrossed = (item: ResponsesItem): boolean => {
  const place = placeOf(item)
  const parts = place === null ? [] : item[place.field]
  return place !== null && Array.isArray(parts) && parts.some((part) => isMisplaced(place.refused, part))
}

const textIn = (part: ResponsesPart): string =>
  stringOf(part.type === "refusal" ? part.refusal : part.text) || `[${part.type}: cannot be sent here]`

const crossed = (part: ResponsesPart, refused: ReadonlySet<string>): ResponsesPart => {
  if (!refused.has(part.type)) return part
  return refused === OF_USER
    ? { type: "output_text", text: textIn(part), annotations: [] }
    : { type: "input_text", text: textIn(part) }
}

/** An item whose texts are of its own side. */
export const uncrossed = (item: ResponsesItem): ResponsesItem => {
  const place = placeOf(item)
  if (place === null || !isCrossed(item)) return item
  const parts = partsOf(item[place.field], "input_text")
  return { ...item, [place.field]: parts.map((part) => crossed(part, place.refused)) }
}

const PHASES: ReadonlySet<unknown> = new Set(["commentary", "final_answer"])

/** OR13: whether a phase stands where there is none, or is none. */
export const isOddPhase = (item: ResponsesItem): boolean => {
  const { phase, role } = item
  if (typeOf(item) !== "message" || phase === undefined || phase === null) return false
  return role !== "assistant" || !PHASES.has(phase)
}

export const withoutPhase = (item: ResponsesItem): ResponsesItem => {
  const { phase: _, ...others } = item
  return others
}

/** OR8: whether a compaction holds nothing. */
export const isEmptyCompaction = (item: ResponsesItem): boolean =>
  typeOf(item) === "compaction" && stringOf(item.encrypted_content) === ""
