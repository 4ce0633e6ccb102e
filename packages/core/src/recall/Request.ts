/**
 * What a model asks the recall tool for, read from whatever arguments it gave.
 *
 * @since 0.1.0
 */
import { unescapeFence } from "../text/Fence.ts"
import { takeStart } from "../text/Unicode.ts"

/**
 * What is asked for: rows by their addresses, memories by words, or nothing that can be understood.
 *
 * @category models
 * @since 0.1.0
 */
export type RecallRequest =
  | {
      readonly _tag: "Rows"
      /** As they were given: see `spellingsOf`. */
      readonly ids: ReadonlyArray<string>
      /** Where in the text of the only row to begin, in UTF-16 units. */
      readonly from: number
    }
  | {
      readonly _tag: "Search"
      readonly query: string
      /** Memories that were shown before. */
      readonly skip: number
    }
  | {
      readonly _tag: "Unclear"
      /** What to give instead, for the model. */
      readonly say: string
    }

/**
 * Most rows of one call.
 *
 * @category constants
 * @since 0.1.0
 */
export const MOST_ROWS = 8

/** Longest query, in UTF-16 units. */
const QUERY = 1_000

const HOW =
  'Give ids, such as {"ids": ["m12"]}, to read rows in full, or a query, such as {"query": "delivery address"}, to search.'

const PAGE = "page must be the number that the answer before named, and is left out for the first page."

const ALONE = "A page continues one row: give a single id with it."

const NAMES = {
  ids: ["ids", "id", "row", "rows", "ID"],
  query: ["query", "q", "search"],
  page: ["page", "cursor", "offset"],
}

const unclear = (say: string): RecallRequest => ({ _tag: "Unclear", say })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Text of a value that can only be meant as one. */
const textIn = (value: unknown): string => {
  if (typeof value === "string") return value
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : ""
}

/** Texts of a value, or of a list of values. */
const textsIn = (value: unknown): ReadonlyArray<string> =>
  (Array.isArray(value) ? value : [value]).map(textIn).filter((text) => text.trim() !== "")

/** A page that is left out is the first one; null for one that no answer named. */
const pageIn = (values: ReadonlyArray<unknown>): number | null => {
  const given = values.filter((value) => value !== undefined && value !== null && value !== "")
  if (given.length === 0) return 0
  const text = textIn(given[0]).trim()
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

const fromObject = (given: object): RecallRequest => {
  const fields = new Map<string, unknown>(Object.entries(given))
  const field = (names: ReadonlyArray<string>) => names.map((name) => fields.get(name))
  const ids = [...new Set(field(NAMES.ids).flatMap(textsIn))]
  const query = takeStart(field(NAMES.query).flatMap(textsIn).join(" ").trim(), QUERY)
  const from = pageIn(field(NAMES.page))
  if (ids.length === 0 && query === "") return unclear(HOW)
  if (from === null) return unclear(PAGE)
  if (ids.length === 0) return { _tag: "Search", query, skip: from }
  return from > 0 && ids.length > 1 ? unclear(ALONE) : { _tag: "Rows", ids, from }
}

const fromValue = (value: unknown): RecallRequest => {
  if (Array.isArray(value)) return fromObject({ ids: value })
  return typeof value === "object" && value !== null ? fromObject(value) : unclear(HOW)
}

const fromText = (text: string): RecallRequest => {
  const value = parsed(text)
  if (typeof value === "object" && value !== null) return fromValue(value)
  // A number keeps its digits, which may be more than a number has.
  return fromObject({ ids: typeof value === "string" ? value : value === null ? "" : text })
}

/**
 * Reads the arguments of a call of the recall tool: the JSON text as the model wrote it, or the value of it. A single id
 * for a list, a number for an id, text that is no JSON are understood; what is not is answered by what to give. Never
 * throws.
 *
 * **Example** (As a schema asks for it, and as models give it)
 *
 * ```ts
 * import { recallRequest } from "@palimpsest/core"
 *
 * recallRequest('{"ids":["m12"],"query":"","page":""}') // => { _tag: "Rows", ids: ["m12"], from: 0 }
 * recallRequest({ ids: "m12", page: 8000 }) // => { _tag: "Rows", ids: ["m12"], from: 8000 }
 * recallRequest('{"query":"tea"}') // => { _tag: "Search", query: "tea", skip: 0 }
 * recallRequest(null)._tag // => "Unclear"
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const recallRequest = (given: unknown): RecallRequest => {
  try {
    return typeof given === "string" ? fromText(given) : fromValue(given)
  } catch {
    return unclear(HOW)
  }
}

/** The text inside of the call, quotes, brackets and blanks that a model copied with an id. */
const bare = (id: string): string => {
  const text = id.trim()
  const inside = /^recall\((.*)\)$/s.exec(text)?.[1] ?? /^rows? (.*)$/s.exec(text)?.[1] ?? text
  const value = parsed(inside)
  return typeof value === "string" ? value : inside.trim()
}

/**
 * Lists what an id that a model gave may mean, the likeliest first: the id itself, what it quotes, and the ids that
 * stand in it. The first of these that are rows are meant.
 *
 * **Example** (An id with what stood around it)
 *
 * ```ts
 * import { spellingsOf } from "@palimpsest/core"
 *
 * spellingsOf('recall("m2")')[1] // => ["m2"]
 * spellingsOf("m2, m5")[1] // => ["m2", "m5"]
 * ```
 *
 * @category decoding
 * @since 0.1.0
 */
export const spellingsOf = (id: string): ReadonlyArray<ReadonlyArray<string>> => {
  const inside = bare(id)
  const list = inside.startsWith("[") ? textsIn(parsed(inside)) : []
  const several = (list.length > 0 ? list : inside.split(/[\s,;]+/).map(bare)).filter((text) => text !== "")
  const all = [[id], [inside], [bare(unescapeFence(id))], several.slice(0, MOST_ROWS)]
  const keys = all.map((spelling) => JSON.stringify(spelling))
  return all.filter((spelling, i) => spelling.length > 0 && keys.indexOf(JSON.stringify(spelling)) === i)
}
