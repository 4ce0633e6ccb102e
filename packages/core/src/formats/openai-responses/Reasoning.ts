/**
 * Reasoning and what it led to: OR3, OR4 and OR6.
 *
 * Both are sent or none: reasoning is followed by what it led to, and where it is left out, what followed it goes
 * without the id by which the provider would ask for it.
 *
 * @since 0.1.0
 */
import { withoutId } from "./Ids.ts"
import { callTypeOf, isReasoning, sideOf, typeOf } from "./Kinds.ts"
import { type ResponsesItem, type ResponsesRequest, stringOf } from "./Wire.ts"

type Items = ReadonlyArray<ResponsesItem>

/** OR3: places of reasoning that nothing of its response follows. */
export const unfollowed = (items: Items): ReadonlyArray<number> =>
  items.flatMap((item, i) => {
    if (!isReasoning(item)) return []
    let at = i + 1
    for (let one = items[at]; one !== undefined && isReasoning(one); one = items[at]) at += 1
    const next = items[at]
    return next !== undefined && sideOf(next) === "response" ? [] : [i]
  })

/** Whether nothing is stored, so that an id says nothing. */
const isUnstored = ({ store }: ResponsesRequest): boolean => store === false

const isBare = (item: ResponsesItem): boolean => isReasoning(item) && stringOf(item.encrypted_content) === ""

/** OR6: places of references, and of reasoning that is not sent whole, where the provider stores nothing. */
export const unstored = (request: ResponsesRequest, items: Items): ReadonlyArray<number> =>
  isUnstored(request)
    ? items.flatMap((item, i) => (typeOf(item) === "item_reference" || isBare(item) ? [i] : []))
    : []

/** Types that are sent without an id as well: the others are nothing without theirs. */
const isCompleteWithoutId = (item: ResponsesItem): boolean =>
  typeOf(item) === "message" || typeof item.id !== "string" || callTypeOf(item) !== undefined

/** What follows reasoning that is left out. */
const robbed = (item: ResponsesItem): ReadonlyArray<ResponsesItem> => {
  if (callTypeOf(item)?.callId === "id" || typeOf(item) === "item_reference") return [item]
  return isCompleteWithoutId(item) ? [withoutId(item)] : []
}

/** Items without some, and without the ids that name the reasoning among them. */
export const withoutItems = (items: Items, left: ReadonlyArray<number>): Items => {
  const isLeft = new Set(left)
  let isRobbed = false
  return items.flatMap((item, i) => {
    if (sideOf(item) !== "response") isRobbed = false
    if (isReasoning(item)) isRobbed = isLeft.has(i)
    if (isLeft.has(i)) return []
    return isRobbed ? robbed(item) : [item]
  })
}
