/**
 * What is taken for a model message: known parts with the fields that the AI SDK demands, others as they are.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { checkOf, isFields } from "../format/Fields.ts"
import { textOfData } from "./Live.ts"

/** Options by provider: an object of objects. */
export const Options = Schema.optional(
  Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.Unknown)),
)

/** What an absent value is in JavaScript's objects, too. */
const Text = Schema.optional(Schema.String)

/** A text, bytes, an address, or an object of a newer version that says what it is. */
const Data = Schema.Unknown.check(
  Schema.makeFilter(
    (data) => textOfData(data) !== null || (isFields(data) && typeof data.type === "string"),
    {
      expected: "a text, bytes or an address",
    },
  ),
)

/** Objects of a type that is none of these: they have their own form. */
const otherThan = (known: ReadonlyArray<string>) =>
  Schema.Struct({
    type: Schema.String.check(
      Schema.makeFilter((type: string) => !known.includes(type), { expected: "a type that may stand here" }),
    ),
  })

const text = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String, providerOptions: Options })
const image = Schema.Struct({
  type: Schema.Literal("image"),
  image: Data,
  mediaType: Text,
  providerOptions: Options,
})
const file = Schema.Struct({
  type: Schema.Literal("file"),
  data: Data,
  mediaType: Schema.String,
  filename: Text,
  providerOptions: Options,
})
const reasoning = Schema.Struct({
  type: Schema.Literal("reasoning"),
  text: Schema.String,
  providerOptions: Options,
})
const call = Schema.Struct({
  type: Schema.Literal("tool-call"),
  toolCallId: Schema.String,
  toolName: Schema.String,
  providerExecuted: Schema.optional(Schema.Boolean),
  providerOptions: Options,
})
const request = Schema.Struct({
  type: Schema.Literal("tool-approval-request"),
  approvalId: Schema.String,
  toolCallId: Schema.String,
})
const response = Schema.Struct({
  type: Schema.Literal("tool-approval-response"),
  approvalId: Schema.String,
  approved: Schema.Boolean,
  reason: Text,
  providerExecuted: Schema.optional(Schema.Boolean),
})

const withData = Schema.Struct({
  type: Schema.Literals(["media", "file-data", "image-data"]),
  data: Schema.String,
  mediaType: Schema.String,
})
const withUrl = Schema.Struct({ type: Schema.Literals(["file-url", "image-url"]), url: Schema.String })

const Item = Schema.Union([
  text,
  withData,
  withUrl,
  otherThan(["text", "media", "file-data", "image-data", "file-url", "image-url"]),
])

const OUTPUTS = ["text", "error-text", "json", "error-json", "execution-denied", "content"]

const Output = Schema.Union([
  Schema.Struct({
    type: Schema.Literals(["text", "error-text"]),
    value: Schema.String,
    providerOptions: Options,
  }),
  Schema.Struct({ type: Schema.Literals(["json", "error-json"]), providerOptions: Options }),
  Schema.Struct({ type: Schema.Literal("execution-denied"), reason: Text, providerOptions: Options }),
  Schema.Struct({ type: Schema.Literal("content"), value: Schema.Array(Item) }),
  otherThan(OUTPUTS),
])

const result = Schema.Struct({
  type: Schema.Literal("tool-result"),
  toolCallId: Schema.String,
  toolName: Schema.String,
  output: Output,
  providerOptions: Options,
})

const Other = otherThan([
  "text",
  "image",
  "file",
  "reasoning",
  "tool-call",
  "tool-result",
  "tool-approval-request",
  "tool-approval-response",
])

const Message = Schema.Union([
  Schema.Struct({ role: Schema.Literal("system"), content: Schema.String, providerOptions: Options }),
  Schema.Struct({
    role: Schema.Literal("user"),
    content: Schema.Union([Schema.String, Schema.Array(Schema.Union([text, image, file, Other]))]),
    providerOptions: Options,
  }),
  Schema.Struct({
    role: Schema.Literal("assistant"),
    content: Schema.Union([
      Schema.String,
      Schema.Array(Schema.Union([text, file, reasoning, call, result, request, Other])),
    ]),
    providerOptions: Options,
  }),
  Schema.Struct({
    role: Schema.Literal("tool"),
    content: Schema.Array(Schema.Union([result, response, Other])),
    providerOptions: Options,
  }),
])

/** Null for a message of this format. */
export const checkMessage = checkOf(Message)
