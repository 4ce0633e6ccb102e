/**
 * The check of Gemini's contents: fields that are read here have their types, in either spelling; the others pass.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { checkOf } from "../format/Fields.ts"
import { spellings } from "./Wire.ts"

type Shape = Schema.ConstraintDecoder<unknown>

/** Absent and null are the same to the API. */
const maybe = (schema: Shape): Shape => Schema.optionalKey(Schema.NullOr(schema))

/** An object whose fields may be absent, and may be spelt in either way. */
const object = (
  fields: Readonly<Record<string, Shape>>,
  required: Readonly<Record<string, Shape>> = {},
): Shape =>
  Schema.Struct({
    ...required,
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([name, schema]) =>
        spellings([name]).map((spelling) => [spelling, maybe(schema)] as const),
      ),
    ),
  })

const Blob = object({ mimeType: Schema.String, data: Schema.String })
const File = object({ mimeType: Schema.String, fileUri: Schema.String })

const Part = object({
  text: Schema.String,
  thought: Schema.Boolean,
  thoughtSignature: Schema.String,
  inlineData: Blob,
  fileData: File,
  functionCall: object({ id: Schema.String }, { name: Schema.String }),
  functionResponse: object(
    { id: Schema.String, parts: Schema.Array(object({ inlineData: Blob, fileData: File })) },
    { name: Schema.String },
  ),
})

const Content = object({ role: Schema.String }, { parts: Schema.Array(Part) })

/** Null for a content of this format. */
export const checkContent = checkOf(Content)
