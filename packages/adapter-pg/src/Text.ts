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

// An escape of JSON text: the group is one of those that Postgres's own JSON functions refuse.
const JSON_UNSAFE = /\\(?:u(0000|001a|d[89a-f][0-9a-f]{2})|[\s\S])/g
const JSON_ESCAPED = /\\(?:u001a([0-9a-f]{4})|[\s\S])/g

/**
 * Writes JSON text as `JSON.stringify` makes it so that the JSON functions of Postgres can read it too: inside its
 * strings the same signs stand as in other text.
 *
 * @category codecs
 * @since 0.1.0
 */
export const encodeJson = (json: string): string =>
  json.replace(JSON_UNSAFE, (sign, hex?: string) => (hex === undefined ? sign : `\\u001a${hex}`))

/**
 * Reads back what `encodeJson` wrote.
 *
 * @category codecs
 * @since 0.1.0
 */
export const decodeJson = (stored: string): string =>
  stored.replace(JSON_ESCAPED, (sign, hex?: string) => (hex === undefined ? sign : `\\u${hex}`))

/**
 * Describes a column of JSON text.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PgJson = Schema.String.pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: decodeJson, encode: encodeJson })),
)

/**
 * Describes a text column.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PgText = Schema.String.pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: decodeText, encode: encodeText })),
)
