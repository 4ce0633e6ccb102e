/**
 * The large values that a row refers to, in its message and in the form in which it came.
 *
 * @since 0.1.0
 */
import { readReference } from "../text/ValueReference.ts"
import { rawWithValues } from "./RawReferences.ts"
import { referencesIn, withValues } from "./References.ts"
import type { MessageRow } from "./Row.ts"

/** What of a row may refer to values. */
type Content = Pick<MessageRow, "message" | "raw">

/**
 * Lists the ids of the values that a row refers to, each once.
 *
 * @category getters
 * @since 0.1.0
 */
export const rowReferences = ({ message, raw }: Content): ReadonlyArray<string> => {
  const form = raw === undefined ? undefined : readReference(raw.text)?.id
  return form === undefined ? referencesIn(message) : [...new Set([...referencesIn(message), form])]
}

/**
 * Puts the values of a row back, those that are given. The form in which it came is left out while something of it
 * is missing.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rowWithValues = <C extends Content>(row: C, values: ReadonlyMap<string, string>): C => {
  const ids = rowReferences(row)
  if (ids.length === 0) return row
  const own = new Map(ids.flatMap((id) => (values.has(id) ? [[id, values.get(id) ?? ""] as const] : [])))
  const { raw, ...rest } = row
  const message = withValues(row.message, own)
  const form = raw === undefined || referencesIn(message).length > 0 ? null : rawWithValues(raw, own)
  return { ...rest, message, ...(form === null ? {} : { raw: form }) } as C
}
