/**
 * Text of any kind in a Postgres text column.
 *
 * Postgres keeps neither NUL nor half a surrogate pair. Those, and the sign that marks them, are written as the sign
 * (U+001A) and four hex digits; every other text stays as it is, readable in `psql`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const SIGN = "\u001a"
// With the flag `u` a whole pair is one code point, so that only lone halves are of the category Cs.
const UNSAFE = /[\0\u001a\p{Cs}]/gu
const ESCAPED = /\u001a([0-9a-f]{4})/g

/**
 * Writes any text so that Postgres can keep it.
 *
 * @category codecs
 * @since 0.1.0
 */
export const encodeText = (text: string): string =>
  text.replace(UNSAFE, (unit) => SIGN + unit.charCodeAt(0).toString(16).padStart(4, "0"))

/**
 * Reads back what `encodeText` wrote.
 *
 * @category codecs
 * @since 0.1.0
 */
export const decodeText = (stored: string): string =>
  stored.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * Describes a text column.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PgText = Schema.String.pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: decodeText, encode: encodeText })),
)
