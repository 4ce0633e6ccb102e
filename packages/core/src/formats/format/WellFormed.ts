/**
 * Strings without halves of characters, deep in a wire value: providers refuse the others.
 *
 * @since 0.1.0
 */
import { wellFormed } from "../../text/Unicode.ts"
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

/** Paths of the strings that hold a lone surrogate. */
export const loneSurrogates = (
  value: unknown,
  path: ReadonlyArray<PropertyKey> = [],
): ReadonlyArray<string> => {
  if (typeof value === "string") return wellFormed(value) === value ? [] : [pathText("", path)]
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return []
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.flatMap(([key, item]) => [
    ...(typeof key === "string" && wellFormed(key) !== key ? [pathText("", path)] : []),
    ...loneSurrogates(item, [...path, key]),
  ])
}
