/**
 * The turns of a request: where the current one starts, and which of its calls need a signature.
 *
 * @since 0.1.0
 */
import { callOf, type GeminiContent, isModel, partsOf, responsesIn, signatureOf, textIn } from "./Wire.ts"

/** Whether a turn starts here: the user says something, beside results only in words. */
const isStart = (content: GeminiContent): boolean =>
  !isModel(content) &&
  (responsesIn(content).length === 0 || partsOf(content).some((part) => textIn(part) !== undefined))

/** Index of the content with which the current turn starts; 0 when none does. */
export const turnStart = (contents: ReadonlyArray<GeminiContent>): number =>
  Math.max(0, contents.findLastIndex(isStart))

/** A part by its place. */
export interface Place {
  readonly content: number
  readonly part: number
}

/** The first call of each step of the current turn, where it has no signature. */
export const unsignedCalls = (contents: ReadonlyArray<GeminiContent>): ReadonlyArray<Place> => {
  const start = turnStart(contents)
  return contents.flatMap((content, i) => {
    if (i < start || !isModel(content)) return []
    const first = content.parts.findIndex((part) => callOf(part) !== undefined)
    const part = content.parts[first]
    return part === undefined || signatureOf(part) !== undefined ? [] : [{ content: i, part: first }]
  })
}
