/**
 * What is taken for a UI message: known parts with the fields that the AI SDK demands, others as they are.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { Options } from "../ai-sdk/Shape.ts"
import { checkOf } from "../format/Fields.ts"

const Text = Schema.optional(Schema.String)

const known = {
  text: Schema.Struct({ type: Schema.Literal("text"), text: Schema.String, providerMetadata: Options }),
  reasoning: Schema.Struct({
    type: Schema.Literal("reasoning"),
    text: Schema.String,
    providerMetadata: Options,
  }),
  file: Schema.Struct({
    type: Schema.Literal("file"),
    mediaType: Schema.String,
    url: Schema.String,
    filename: Text,
    providerMetadata: Options,
  }),
  "source-url": Schema.Struct({
    type: Schema.Literal("source-url"),
    sourceId: Schema.String,
    url: Schema.String,
  }),
  "source-document": Schema.Struct({
    type: Schema.Literal("source-document"),
    sourceId: Schema.String,
    mediaType: Schema.String,
    title: Schema.String,
  }),
} as const

const tool = {
  toolCallId: Schema.String,
  state: Schema.String,
  providerExecuted: Schema.optional(Schema.Boolean),
  callProviderMetadata: Options,
  resultProviderMetadata: Options,
}

const isToolType = (type: string): boolean => type.startsWith("tool-")

const StaticTool = Schema.Struct({
  type: Schema.String.check(Schema.makeFilter(isToolType, { expected: "the type of a tool" })),
  ...tool,
})

const DynamicTool = Schema.Struct({
  type: Schema.Literal("dynamic-tool"),
  toolName: Schema.String,
  ...tool,
})

const Other = Schema.Struct({
  type: Schema.String.check(
    Schema.makeFilter((type: string) => !(type in known) && type !== "dynamic-tool" && !isToolType(type), {
      expected: "a type of part that has its own form",
    }),
  ),
})

const Message = Schema.Struct({
  id: Text,
  role: Schema.Literals(["system", "user", "assistant"]),
  parts: Schema.Array(Schema.Union([...Object.values(known), StaticTool, DynamicTool, Other])),
})

/** Null for a message of this format. */
export const checkMessage = checkOf(Message)
