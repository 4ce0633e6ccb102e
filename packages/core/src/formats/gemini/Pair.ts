/**
 * Which response answers which call. Ids say so where both have one; elsewhere the name does, in order.
 *
 * @since 0.1.0
 */
import { callsIn, type GeminiContent, type GeminiPart, type Named, responsesIn } from "./Wire.ts"

/** For each response the index of its call; undefined where it answers none of them. */
export const pairsOf = (
  calls: ReadonlyArray<Named>,
  responses: ReadonlyArray<Named>,
): ReadonlyArray<number | undefined> => {
  const free = new Set(calls.keys())
  const claim = (isOwn: (call: Named) => boolean): number | undefined => {
    for (const index of free) {
      const call = calls[index]
      if (call === undefined || !isOwn(call)) continue
      free.delete(index)
      return index
    }
    return undefined
  }
  const byId = responses.map(({ id }) => (id === undefined ? undefined : claim((call) => call.id === id)))
  return responses.map(
    ({ id, name }, i) =>
      byId[i] ?? claim((call) => call.name === name && (id === undefined || call.id === undefined)),
  )
}

/** Responses in the order of the calls in the content before; those of no call stay last. */
export const inOrder = (
  responses: ReadonlyArray<GeminiPart>,
  before: GeminiContent | undefined,
): ReadonlyArray<GeminiPart> => {
  const own = responsesIn({ role: "user", parts: responses })
  const pairs = pairsOf(before === undefined ? [] : callsIn(before), own)
  const placed = responses.map((part, i) => ({ part, place: pairs[i] ?? Number.POSITIVE_INFINITY }))
  return placed.toSorted((a, b) => (a.place === b.place ? 0 : a.place - b.place)).map(({ part }) => part)
}
