/**
 * Large values in the form in which a message came: it holds the same images as the message, and they are kept once.
 *
 * @since 0.1.0
 */
import { isWellFormed } from "../text/Unicode.ts"
import { readReference, referTo, replaceReferences } from "../text/ValueReference.ts"
import { sha256 } from "./Id.ts"
import type { Raw } from "./Row.ts"

/**
 * A form with references, and the values that only it refers to, by their ids.
 *
 * @category models
 * @since 0.1.0
 */
export interface RawReferring {
  readonly raw: Raw
  readonly values: ReadonlyMap<string, string>
}

const NONE: ReadonlyMap<string, string> = new Map()

/** A text with references in the place of values, the longest first: one may be a piece of another. */
const referring = (text: string, values: ReadonlyMap<string, string>): string =>
  [...values]
    .sort(([, a], [, b]) => b.length - a.length)
    .reduce((rest, [id, value]) => rest.replaceAll(value, () => referTo(id, value)), text)

/**
 * Puts references into a form: in the place of the values of its message, and, where that leaves more than `above`
 * UTF-16 units, in the place of all of it.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rawWithReferences = (
  raw: Raw,
  values: ReadonlyMap<string, string>,
  above: number,
): RawReferring => {
  const shorter = raw.text.length <= above ? raw : { ...raw, text: referring(raw.text, values) }
  // What comes back must be what came: a text that held such references by itself would not.
  const isSame = rawWithValues(shorter, values)?.text === raw.text
  if (isSame && shorter.text.length <= above) return { raw: shorter, values: NONE }
  if (!isWellFormed(raw.text)) return { raw, values: NONE }
  const id = sha256(raw.text)
  return { raw: { ...raw, text: referTo(id, raw.text) }, values: new Map([[id, raw.text]]) }
}

/**
 * Puts the values of its message back into a form: null when all of it is kept apart and not there. References to
 * values that are not given stay.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rawWithValues = (raw: Raw, values: ReadonlyMap<string, string>): Raw | null => {
  const whole = readReference(raw.text)
  if (whole !== null) {
    const text = values.get(whole.id)
    return text?.length === whole.length ? { ...raw, text } : null
  }
  const text = replaceReferences(raw.text, values)
  return text === raw.text ? raw : { ...raw, text }
}
