/**
 * Random requests of Anthropic's Messages API, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { unknownFields, wireId, wireText, withUnknown } from "../Wire.ts"

const marked = <A extends object>(block: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc
    .tuple(block, fc.nat(7))
    .map(([one, dice]) =>
      dice > 1 ? one : { ...one, cache_control: dice === 0 ? { type: "ephemeral" } : null },
    )

const text = marked(withUnknown(fc.record({ type: fc.constant("text"), text: wireText })))

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Base64 of bytes whose number can be divided by three. */
const base64Of = (bytes: ReadonlyArray<number>): string => {
  const letters: Array<string> = []
  for (let i = 0; i + 2 < bytes.length; i += 3) {
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    for (const shift of [18, 12, 6, 0]) letters.push(ALPHABET.charAt((bits >> shift) & 63))
  }
  return letters.join("")
}

/**
 * Makes the base64 of the first bytes of a PNG of a size: what tells it, and no picture.
 *
 * @category testing
 * @since 0.1.0
 */
export const pngHeader = (width: number, height: number): string => {
  const word = (n: number): ReadonlyArray<number> => [n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255]
  const signature = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]
  return base64Of([
    ...signature,
    ...word(13),
    ...[0x49, 0x48, 0x44, 0x52],
    ...word(width),
    ...word(height),
    ...[8, 6, 0],
  ])
}

const side = fc.constantFrom(1, 640, 2_000, 2_001, 8_000, 8_001)

const picture = fc.oneof(
  fc.constant("iVBORw0KGgo="),
  fc.tuple(side, side).map(([width, height]) => pngHeader(width, height)),
)

const image = marked(
  withUnknown(
    fc.record({
      type: fc.constantFrom("image", "document"),
      source: fc.oneof(
        picture.map((data) => ({ type: "base64", media_type: "image/png", data })),
        fc.constant({ type: "base64", media_type: "application/pdf", data: "JVBERi0=" }),
        fc.constant({ type: "url", url: "https://example.org/a.png" }),
        unknownFields,
      ),
    }),
  ),
)

const other = fc.constantFrom<object>(
  { type: "search_result", source: "s", title: "t", content: [] },
  { type: "container_upload", file_id: "f" },
  { type: "something_new" },
)

const thinking = fc.oneof(
  fc.record({ type: fc.constant("thinking"), thinking: wireText, signature: fc.constantFrom("", "c2ln") }),
  fc.record({ type: fc.constant("redacted_thinking"), data: fc.constantFrom("", "cmVk") }),
  fc.constantFrom(
    { type: "thinking", thinking: "Hm.", signature: "c2ln", cache_control: { type: "ephemeral" } },
    { type: "thinking", thinking: "Hm." },
    { type: "thinking", thinking: "Hm.", signature: null },
  ),
)

const serverId = fc.constantFrom("srv1", "srv2")

const caller = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ caller: { type: "direct" } }) },
  {
    weight: 2,
    arbitrary: serverId.map((tool_id) => ({ caller: { type: "code_execution_20250825", tool_id } })),
  },
)

const toolUse = withUnknown(
  fc
    .tuple(
      fc.record({
        type: fc.constant("tool_use"),
        id: wireId,
        name: fc.constantFrom("find", "read_file", "a.b", ""),
        input: fc.oneof(
          unknownFields,
          fc.constantFrom<unknown>(null, "", '{"a":1}', 7, [], { $arguments: "{" }),
        ),
      }),
      caller,
    )
    .map(([call, made]) => ({ ...call, ...made })),
)

const serverTool = fc.oneof(
  fc.tuple(serverId, caller).map(([id, made]): object => ({
    type: "server_tool_use",
    id,
    name: "web_search",
    input: { query: "q" },
    ...made,
  })),
  serverId.map((tool_use_id): object => ({
    type: "web_search_tool_result",
    tool_use_id,
    content: [{ type: "web_search_result", encrypted_content: "e" }],
  })),
  fc.constantFrom<object>(
    { type: "mcp_tool_use", id: "srv1", name: "f", server_name: "s", input: {} },
    { type: "mcp_tool_result", tool_use_id: "srv1", is_error: false, content: [] },
    { type: "compaction", content: null },
    { type: "compaction", content: "" },
    { type: "compaction", content: "Summary" },
  ),
)

const toolResult = marked(
  withUnknown(
    fc.record(
      {
        type: fc.constant("tool_result"),
        tool_use_id: wireId,
        content: fc.oneof(
          wireText,
          fc.constant(null),
          fc.array(fc.oneof(text, image, other), { maxLength: 2 }),
        ),
        is_error: fc.boolean(),
      },
      { requiredKeys: ["type", "tool_use_id"] },
    ),
  ),
)

const messageOf = (role: string, block: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  withUnknown(
    fc.record({ role: fc.constant(role), content: fc.oneof(wireText, fc.array(block, { maxLength: 4 })) }),
  )

const ofUser = fc.oneof(text, image, other, toolResult, toolResult)
const ofAssistant = fc.oneof(text, thinking, toolUse, toolUse, serverTool, other)

/**
 * Makes a list of messages of the Messages API.
 *
 * @category testing
 * @since 0.1.0
 */
export const anthropicMessages: fc.Arbitrary<ReadonlyArray<unknown>> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: messageOf("user", ofUser) },
        { weight: 8, arbitrary: messageOf("assistant", ofAssistant) },
        { weight: 1, arbitrary: messageOf("user", ofAssistant) },
        { weight: 1, arbitrary: messageOf("assistant", ofUser) },
        { weight: 1, arbitrary: messageOf("system", text) },
      ),
      { maxLength: 7 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(image, { minLength: 15, maxLength: 110, size: "max" })
      .map((content) => [{ role: "user", content }]),
  },
)

/**
 * Makes what stands beside the messages of a request: thinking, a system prompt, tools.
 *
 * @category testing
 * @since 0.1.0
 */
export const anthropicFrame: fc.Arbitrary<object> = fc.record(
  {
    model: fc.constant("claude"),
    thinking: fc.constantFrom<unknown>(
      { type: "enabled", budget_tokens: 1_024 },
      { type: "adaptive" },
      { type: "disabled" },
      null,
    ),
    system: fc.oneof(wireText, fc.array(text, { maxLength: 3 }), fc.constant(7)),
    tools: fc.oneof(
      fc.array(marked(fc.constant({ name: "find", input_schema: { type: "object" } })), { maxLength: 6 }),
      fc.constant(null),
    ),
    cache_control: fc.constant({ type: "ephemeral" }),
  },
  { requiredKeys: [] },
)

/**
 * Takes a message of the Messages API apart into what an append leaves as it is: its blocks, and whose they are.
 *
 * @category testing
 * @since 0.1.0
 */
export const anthropicPieces = (message: unknown): ReadonlyArray<unknown> => {
  const { role, content } = message as { readonly role?: unknown; readonly content?: unknown }
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }]
  return blocks.map((block) => [role, block])
}
