/**
 * Reads and writes single fields of untrusted JSON objects.
 *
 * @since 0.1.0
 */
import { Result, Schema, SchemaIssue } from "effect"
import { ExactNumber } from "./ExactJson.ts"

/**
 * A JSON object.
 *
 * @category models
 * @since 0.1.0
 */
export type Fields = { readonly [key: string]: unknown }

/** Whether a value is a JSON object; a number with its digits is none. */
export const isFields = (json: unknown): json is Fields =>
  typeof json === "object" && json !== null && !Array.isArray(json) && !(json instanceof ExactNumber)

/**
 * Where a value is not of its format, and why. Nothing of the content is quoted.
 *
 * @category models
 * @since 0.1.0
 */
export interface DecodeFault {
  readonly ok: false
  /** Such as `messages[3].content[0].text`; empty for the whole value. */
  readonly path: string
  readonly reason: string
  /** Id of the rule that it breaks, where there is one for it; otherwise it is one of shape. */
  readonly rule?: string
}

/** A path as a person writes it. */
export const pathText = (base: string, path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`
    return text === "" ? String(key) : `${text}.${String(key)}`
  }, base)

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** Keys of a path of the standard form. */
const keysOf = (
  path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined,
): ReadonlyArray<PropertyKey> =>
  (path ?? [])
    .map((key) => (typeof key === "object" ? key.key : key))
    .map((key) => (typeof key === "string" && /^\d+$/.test(key) ? Number(key) : key))

/**
 * Makes a check of a schema: null for a value of it, the fault for another. The value is never rebuilt, so fields that
 * the schema does not know stay.
 *
 * @category schemas
 * @since 0.1.0
 */
export const checkOf = (
  schema: Schema.ConstraintDecoder<unknown>,
): ((value: unknown, base: string) => DecodeFault | null) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value, base) => {
    const result = decode(value)
    if (Result.isSuccess(result)) return null
    const [first] = formatIssue(result.failure.issue).issues
    const path = pathText(base, keysOf(first?.path))
    return { ok: false, path, reason: first?.message ?? "it is not of this format" }
  }
}
