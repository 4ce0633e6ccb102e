/**
 * The check of an encoded prompt: parts that are known have their fields, in the roles that may hold them.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { checkOf } from "../format/Fields.ts"

const Data = Schema.Union([
  Schema.String,
  Schema.Struct({ $bytes: Schema.String }),
  Schema.Struct({ $url: Schema.String }),
])

const isByProvider = Schema.optional(Schema.Boolean)

const known = {
  text: Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  reasoning: Schema.Struct({ type: Schema.Literal("reasoning"), text: Schema.String }),
  file: Schema.Struct({
    type: Schema.Literal("file"),
    mediaType: Schema.String,
    fileName: Schema.optional(Schema.String),
    data: Data,
  }),
  "tool-call": Schema.Struct({
    type: Schema.Literal("tool-call"),
    id: Schema.String,
    name: Schema.String,
    params: Schema.optionalKey(Schema.Unknown),
    providerExecuted: isByProvider,
  }),
  "tool-result": Schema.Struct({
    type: Schema.Literal("tool-result"),
    id: Schema.String,
    name: Schema.String,
    isFailure: Schema.Boolean,
    result: Schema.optionalKey(Schema.Unknown),
    providerExecuted: isByProvider,
  }),
  "tool-approval-request": Schema.Struct({
    type: Schema.Literal("tool-approval-request"),
    approvalId: Schema.String,
    toolCallId: Schema.String,
  }),
  "tool-approval-response": Schema.Struct({
    type: Schema.Literal("tool-approval-response"),
    approvalId: Schema.String,
    approved: Schema.Boolean,
    reason: Schema.optional(Schema.String),
  }),
} as const

const isUnknownType = Schema.makeFilter((type: string) => !Object.hasOwn(known, type), {
  expected: "a type of part that may stand here, in its form",
})

const Other = Schema.Struct({ type: Schema.String.check(isUnknownType) })

const User = Schema.Array(Schema.Union([known.text, known.file, Other]))

const Assistant = Schema.Array(
  Schema.Union([
    known.text,
    known.file,
    known.reasoning,
    known["tool-call"],
    known["tool-result"],
    known["tool-approval-request"],
    Other,
  ]),
)

const Tool = Schema.Array(Schema.Union([known["tool-result"], known["tool-approval-response"], Other]))

const Message = Schema.Union([
  Schema.Struct({ role: Schema.Literal("system"), content: Schema.String }),
  Schema.Struct({ role: Schema.Literal("user"), content: Schema.Union([Schema.String, User]) }),
  Schema.Struct({ role: Schema.Literal("assistant"), content: Schema.Union([Schema.String, Assistant]) }),
  Schema.Struct({ role: Schema.Literal("tool"), content: Tool }),
])

/** Null for a message of this format. */
export const checkMessage = checkOf(Message)
