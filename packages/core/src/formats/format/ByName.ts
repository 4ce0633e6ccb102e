/**
 * Checks of values that say themselves what they are, by a field such as `type` or `role`.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { checkOf, type DecodeFault, isFields } from "./Fields.ts"

/** Null for a value of a shape, the fault for another. */
export type Check = (value: unknown, path: string) => DecodeFault | null

/** A field of what stands at a path. */
export const fieldPath = (path: string, field: string): string => (path === "" ? field : `${path}.${field}`)

/** Checks a value by the name that a field of it holds; a name that is not listed tells nothing more. */
export const byName = (field: string, checks: ReadonlyMap<string, Check>): Check => {
  const isNamed = checkOf(Schema.Struct({ [field]: Schema.String }))
  return (value, path) => {
    const found = isNamed(value, path)
    if (found !== null) return found
    const name = isFields(value) ? value[field] : undefined
    return (typeof name === "string" ? checks.get(name) : undefined)?.(value, path) ?? null
  }
}

/** Checks a list item by item; what is no list is a fault. */
export const listOf =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return { ok: false, path, reason: "expected a list" }
    for (const [i, item] of value.entries()) {
      const found = check(item, `${path}[${i}]`)
      if (found !== null) return found
    }
    return null
  }

/** Checks a field of an object; `isMissing` tells values that stand for nothing. */
export const inField =
  (field: string, check: Check, isMissing: (value: unknown) => boolean = () => false): Check =>
  (value, path) => {
    const own = isFields(value) ? value[field] : undefined
    return isMissing(own) ? null : check(own, fieldPath(path, field))
  }

/** Checks one after the other, up to the first fault. */
export const all =
  (...checks: ReadonlyArray<Check>): Check =>
  (value, path) => {
    for (const check of checks) {
      const found = check(value, path)
      if (found !== null) return found
    }
    return null
  }

/** Whether a value is absent or null. */
export const isNothing = (value: unknown): boolean => value === null || value === undefined
