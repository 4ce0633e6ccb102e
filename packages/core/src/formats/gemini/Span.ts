/**
 * The units of a list of contents.
 *
 * @since 0.1.0
 */
import { callsIn, type GeminiContent, isModel, type Named, responsesIn } from "./Wire.ts"

const isNameless = ({ id }: Named): boolean => id === undefined

/** Index after the contents, from an index on, of which a test holds. */
const endOf = (
  contents: ReadonlyArray<GeminiContent>,
  from: number,
  isIn: (content: GeminiContent) => boolean,
): number => {
  let end = from
  for (let next = contents[end]; next !== undefined && isIn(next); next = contents[end]) end += 1
  return end
}

/**
 * Number of contents of the unit that starts at an index: a response of the model, which may be in several pieces, and
 * its results where only their order tells to which calls they belong.
 */
export const spanAt = (contents: ReadonlyArray<GeminiContent>, at: number): number => {
  const first = contents[at]
  if (first === undefined || !isModel(first)) return 1
  const end = endOf(contents, at, isModel)
  const calls = contents.slice(at, end).flatMap(callsIn)
  if (calls.length === 0) return end - at
  const following = contents.slice(
    end,
    endOf(contents, end, (content) => !isModel(content)),
  )
  const responses = following.flatMap(responsesIn)
  if (![...calls, ...responses].some(isNameless)) return end - at
  return end - at + following.findLastIndex((content) => responsesIn(content).length > 0) + 1
}
