/**
 * The check of items of the Responses API: what is known has its fields, and the others pass.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import { all, byName, type Check, inField, isNothing, listOf } from "../format/ByName.ts"
import { checkOf, isFields } from "../format/Fields.ts"

const text = checkOf(Schema.Struct({ text: Schema.String }))

const part = byName(
  "type",
  new Map([
    ["input_text", text],
    ["output_text", text],
    ["refusal", checkOf(Schema.Struct({ refusal: Schema.String }))],
  ]),
)

const isText = (value: unknown): boolean => typeof value === "string"

const message = all(
  checkOf(Schema.Struct({ role: Schema.Literals(["user", "assistant", "system", "developer"]) })),
  inField("content", listOf(part), isText),
)

const withStrings = (...fields: ReadonlyArray<string>): Check =>
  checkOf(Schema.Struct(Object.fromEntries(fields.map((field) => [field, Schema.String]))))

const output = all(withStrings("call_id"), inField("output", listOf(part), isText))

const reasoning = checkOf(
  Schema.Struct({
    id: Schema.optionalKey(Schema.NullOr(Schema.String)),
    summary: Schema.Array(Schema.Struct({ text: Schema.optionalKey(Schema.String) })),
    content: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ type: Schema.String })))),
    encrypted_content: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
)

const localShellOutput: Check = (value, path) =>
  isFields(value) && typeof value.call_id === "string" && value.id === undefined
    ? null
    : withStrings("id")(value, path)

const approval = checkOf(Schema.Struct({ approval_request_id: Schema.String, approve: Schema.Boolean }))

const ITEMS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["message", message],
  ["item_reference", withStrings("id")],
  ["reasoning", reasoning],
  ["function_call", withStrings("call_id", "name", "arguments")],
  ["function_call_output", output],
  ["custom_tool_call", withStrings("call_id", "name", "input")],
  ["custom_tool_call_output", output],
  ["computer_call", withStrings("call_id")],
  ["computer_call_output", withStrings("call_id")],
  ["shell_call", withStrings("call_id")],
  ["shell_call_output", withStrings("call_id")],
  ["local_shell_call", withStrings("call_id")],
  ["local_shell_call_output", localShellOutput],
  ["apply_patch_call", withStrings("call_id")],
  ["apply_patch_call_output", withStrings("call_id")],
  ["mcp_approval_request", withStrings("id", "name")],
  ["mcp_approval_response", approval],
])

const typed = byName("type", ITEMS)
const reference = withStrings("id")

/** Null for an item of this format. */
export const checkItem: Check = (value, path) => {
  if (!isFields(value) || !isNothing(value.type)) return typed(value, path)
  return "role" in value ? message(value, path) : reference(value, path)
}
