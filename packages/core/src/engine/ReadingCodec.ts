/**
 * Codec of the readings that stand on message rows.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"

/**
 * Describes the reading of a prompt.
 *
 * @category schemas
 * @since 0.1.0
 */
export const ReadingCodec = Schema.Struct({
  model: Schema.String,
  counter: Schema.String,
  boundary: Schema.NullOr(Schema.String),
  estimated: Schema.Finite,
  real: Schema.Finite,
  overflow: Schema.optionalKey(Schema.Boolean),
})
