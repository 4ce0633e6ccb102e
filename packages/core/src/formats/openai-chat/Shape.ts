/**
 * The check of messages of Chat Completions: what is known has its fields, and the other parts and fields pass.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { all, byName, type Check, fieldPath, inField, isNothing, listOf } from "../format/ByName.ts"
import { checkOf, isFields } from "../format/Fields.ts"

const text = checkOf(Schema.Struct({ text: Schema.String }))
const refusal = checkOf(Schema.Struct({ refusal: Schema.String }))

const part = byName(
  "type",
  new Map([
    ["text", text],
    ["refusal", refusal],
  ]),
)

const noMedium: Check = (_, path) => ({
  ok: false,
  path,
  reason: "expected a text part in the system prompt",
})

const systemPart = byName(
  "type",
  new Map([
    ["text", text],
    ["image_url", noMedium],
    ["input_audio", noMedium],
    ["file", noMedium],
  ]),
)

const isNoList = (value: unknown): boolean => isNothing(value) || typeof value === "string"

/** Content is a text or a list of parts; whether it may be empty or null is a rule, not a shape. */
const contentOf = (one: Check): Check => inField("content", listOf(one), isNoList)

/**
 * Content that is there. The API requires it of all but a response, which may call, refuse or sound instead. A message
 * without it is most likely one of another format, and what it says would be lost.
 */
const requiredOf =
  (one: Check): Check =>
  (value, path) =>
    isFields(value) && value.content === undefined
      ? {
          ok: false,
          path: fieldPath(path, "content"),
          reason: "it is missing: expected a text or a list of parts",
          rule: "OC12",
        }
      : contentOf(one)(value, path)

const functionCall = checkOf(
  Schema.Struct({
    id: Schema.String,
    type: Schema.optional(Schema.NullOr(Schema.Literal("function"))),
    function: Schema.Struct({ name: Schema.String }),
  }),
)

const customCall = checkOf(
  Schema.Struct({
    id: Schema.String,
    custom: Schema.Struct({ name: Schema.String, input: Schema.String }),
  }),
)

const otherCall = checkOf(Schema.Struct({ id: Schema.String }))

const call: Check = (value, path) => {
  const type = isFields(value) ? value.type : undefined
  if (type === "custom") return customCall(value, path)
  return typeof type === "string" && type !== "function" ? otherCall(value, path) : functionCall(value, path)
}

const answer = checkOf(Schema.Struct({ tool_call_id: Schema.String }))

const MESSAGES: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["system", requiredOf(systemPart)],
  ["developer", requiredOf(systemPart)],
  ["user", requiredOf(part)],
  ["function", contentOf(part)],
  ["tool", all(answer, requiredOf(part))],
  ["assistant", all(contentOf(part), inField("tool_calls", listOf(call), isNothing))],
])

const role = checkOf(Schema.Struct({ role: Schema.Literals([...MESSAGES.keys()]) }))

/** Null for a message of this format. */
export const checkMessage: Check = all(role, byName("role", MESSAGES))

const argumentsText = checkOf(Schema.Struct({ function: Schema.Struct({ arguments: Schema.String }) }))

const strictCall: Check = (value, path) =>
  isFields(value) && isFields(value.function) ? argumentsText(value, path) : null

/** Null for a message whose calls of functions have their arguments as text. */
export const checkArguments: Check = inField("tool_calls", listOf(strictCall), isNothing)
