/**
 * What the statements ask for and answer, as codecs.
 *
 * @since 0.1.0
 */
import { OPEN } from "@palimpsest/core"
import * as Schema from "effect/Schema"
import { PgJson, PgText } from "./Text.ts"

/**
 * Describes the key of a thread as parameters.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Key = Schema.Struct({ tenant: PgText, chat: PgText })

const messageColumns = {
  id: PgText,
  position: Schema.Finite,
  payload: PgJson,
  tokens: Schema.Finite,
  tokenizer: PgText,
  cap: Schema.NullOr(PgJson),
  rawFormat: Schema.NullOr(PgText),
  rawText: Schema.NullOr(PgText),
  usage: Schema.NullOr(PgJson),
  at: Schema.NullOr(Schema.Finite),
}

const markColumns = {
  id: PgText,
  position: Schema.Finite,
  rank: Schema.Finite,
  revision: Schema.Finite,
  seq: Schema.Finite,
  kind: PgText,
  anchor: PgText,
  payload: PgJson,
}

/**
 * Describes a message as it is answered.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MessageRecord = Schema.Struct(messageColumns)

/**
 * Describes a mark as it is answered.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MarkRecord = Schema.Struct(markColumns)

/**
 * Describes a cut as it is answered: `flag` tells whether its anchor is a message at its position.
 *
 * @category schemas
 * @since 0.1.0
 */
export const CutRecord = Schema.Struct({ ...markColumns, time: Schema.Finite, flag: Schema.Boolean })

const loadedMessage = Schema.Struct({ source: Schema.Literal("message"), ...messageColumns })
const loadedMark = Schema.Struct({ source: Schema.Literal("mark"), ...markColumns })

/**
 * Describes the rows of one page; `next` is where the one after it begins.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PageRecord = Schema.Union([
  Schema.Struct({ source: Schema.Literal("next"), position: Schema.Finite }),
  loadedMessage,
  loadedMark,
])

/**
 * Describes the rows of one load, told apart by where they come from.
 *
 * @category schemas
 * @since 0.1.0
 */
export const LoadRecord = Schema.Union([
  Schema.Struct({
    source: Schema.Literal("chat"),
    payload: Schema.NullOr(PgText),
    /** The owner. */
    kind: Schema.NullOr(PgText),
    revision: Schema.Finite,
    /** Whether it was removed. */
    flag: Schema.Boolean,
  }),
  Schema.Struct({ source: Schema.Literal("cut"), ...CutRecord.fields }),
  Schema.Struct({ source: Schema.Literal("kept"), ...messageColumns }),
  loadedMessage,
  loadedMark,
  Schema.Struct({
    source: Schema.Literal("failure"),
    seq: Schema.Finite,
    anchor: PgText,
    kind: Schema.Literals(["summarise", "flush", "check"]),
    payload: PgText,
    tokens: Schema.Finite,
  }),
])

/**
 * A place in the order in which cuts are looked for.
 *
 * @category models
 * @since 0.1.0
 */
export interface Place {
  readonly time: number
  readonly position: number
  readonly rank: number
  readonly revision: number
}

/**
 * The place after every mark.
 *
 * @category constructors
 * @since 0.1.0
 */
export const atEnd: Place = { time: OPEN, position: OPEN, rank: 0, revision: 0 }
