/**
 * Random requests of Anthropic's Messages API, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { nearlyValid, unknownFields, wireId, wireText, withUnknown } from "../Wire.ts"
import { pngHeader } from "./Pictures.ts"

/** Puts a cache breakpoint on some blocks. */
export const marked = <A extends object>(block: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc
    .tuple(block, fc.nat(7))
    .map(([one, dice]) =>
      dice > 1 ? one : { ...one, cache_control: dice === 0 ? { type: "ephemeral" } : null },
    )

/** A block of text. */
export const text = marked(withUnknown(fc.record({ type: fc.constant("text"), text: wireText })))

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

const anyMessage = fc.oneof(
  { weight: 8, arbitrary: messageOf("user", ofUser) },
  { weight: 8, arbitrary: messageOf("assistant", ofAssistant) },
  { weight: 1, arbitrary: messageOf("user", ofAssistant) },
  { weight: 1, arbitrary: messageOf("assistant", ofUser) },
  { weight: 1, arbitrary: messageOf("system", ofUser) },
)

const signedThinking = fc.constantFrom(
  { type: "thinking", thinking: "Hm.", signature: "c2ln" },
  { type: "redacted_thinking", data: "cmVk" },
)

const someText = marked(fc.constantFrom({ type: "text", text: "Hi" }, { type: "text", text: "and? " }))

const few = <A>(one: fc.Arbitrary<A>, most: number): fc.Arbitrary<ReadonlyArray<A>> =>
  fc.array(one, { maxLength: most })

/** What a result may say, and what none may. */
const output = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ content: "found" }) },
  {
    weight: 1,
    arbitrary: fc.record({
      content: fc.oneof(wireText, few(fc.oneof(text, image), 3)),
      is_error: fc.boolean(),
    }),
  },
)

/** A response with calls and the message that answers them, in which something may stand out of order. */
const exchange = (turn: number): fc.Arbitrary<ReadonlyArray<object>> =>
  fc
    .record({
      thinking: few(signedThinking, 1),
      said: few(someText, 1),
      outputs: fc.array(output, { minLength: 1, maxLength: 2 }),
      heard: few(someText, 1),
      isMixed: fc.nat(3),
    })
    .map(({ thinking, said, outputs, heard, isMixed }) => {
      const ids = outputs.map((_, i) => `t${turn}_${i}`)
      const results = ids.map((tool_use_id, i) => ({ type: "tool_result", tool_use_id, ...outputs[i] }))
      return [
        {
          role: "assistant",
          content: [
            ...thinking,
            ...said,
            ...ids.map((id) => ({ type: "tool_use", id, name: "find", input: {} })),
          ],
        },
        { role: "user", content: isMixed === 0 ? [...heard, ...results] : [...results, ...heard] },
      ]
    })

/** A conversation that is nearly valid. */
const conversation = nearlyValid(exchange, anyMessage, 8)

/**
 * Makes a list of messages of the Messages API.
 *
 * @category testing
 * @since 0.1.0
 */
export const anthropicMessages: fc.Arbitrary<ReadonlyArray<unknown>> = fc.oneof(
  { weight: 20, arbitrary: fc.array(anyMessage, { maxLength: 7 }) },
  { weight: 10, arbitrary: conversation },
  {
    weight: 1,
    arbitrary: fc
      .array(image, { minLength: 15, maxLength: 110, size: "max" })
      .map((content) => [{ role: "user", content }]),
  },
)
