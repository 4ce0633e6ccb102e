/**
 * Ids and names: OR5 and OR11.
 *
 * @since 0.1.0
 */
import { type IdRule, isLegalId } from "../format/Ids.ts"
import type { Violation } from "../format/Rule.ts"
import { callIdOf, callTypeOf, isReasoning, outputIdOf, typeOf } from "./Kinds.ts"
import type { ResponsesItem } from "./Wire.ts"
import { legalName } from "./Write.ts"

/** Ids of calls: "Expected a string with maximum length 64" (decolua/9router#393). */
export const CALL_IDS: IdRule = { alphabet: "dashes", min: 1, max: 64, unique: "request" }

const ITEM_IDS: IdRule = { ...CALL_IDS, unique: "request" }

/** What the ids of some types begin with; the API checks it. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ["message", "msg"],
  ["reasoning", "rs"],
  ["function_call", "fc"],
  ["custom_tool_call", "ctc"],
])

/** The id of an item by itself: neither that of a call nor one that an output repeats. */
export const itemIdOf = (item: ResponsesItem): unknown => {
  const isCallId = callTypeOf(item)?.callId === "id" || typeOf(item) === "local_shell_call_output"
  return isCallId ? undefined : item.id
}

const isLegalItemId = (item: ResponsesItem, id: string): boolean =>
  isLegalId(id, ITEM_IDS) && id.startsWith(PREFIXES.get(typeOf(item)) ?? "")

/** Whether an id is one that the API refuses. An item may have none, or null. */
export const isOddItemId = (item: ResponsesItem): boolean => {
  const id = itemIdOf(item)
  if (id === undefined || id === null) return false
  return typeof id !== "string" || !isLegalItemId(item, id)
}

/** Whether an item holds a name that the API refuses. */
export const isOddName = (item: ResponsesItem): boolean => {
  const type = typeOf(item)
  const { name } = item
  const isNamed = type === "function_call" || type === "custom_tool_call"
  return isNamed && typeof name === "string" && legalName(name) !== name
}

type Found = Omit<Violation, "rule">

/** OR11: ids and names are of the alphabet and the length that the API takes, and no id of a call stands twice. */
export const oddIds = (items: ReadonlyArray<ResponsesItem>): ReadonlyArray<Found> => {
  const seen = new Set<string>()
  return items.flatMap((item, i): ReadonlyArray<Found> => {
    const path = `input[${i}]`
    const call = callIdOf(item)
    const isTwice = call !== undefined && seen.has(call)
    if (call !== undefined) seen.add(call)
    const id = call ?? outputIdOf(item)
    return [
      ...(isTwice ? [{ path, detail: "the id of another call" }] : []),
      ...(id !== undefined && !isLegalId(id, CALL_IDS)
        ? [{ path, detail: "an id of a call that is not allowed" }]
        : []),
      ...(isOddItemId(item) ? [{ path: `${path}.id`, detail: "an id that is not allowed" }] : []),
      ...(isOddName(item) ? [{ path: `${path}.name`, detail: "a name that is not allowed" }] : []),
    ]
  })
}

/** An item without its id. */
export const withoutId = (item: ResponsesItem): ResponsesItem => {
  const { id: _, ...others } = item
  return others
}

/** What stands in place of an item with an odd id or name. */
export const withLegal = (item: ResponsesItem): ReadonlyArray<ResponsesItem> => {
  const named = isOddName(item) ? { ...item, name: legalName(String(item.name)) } : item
  if (!isOddItemId(named)) return [named]
  const isNothing = typeOf(named) === "item_reference" || (isReasoning(named) && !named.encrypted_content)
  return isNothing ? [] : [withoutId(named)]
}

/** OR5: places of items whose id stood before, in an item or in a reference to one. */
export const repeatedIds = (items: ReadonlyArray<ResponsesItem>): ReadonlyArray<number> => {
  const seen = new Set<unknown>()
  return items.flatMap((item, i) => {
    const id = itemIdOf(item)
    if (typeof id !== "string") return []
    const isTwice = seen.has(id)
    seen.add(id)
    return isTwice ? [i] : []
  })
}
