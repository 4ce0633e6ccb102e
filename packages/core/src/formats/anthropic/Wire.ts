/**
 * The shapes of Anthropic's Messages, as far as they are read here.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { checkOf, type Fields } from "../format/Fields.ts"
import type { IdRule } from "../format/Ids.ts"

/**
 * A block of a message: `type` and what belongs to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface AnthropicBlock {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * A message of a request.
 *
 * @category models
 * @since 0.1.0
 */
export interface AnthropicMessage {
  readonly role: "user" | "assistant" | "system"
  readonly content: string | ReadonlyArray<AnthropicBlock>
  readonly [key: string]: unknown
}

/**
 * A request of the Messages API, as far as a memory writes it; the other fields pass through.
 *
 * @category models
 * @since 0.1.0
 */
export interface AnthropicRequest {
  readonly system?: string | ReadonlyArray<AnthropicBlock>
  readonly messages: ReadonlyArray<AnthropicMessage>
  readonly tools?: ReadonlyArray<Fields>
  readonly [key: string]: unknown
}

const known = {
  text: Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }),
  thinking: Schema.Struct({
    type: Schema.Literal("thinking"),
    thinking: Schema.String,
    signature: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
  redacted_thinking: Schema.Struct({ type: Schema.Literal("redacted_thinking"), data: Schema.String }),
  tool_use: Schema.Struct({
    type: Schema.Literal("tool_use"),
    id: Schema.String,
    name: Schema.String,
    input: Schema.Unknown,
  }),
} as const

const isUnknownType = Schema.makeFilter((type: string) => !(type in known) && type !== "tool_result", {
  expected: "a type of block that has its own form",
})

const Other = Schema.Struct({ type: Schema.String.check(isUnknownType) })
const Inner = Schema.Union([known.text, Other])

const ToolResult = Schema.Struct({
  type: Schema.Literal("tool_result"),
  tool_use_id: Schema.String,
  content: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Schema.Array(Inner)]))),
  is_error: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
})

const Block = Schema.Union([...Object.values(known), ToolResult, Other])

const Message = Schema.Struct({
  role: Schema.Literals(["user", "assistant", "system"]),
  content: Schema.Union([Schema.String, Schema.Array(Block)]),
})

/** Ids of calls: the alphabet is the provider's, the length that of the strictest other one. */
export const CALL_IDS: IdRule = { alphabet: "dashes", min: 1, max: 64, unique: "request" }

/** Null for a message of this format. */
export const checkMessage = checkOf(Message)

/** The blocks of a message; a string is one text. */
export const blocksOf = ({ content }: AnthropicMessage): ReadonlyArray<AnthropicBlock> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content
