/**
 * The rules of the Responses API, checked on a request before it is sent, and their repairs.
 *
 * OR7, OR9 and OR10 are of histories and streams, not of requests: no request shows them.
 *
 * @since 0.1.0
 */
import { type RepairStep, untilUnchanged } from "../format/RepairSteps.ts"
import type { Rule, WireRepair } from "../format/Rule.ts"
import { loneSurrogates } from "../format/WellFormed.ts"
import { isOddItemId, isOddName, oddIds, repeatedIds, withLegal, withoutId } from "./Ids.ts"
import { isReasoning, typeOf } from "./Kinds.ts"
import { isCrossed, isEmptyCompaction, isOddPhase, uncrossed, withoutPhase } from "./Messages.ts"
import { answered, called, withPairs } from "./Pairs.ts"
import { misnamed, unfollowed, unpaired, unstored, withoutItems, withoutPairs } from "./Reasoning.ts"
import { itemsOf, type ResponsesItem, type ResponsesRequest } from "./Wire.ts"

type Items = ReadonlyArray<ResponsesItem>
type Step = RepairStep<ResponsesRequest>

/** A rule of the places that something finds. */
const atPlaces = (
  id: string,
  detail: string,
  find: (items: Items, request: ResponsesRequest) => ReadonlyArray<number>,
): Rule<ResponsesRequest> => ({
  id,
  check: (request) => find(itemsOf(request), request).map((i) => ({ path: `input[${i}]`, detail })),
})

/** Places of the items of which something is true. */
const where =
  (isFound: (item: ResponsesItem) => boolean) =>
  (items: Items): ReadonlyArray<number> =>
    items.flatMap((item, i) => (isFound(item) ? [i] : []))

const followed = atPlaces("OR3", "reasoning that nothing of its response follows", unfollowed)
const paired = atPlaces("OR3", "what reasoning led to is without its id", (items, request) =>
  unpaired(request, items),
)
const thought = atPlaces("OR4", "an id of what was thought of without one", misnamed)
const once = atPlaces("OR5", "an id that stands twice", repeatedIds)
const stored = atPlaces("OR6", "what nobody stored", (items, request) => unstored(request, items))
const compacted = atPlaces("OR8", "a compaction of nothing", where(isEmptyCompaction))
const onItsSide = atPlaces("OR12", "a text of the other side", where(isCrossed))
const inPhase = atPlaces("OR13", "a phase that is none", where(isOddPhase))

/** The rules, in their order. */
export const RULES: ReadonlyArray<Rule<ResponsesRequest>> = [
  called,
  answered,
  followed,
  paired,
  thought,
  once,
  stored,
  compacted,
  { id: "OR11", check: (request) => oddIds(itemsOf(request)) },
  onItsSide,
  inPhase,
]

/** A repair of single items. */
const eachItem =
  (rule: string, isOdd: (item: ResponsesItem) => boolean, instead: (item: ResponsesItem) => Items): Step =>
  (request) => {
    const items = itemsOf(request)
    if (!items.some(isOdd)) return { request, repairs: [] }
    const repairs: Array<WireRepair> = []
    const input = items.flatMap((item, i) => {
      if (!isOdd(item)) return [item]
      const next = instead(item)
      repairs.push({ rule, path: `input[${i}]`, detail: next.length === 0 ? "left it out" : "changed it" })
      return next
    })
    return { request: { ...request, input }, repairs }
  }

/** A repair of the places that something finds. */
const atEach =
  (
    rule: string,
    find: (items: Items, request: ResponsesRequest) => ReadonlyArray<number>,
    done: string,
    instead: (items: Items, places: ReadonlyArray<number>) => Items,
  ): Step =>
  (request) => {
    const items = itemsOf(request)
    const places = find(items, request)
    if (places.length === 0) return { request, repairs: [] }
    return {
      request: { ...request, input: instead(items, places) },
      repairs: places.map((i) => ({
        rule,
        path: `input[${i}]`,
        detail: `${done}: ${typeOf(items[i] ?? {})}`,
      })),
    }
  }

/** A repair that leaves items out. */
const without = (rule: string, find: Parameters<typeof atEach>[1]): Step =>
  atEach(rule, find, "left out", withoutItems)

const withoutIdsAt = (items: Items, places: ReadonlyArray<number>): Items =>
  items.map((item, i) => (places.includes(i) ? withoutId(item) : item))

/** The second of two items with one id is sent without it, or not at all when it is nothing without it. */
const withoutRepeatedIds: Step = (request) => {
  const items = itemsOf(request)
  const places = new Set(repeatedIds(items))
  if (places.size === 0) return { request, repairs: [] }
  const isLeft = (item: ResponsesItem): boolean => isReasoning(item) || typeOf(item) === "item_reference"
  const input = items.flatMap((item, i) => {
    if (!places.has(i)) return [item]
    return isLeft(item) ? [] : [withoutId(item)]
  })
  const repairs = [...places].map((i) => ({
    rule: "OR5",
    path: `input[${i}]`,
    detail: "left out an id that stood before",
  }))
  return { request: { ...request, input }, repairs }
}

const isSealed = ({ encrypted_content: sealed }: ResponsesItem): boolean => typeof sealed === "string"

/** Leaves out what is encrypted and would have to be changed before it can be sent. */
export const unaltered: Step = without(
  "OR7",
  where((item) => isSealed(item) && loneSurrogates(item).length > 0),
)

/** Repairs a request whose calls and outputs fit each other already. */
export const polish: Step = untilUnchanged([
  eachItem("OR12", isCrossed, (item) => [uncrossed(item)]),
  eachItem("OR13", isOddPhase, (item) => [withoutPhase(item)]),
  eachItem("OR8", isEmptyCompaction, () => []),
  eachItem("OR11", (item) => isOddItemId(item) || isOddName(item), withLegal),
  without("OR6", (items, request) => unstored(request, items)),
  withoutRepeatedIds,
  without("OR3", unfollowed),
  atEach("OR3", (items, request) => unpaired(request, items), "left out an id, or all", withoutPairs),
  atEach("OR4", misnamed, "left out an id", withoutIdsAt),
  withPairs,
])
