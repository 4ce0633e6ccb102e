/**
 * Strings without halves of characters, deep in a wire value: providers refuse the others.
 *
 * @since 0.1.0
 */
import { isWellFormed, wellFormed } from "../../text/Unicode.ts"
import { ExactNumber } from "./ExactJson.ts"
import { pathText } from "./Fields.ts"

/** Replaces lone surrogates in each string by U+FFFD, keys included; a value without any comes back as it is. */
export const wellFormedDeep = <A>(value: A): A => {
  if (typeof value === "string") return wellFormed(value) as A & string
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return value
  if (Array.isArray(value)) {
    const items = value.map(wellFormedDeep)
    return items.every((item, i) => item === value[i]) ? value : (items as A & Array<unknown>)
  }
  const entries = Object.entries(value)
  const changed = entries.map(([key, item]) => [wellFormed(key), wellFormedDeep(item)] as const)
  const isSame = changed.every(([key, item], i) => key === entries[i]?.[0] && item === entries[i]?.[1])
  return isSame ? value : (Object.fromEntries(changed) as A)
}

/** Where a value stands: under a key of the one around it. Most values need no path, so none is made before. */
interface Place {
  readonly around: Place | null
  readonly key: PropertyKey
}

const pathOf = (place: Place | null): string => {
  const path: Array<PropertyKey> = []
  for (let at = place; at !== null; at = at.around) path.push(at.key)
  return pathText("", path.toReversed())
}

/** Paths of the strings that hold a lone surrogate. */
export const loneSurrogates = (value: unknown): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (each: unknown, place: Place | null): void => {
    if (typeof each === "string" && !isWellFormed(each)) found.push(pathOf(place))
    if (typeof each !== "object" || each === null || each instanceof ExactNumber) return
    for (const [key, item] of Array.isArray(each) ? each.entries() : Object.entries(each)) {
      if (typeof key === "string" && !isWellFormed(key)) found.push(pathOf(place))
      visit(item, { around: place, key })
    }
  }
  visit(value, null)
  return found
}
