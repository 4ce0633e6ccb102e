/**
 * Random messages of Anthropic's form, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { unknownFields, wireId, wireText, withUnknown } from "../Wire.ts"

const text = withUnknown(fc.record({ type: fc.constant("text"), text: wireText }))

const image = withUnknown(
  fc.record({
    type: fc.constantFrom("image", "document"),
    source: fc.oneof(
      fc.constant({ type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" }),
      fc.constant({ type: "url", url: "https://example.org/a.png" }),
      unknownFields,
    ),
  }),
)

const other = fc.constantFrom<object>(
  { type: "search_result", source: "s", title: "t", content: [] },
  { type: "container_upload", file_id: "f" },
  { type: "something_new" },
)

const thinking = fc.oneof(
  fc.record({ type: fc.constant("thinking"), thinking: wireText, signature: fc.constantFrom("", "c2ln") }),
  fc.record({ type: fc.constant("redacted_thinking"), data: fc.constantFrom("", "cmVk") }),
)

const toolUse = withUnknown(
  fc.record({
    type: fc.constant("tool_use"),
    id: wireId,
    name: fc.constantFrom("find", "read_file", "a.b"),
    input: fc.oneof(unknownFields, fc.constantFrom<unknown>(null, "", [], { $arguments: "{" })),
  }),
)

const serverTool = fc.constantFrom<object>(
  { type: "server_tool_use", id: "srv1", name: "web_search", input: { query: "q" } },
  {
    type: "web_search_tool_result",
    tool_use_id: "srv1",
    content: [{ type: "web_search_result", encrypted_content: "e" }],
  },
  { type: "compaction", content: null },
  { type: "compaction", content: "Summary" },
)

const toolResult = withUnknown(
  fc.record(
    {
      type: fc.constant("tool_result"),
      tool_use_id: wireId,
      content: fc.oneof(wireText, fc.array(fc.oneof(text, image, other), { maxLength: 2 })),
      is_error: fc.boolean(),
    },
    { requiredKeys: ["type", "tool_use_id"] },
  ),
)

const messageOf = (role: string, block: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  withUnknown(
    fc.record({ role: fc.constant(role), content: fc.oneof(wireText, fc.array(block, { maxLength: 4 })) }),
  )

/**
 * Makes a list of messages of the Messages API.
 *
 * @category testing
 * @since 0.1.0
 */
export const anthropicMessages: fc.Arbitrary<ReadonlyArray<unknown>> = fc.array(
  fc.oneof(
    messageOf("user", fc.oneof(text, image, other, toolResult, toolResult)),
    messageOf("assistant", fc.oneof(text, thinking, toolUse, toolUse, serverTool, other)),
  ),
  { maxLength: 7 },
)
