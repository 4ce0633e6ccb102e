/**
 * Reasoning and what it led to: OR3, OR4 and OR6.
 *
 * Both are sent or none: reasoning is followed by what it led to, and where it is left out, what followed it goes
 * without the id by which the provider would ask for it. Both have their ids, or neither has.
 *
 * @since 0.1.0
 */
import { withoutId } from "./Ids.ts"
import { callTypeOf, isReasoning, sideOf, typeOf } from "./Kinds.ts"
import { type ResponsesItem, type ResponsesRequest, stringOf } from "./Wire.ts"

type Items = ReadonlyArray<ResponsesItem>

/** Whether nothing is stored, so that an id says nothing. */
const isUnstored = ({ store }: ResponsesRequest): boolean => store === false

/** What reasoning led to: the next item that is none, when it is of the same response. */
const ledTo = (items: Items, at: number): ResponsesItem | undefined => {
  const next = items.slice(at + 1).find((item) => !isReasoning(item))
  return next !== undefined && sideOf(next) === "response" ? next : undefined
}

/** OR3: places of reasoning that nothing of its response follows. */
export const unfollowed = (items: Items): ReadonlyArray<number> =>
  items.flatMap((item, i) => (isReasoning(item) && ledTo(items, i) === undefined ? [i] : []))

const isNamed = ({ id }: ResponsesItem): boolean => typeof id === "string"

/** Whether an item says the same without its id, by which the provider would ask for its reasoning. */
const isWholeWithoutId = (item: ResponsesItem): boolean =>
  typeOf(item) === "message" || callTypeOf(item)?.callId === "call_id"

/**
 * OR3: places of reasoning that the provider knows by its id, while what it led to has none. The provider compares both
 * where it stores them (langchain-ai/langchainjs#9082).
 */
export const unpaired = (request: ResponsesRequest, items: Items): ReadonlyArray<number> =>
  isUnstored(request)
    ? []
    : items.flatMap((item, i) => {
        const next = isReasoning(item) && isNamed(item) ? ledTo(items, i) : undefined
        return next !== undefined && isWholeWithoutId(next) && !isNamed(next) ? [i] : []
      })

/**
 * OR4: places of items with an id whose reasoning is sent without its own; the provider asks for it by that id
 * (NousResearch/hermes-agent#102282).
 */
export const misnamed = (items: Items): ReadonlyArray<number> => {
  let thought: "none" | "named" | "nameless" = "none"
  return items.flatMap((item, i) => {
    if (sideOf(item) !== "response") thought = "none"
    if (isReasoning(item)) thought = thought === "named" || isNamed(item) ? "named" : "nameless"
    return thought === "nameless" && isWholeWithoutId(item) && isNamed(item) ? [i] : []
  })
}

const isBare = (item: ResponsesItem): boolean => isReasoning(item) && stringOf(item.encrypted_content) === ""

/** OR6: places of references, and of reasoning that is not sent whole, where the provider stores nothing. */
export const unstored = (request: ResponsesRequest, items: Items): ReadonlyArray<number> =>
  isUnstored(request)
    ? items.flatMap((item, i) => (typeOf(item) === "item_reference" || isBare(item) ? [i] : []))
    : []

/** What follows reasoning that is left out, or loses its id: what is nothing without an id is left out too. */
const robbed = (item: ResponsesItem): Items => {
  if (callTypeOf(item)?.callId === "id" || typeOf(item) === "item_reference" || !isNamed(item)) return [item]
  return isWholeWithoutId(item) ? [withoutId(item)] : []
}

/** Items with others in place of some reasoning, and without the ids that name it. */
const withThoughts = (
  items: Items,
  places: ReadonlyArray<number>,
  instead: (item: ResponsesItem) => Items,
): Items => {
  const isPlace = new Set(places)
  let isRobbed = false
  return items.flatMap((item, i) => {
    if (sideOf(item) !== "response") isRobbed = false
    if (isReasoning(item)) isRobbed = isPlace.has(i)
    if (isPlace.has(i)) return instead(item)
    return isRobbed ? robbed(item) : [item]
  })
}

/** Items without some, and without the ids that name the reasoning among them. */
export const withoutItems = (items: Items, left: ReadonlyArray<number>): Items =>
  withThoughts(items, left, () => [])

/** Items in which some reasoning goes without its id, or not at all where there is nothing but its id. */
export const withoutPairs = (items: Items, places: ReadonlyArray<number>): Items =>
  withThoughts(items, places, (item) => (isBare(item) ? [] : [withoutId(item)]))
