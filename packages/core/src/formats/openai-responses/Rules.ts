/**
 * The rules of the Responses API, checked on a request before it is sent, and their repairs.
 *
 * OR4, OR7, OR9 and OR10 are of histories and streams, not of requests: no request shows them.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule, WireRepair } from "../format/Rule.ts"
import { loneSurrogates } from "../format/WellFormed.ts"
import { isOddItemId, isOddName, oddIds, repeatedIds, withLegal, withoutId } from "./Ids.ts"
import { isReasoning, typeOf } from "./Kinds.ts"
import { isCrossed, isEmptyCompaction, isOddPhase, uncrossed, withoutPhase } from "./Messages.ts"
import { answered, called, withPairs } from "./Pairs.ts"
import { unfollowed, unstored, withoutItems } from "./Reasoning.ts"
import { itemsOf, type ResponsesItem, type ResponsesRequest } from "./Wire.ts"

type Items = ReadonlyArray<ResponsesItem>
type Step = (request: ResponsesRequest) => Repaired<ResponsesRequest>

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

/** A repair that leaves items out. */
const without =
  (rule: string, find: (items: Items, request: ResponsesRequest) => ReadonlyArray<number>): Step =>
  (request) => {
    const items = itemsOf(request)
    const left = find(items, request)
    if (left.length === 0) return { request, repairs: [] }
    return {
      request: { ...request, input: withoutItems(items, left) },
      repairs: left.map((i) => ({
        rule,
        path: `input[${i}]`,
        detail: `left out: ${typeOf(items[i] ?? {})}`,
      })),
    }
  }

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

const STEPS: ReadonlyArray<Step> = [
  eachItem("OR12", isCrossed, (item) => [uncrossed(item)]),
  eachItem("OR13", isOddPhase, (item) => [withoutPhase(item)]),
  eachItem("OR8", isEmptyCompaction, () => []),
  eachItem("OR11", (item) => isOddItemId(item) || isOddName(item), withLegal),
  without("OR6", (items, request) => unstored(request, items)),
  withoutRepeatedIds,
  without("OR3", unfollowed),
  withPairs,
]

const pass: Step = (request) =>
  STEPS.reduce<Repaired<ResponsesRequest>>(
    (made, step) => {
      const next = step(made.request)
      return { request: next.request, repairs: [...made.repairs, ...next.repairs] }
    },
    { request, repairs: [] },
  )

/** More passes than any request needs: each takes something away, or puts it in its one lawful form. */
const PASSES = 20

/** Repairs a request whose calls and outputs fit each other already. */
export const polish: Step = (given) => {
  let made = pass(given)
  for (let left = PASSES; left > 0; left--) {
    const next = pass(made.request)
    if (next.repairs.length === 0) return made
    made = { request: next.request, repairs: [...made.repairs, ...next.repairs] }
  }
  return made
}
