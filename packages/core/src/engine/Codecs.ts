/**
 * Codecs of what a store keeps as JSON text: messages, the payloads of marks, failures.
 *
 * @since 0.1.0
 */
import { Result, Schema } from "effect"
import type { Mark } from "../thread/Row.ts"

/** Levels of nesting that a payload may have: deeper ones would overflow the stack of a recursive reader. */
const MAX_DEPTH = 1000

const Text = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })

const Reasoning = Schema.Struct({
  type: Schema.Literal("reasoning"),
  text: Schema.String,
  signature: Schema.optionalKey(Schema.String),
  redacted: Schema.optionalKey(Schema.Boolean),
  id: Schema.optionalKey(Schema.String),
})

const Media = Schema.Struct({
  type: Schema.Literal("media"),
  mediaType: Schema.String,
  data: Schema.String,
  width: Schema.optionalKey(Schema.Finite),
  height: Schema.optionalKey(Schema.Finite),
  detail: Schema.optionalKey(Schema.Literals(["low", "high", "auto"])),
  name: Schema.optionalKey(Schema.String),
})

const ToolCall = Schema.Struct({
  type: Schema.Literal("tool-call"),
  id: Schema.String,
  name: Schema.String,
  arguments: Schema.String,
  kind: Schema.optionalKey(Schema.String),
  signature: Schema.optionalKey(Schema.String),
  pending: Schema.optionalKey(Schema.Boolean),
})

const Opaque = Schema.Struct({
  type: Schema.Literal("opaque"),
  format: Schema.String,
  json: Schema.String,
})

const ToolResult = Schema.Struct({
  type: Schema.Literal("tool-result"),
  call: Schema.String,
  name: Schema.optionalKey(Schema.String),
  status: Schema.Literals(["ok", "error", "denied"]),
  content: Schema.Array(Schema.Union([Text, Media, Opaque])),
})

const Approval = Schema.Struct({
  type: Schema.Literal("approval"),
  call: Schema.String,
  id: Schema.optionalKey(Schema.String),
  approved: Schema.Boolean,
  reason: Schema.optionalKey(Schema.String),
})

/**
 * Describes a message.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MessageCodec = Schema.Union([
  Schema.Struct({
    role: Schema.Literal("user"),
    parts: Schema.Array(Schema.Union([Text, Media, Opaque])),
    name: Schema.optionalKey(Schema.String),
    synthetic: Schema.optionalKey(Schema.Boolean),
  }),
  Schema.Struct({
    role: Schema.Literal("assistant"),
    parts: Schema.Array(Schema.Union([Text, Reasoning, Media, ToolCall, Opaque])),
    name: Schema.optionalKey(Schema.String),
    model: Schema.optionalKey(Schema.String),
    format: Schema.optionalKey(Schema.String),
  }),
  Schema.Struct({ role: Schema.Literal("tool"), parts: Schema.Array(Schema.Union([ToolResult, Approval])) }),
])

/**
 * Describes the patches over one row.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PatchesCodec = Schema.Array(
  Schema.Struct({
    part: Schema.Natural,
    item: Schema.optionalKey(Schema.Natural),
    text: Schema.String,
  }),
)

const ItemKind = Schema.Literals([
  "task",
  "pending",
  "resolved",
  "constraint",
  "decision",
  "fact",
  "artifact",
])

/**
 * Describes a running summary.
 *
 * @category schemas
 * @since 0.1.0
 */
export const SummaryCodec = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      kind: ItemKind,
      text: Schema.String,
      sources: Schema.Array(Schema.String),
    }),
  ),
})

/**
 * Describes the answer of a summariser.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DeltaCodec = Schema.Struct({
  add: Schema.Array(
    Schema.Struct({
      kind: ItemKind,
      text: Schema.String,
      sources: Schema.Array(Schema.String),
    }),
  ),
  resolve: Schema.Array(Schema.String),
  drop: Schema.Array(Schema.Struct({ id: Schema.String, source: Schema.String })),
})

/**
 * Describes what a pass did.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PassCodec = Schema.Struct({
  cause: Schema.Literals(["trigger", "limit", "manual"]),
  before: Schema.Finite,
  after: Schema.Finite,
  rows: Schema.Finite,
  digest: Schema.String,
  generation: Schema.Finite,
  outcome: Schema.Literals(["model", "extractive", "host", "none"]),
  model: Schema.String,
  policy: Schema.String,
  weak: Schema.Finite,
  fallbacks: Schema.Finite,
  newest: Schema.optionalKey(Schema.String),
})

/**
 * Describes a failed pass.
 *
 * @category schemas
 * @since 0.1.0
 */
export const FailureCodec = Schema.Struct({
  anchor: Schema.String,
  stage: Schema.Literals(["summarise", "flush", "check"]),
  reason: Schema.String,
  tokens: Schema.Finite,
})

/**
 * Describes what each kind of mark keeps besides its place: `id`, `position`, `anchor`, `revision` stand apart.
 *
 * @category schemas
 * @since 0.1.0
 */
export const MarkPayloadCodecs = {
  summary: Schema.Struct({
    summary: SummaryCodec,
    text: Schema.String,
    tokens: Schema.Finite,
    tokenizer: Schema.String,
    head: Schema.Array(Schema.String),
    carry: Schema.Array(Schema.String),
    pass: PassCodec,
    previous: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
  reset: Schema.Struct({}),
  prune: Schema.Struct({
    reductions: Schema.Array(
      Schema.Struct({ row: Schema.String, patches: PatchesCodec, tokens: Schema.Finite }),
    ),
    tokenizer: Schema.String,
    pass: PassCodec,
  }),
  recall: Schema.Struct({
    text: Schema.String,
    tokens: Schema.Finite,
    tokenizer: Schema.String,
    sources: Schema.Array(Schema.String),
  }),
} satisfies Record<Mark["kind"], Schema.ConstraintDecoder<unknown>>

/**
 * Writes values of one type as JSON text, and reads them back. Both ways are total; a failure says where, and
 * quotes nothing of the content.
 *
 * @category models
 * @since 0.1.0
 */
export interface JsonCodec<T> {
  readonly encode: (value: T) => Result.Result<string, string>
  readonly decode: (text: string) => Result.Result<T, string>
}

/** Depth of JSON text, counted without recursion; brackets inside strings do not count. */
const depthOf = (json: string): number => {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const unit = json[i]
    if (quoted) {
      if (unit === "\\") i++
      else if (unit === '"') quoted = false
    } else if (unit === '"') quoted = true
    else if (unit === "{" || unit === "[") deepest = Math.max(deepest, ++depth)
    else if (unit === "}" || unit === "]") depth--
  }
  return deepest
}

const write = (value: unknown): Result.Result<string, string> =>
  Result.try({
    try: () => JSON.stringify(value) ?? "null",
    catch: () => "it cannot be written as JSON: a cycle, a bigint, or nested too deeply",
  })

const parse = (text: string): Result.Result<unknown, string> =>
  Result.try({ try: (): unknown => JSON.parse(text), catch: () => "its payload is not JSON" })

/**
 * Makes the codec of a schema. What `decode` returns is the parsed text itself, so that fields which this version
 * does not know survive; the schema only tells whether it can be read. What `encode` returns can be read back.
 *
 * @category constructors
 * @since 0.1.0
 */
export const jsonCodec = <T>(
  schema: Schema.ConstraintDecoder<unknown> & { readonly Type: T },
): JsonCodec<T> => {
  const check = Schema.decodeUnknownResult(schema)
  const decode = (text: string): Result.Result<T, string> =>
    Result.flatMap(parse(text), (value) =>
      Result.mapBoth(check(value), {
        onSuccess: () => value as T,
        onFailure: (error) => error.message.replaceAll("\n", ""),
      }),
    )
  const encode = (value: T): Result.Result<string, string> =>
    Result.flatMap(write(value), (text) =>
      depthOf(text) > MAX_DEPTH
        ? Result.fail(`it is nested more than ${MAX_DEPTH} levels deep`)
        : Result.map(decode(text), () => text),
    )
  return { encode, decode }
}
