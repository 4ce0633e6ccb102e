/** Reads fields of JSON that may have any shape. */
import { ExactNumber } from "@palimpsest/core/formats"

export type Fields = { readonly [key: string]: unknown }

export const isFields = (json: unknown): json is Fields =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof ExactNumber)

/** The value at the end of a path of names; undefined where the path ends early. */
export const fieldOf = (json: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, key) => (isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    json,
  )

/** A text; empty for another value. */
export const textAt = (json: unknown, ...path: ReadonlyArray<string>): string => {
  const value = fieldOf(json, ...path)
  return typeof value === "string" ? value : ""
}

/** A list; empty for another value. */
export const listAt = (json: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const value = fieldOf(json, ...path)
  return Array.isArray(value) ? value : []
}

/** A number; undefined for another value. */
export const numberAt = (json: unknown, ...path: ReadonlyArray<string>): number | undefined => {
  const value = fieldOf(json, ...path)
  if (value instanceof ExactNumber) return Number(value.digits)
  return typeof value === "number" ? value : undefined
}

/** Whether an object has each of some fields. */
export const has = (json: unknown, ...keys: ReadonlyArray<string>): json is Fields =>
  isFields(json) && keys.every((key) => Object.hasOwn(json, key))

/** A value as a person would describe it, short. */
export const describe = (json: unknown, depth = 0): string => {
  if (Array.isArray(json) && depth > 2) return "a list"
  if (Array.isArray(json))
    return json.length === 0 ? "an empty list" : `a list of ${describe(json[0], depth + 1)}`
  if (!isFields(json))
    return json === null ? "null" : `a ${json instanceof ExactNumber ? "number" : typeof json}`
  const keys = Object.keys(json)
  const more = keys.length > 8 ? ", …" : ""
  return keys.length === 0 ? "an empty object" : `an object with ${keys.slice(0, 8).join(", ")}${more}`
}
