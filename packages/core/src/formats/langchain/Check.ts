/**
 * What makes a value a message of LangChain. Unknown fields and unknown blocks are of the format; a known one with
 * wrong fields is not.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { checkOf, type DecodeFault } from "../format/Fields.ts"
import { type Kind, viewOf } from "./Wire.ts"

const Optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Bag = Schema.Record(Schema.String, Schema.Unknown)

const ImageUrl = Schema.Union([Schema.String, Schema.Struct({ url: Schema.String })])

const known = {
  text: Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  image_url: Schema.Struct({ type: Schema.Literal("image_url"), image_url: ImageUrl }),
  thinking: Schema.Struct({
    type: Schema.Literal("thinking"),
    thinking: Schema.String,
    signature: Optional(Schema.String),
  }),
  redacted_thinking: Schema.Struct({ type: Schema.Literal("redacted_thinking"), data: Schema.String }),
  tool_use: Schema.Struct({
    type: Schema.Literal("tool_use"),
    id: Optional(Schema.String),
    name: Schema.String,
  }),
  tool_call: Schema.Struct({
    type: Schema.Literal("tool_call"),
    id: Optional(Schema.String),
    name: Schema.String,
  }),
} as const

const isUnknownType = Schema.makeFilter((type: string) => !(type in known), {
  expected: "a type of block that has its own form",
})

const Block = Schema.Union([
  Schema.String,
  ...Object.values(known),
  Schema.Struct({ type: Schema.optionalKey(Schema.String.check(isUnknownType)) }),
])

const Content = Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Block)]))

const Named = Schema.Struct({ name: Schema.String, id: Optional(Schema.String) })

/** The form of Chat Completions, which plain messages may use. */
const OfFunction = Schema.Struct({
  id: Optional(Schema.String),
  function: Schema.Struct({ name: Schema.String, arguments: Schema.String }),
})

const Invalid = Schema.Struct({
  name: Optional(Schema.String),
  args: Optional(Schema.String),
  id: Optional(Schema.String),
})

const base = {
  content: Schema.optionalKey(Content),
  content_blocks: Schema.optionalKey(Content),
  id: Optional(Schema.String),
  name: Optional(Schema.String),
  additional_kwargs: Optional(Bag),
  response_metadata: Optional(Bag),
}

const Simple = Schema.Struct(base)

const Ai = Schema.Struct({
  ...base,
  tool_calls: Optional(Schema.Array(Schema.Union([Named, OfFunction]))),
  invalid_tool_calls: Optional(Schema.Array(Invalid)),
})

const Tool = Schema.Struct({ ...base, tool_call_id: Schema.String, status: Optional(Schema.String) })

const Generic = Schema.Struct({ ...base, role: Schema.String })

const checkSimple = checkOf(Simple)

const CHECKS: Readonly<Record<Exclude<Kind, "remove">, ReturnType<typeof checkOf>>> = {
  human: checkSimple,
  system: checkSimple,
  function: checkSimple,
  ai: checkOf(Ai),
  tool: checkOf(Tool),
  generic: checkOf(Generic),
}

const WITHIN = { stored: ".data", constructor: ".kwargs", plain: "" } as const

/** Null for a message; an instruction to remove one is none. */
export const checkMessage = (value: unknown, path: string): DecodeFault | null => {
  const view = viewOf(value)
  if (view === null) return { ok: false, path, reason: "it is of no form or type of message that is known" }
  if (view.kind !== "remove") return CHECKS[view.kind](view.fields, `${path}${WITHIN[view.form]}`)
  const reason = "it removes a message and is none itself: apply it to the list first, as LangGraph does"
  return { ok: false, path, reason, rule: "LC5" }
}
