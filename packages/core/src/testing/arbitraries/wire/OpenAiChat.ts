/**
 * Random messages of Chat Completions, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { nearlyValid, unknownFields, wireArguments, wireId, wireText, withUnknown } from "../Wire.ts"

const text = withUnknown(fc.record({ type: fc.constant("text"), text: wireText }))

const medium = withUnknown(
  fc.constantFrom<object>(
    { type: "image_url", image_url: { url: "https://example.org/a.png" } },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", detail: "high" } },
    { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
    { type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=", filename: "a b.pdf" } },
    { type: "file", file: { file_id: "file-1" } },
    { type: "video_url", video_url: { url: "https://example.org/a.mp4" } },
    { type: "refusal", refusal: "No." },
  ),
)

const few = <A>(one: fc.Arbitrary<A>, most: number): fc.Arbitrary<ReadonlyArray<A>> =>
  fc.array(one, { maxLength: most })

const content = fc.oneof(wireText, few(fc.oneof(text, text, medium), 3))

const toolName = fc.constantFrom("find", "read_file", "a.b", "", "x".repeat(70))

const toolCall = withUnknown(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        id: wireId,
        type: fc.constant("function"),
        function: withUnknown(
          fc.record({
            name: toolName,
            arguments: fc.oneof<fc.Arbitrary<unknown>[]>(wireArguments, wireArguments, unknownFields),
          }),
        ),
      }),
    },
    { weight: 1, arbitrary: fc.record({ id: wireId, function: fc.record({ name: toolName }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        id: wireId,
        type: fc.constant("custom"),
        custom: fc.record({ name: toolName, input: wireText }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ id: wireId, type: fc.constant("mcp"), server: wireText }) },
  ),
)

const speaker = fc.constantFrom<unknown>("Ada", "Zoë B.", "", null)

const optional = { requiredKeys: ["role"] } satisfies { requiredKeys: ["role"] }

const spoken = { requiredKeys: ["role", "content"] } satisfies { requiredKeys: ["role", "content"] }

const ofUser = withUnknown(fc.record({ role: fc.constant("user"), content, name: speaker }, spoken))

const ofHost = withUnknown(
  fc.record(
    {
      role: fc.constantFrom("system", "developer"),
      content: fc.oneof(wireText, few(fc.oneof(text, fc.constant({ type: "new" })), 2)),
    },
    spoken,
  ),
)

const reasoning = fc.oneof(
  fc.record(
    {
      reasoning_content: fc.oneof(wireText, fc.constant(null)),
      reasoning: wireText,
      reasoning_details: few(
        fc.constantFrom<unknown>(
          { type: "reasoning.text", text: "Hm.", signature: "c2ln" },
          { type: "reasoning.summary", summary: "It is hard." },
          { type: "reasoning.encrypted", data: "ZW5j" },
          7,
        ),
        2,
      ),
    },
    { requiredKeys: [] },
  ),
)

const ofModel = fc
  .tuple(
    withUnknown(
      fc.record(
        {
          role: fc.constant("assistant"),
          content: fc.oneof(content, fc.constant(null)),
          name: speaker,
          tool_calls: fc.oneof(few(toolCall, 3), few(toolCall, 3), fc.constant(null)),
          refusal: fc.constantFrom<unknown>("No.", "", null),
          audio: fc.constantFrom<unknown>({ id: "audio_1" }, null),
          function_call: fc.constantFrom<unknown>({ name: "find", arguments: "{}" }, null),
          annotations: fc.constant([]),
          prefix: fc.boolean(),
        },
        optional,
      ),
    ),
    fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: reasoning }),
  )
  .map(([message, thoughts]): object => ({ ...message, ...thoughts }))

const ofTool = withUnknown(
  fc.record(
    { role: fc.constant("tool"), tool_call_id: wireId, content, name: speaker },
    { requiredKeys: ["role", "tool_call_id", "content"] },
  ),
)

const ofFunction = withUnknown(
  fc.record({ role: fc.constant("function"), name: toolName, content }, optional),
)

const anyMessage: fc.Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: ofUser },
  { weight: 5, arbitrary: ofModel },
  { weight: 4, arbitrary: ofTool },
  { weight: 1, arbitrary: ofHost },
  { weight: 1, arbitrary: ofFunction },
)

/** A response with calls and their results, then perhaps what a user says. */
const exchange = (turn: number): fc.Arbitrary<ReadonlyArray<object>> =>
  fc
    .record({
      said: fc.constantFrom<unknown>(null, "Let me look.", ""),
      outputs: fc.array(fc.oneof(fc.constant("found"), content), { minLength: 1, maxLength: 2 }),
      thoughts: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: reasoning }),
      isHeard: fc.boolean(),
      end: fc.constantFrom("", "", "", "x".repeat(40)),
    })
    .map(({ said, outputs, thoughts, isHeard, end }) => {
      const ids = outputs.map((_, i) => `call${turn}${i}xyz${end}`)
      const calls = ids.map((id) => ({ id, type: "function", function: { name: "find", arguments: "{}" } }))
      return [
        { role: "assistant", content: said, ...thoughts, tool_calls: calls },
        ...ids.map((id, i) => ({ role: "tool", tool_call_id: id, content: outputs[i] })),
        ...(isHeard ? [{ role: "user", content: "And?" }] : []),
      ]
    })

/** A conversation that is nearly valid. */
const talk = nearlyValid(exchange, anyMessage, 8)

/**
 * Makes a list of messages of Chat Completions.
 *
 * @category testing
 * @since 0.1.0
 */
export const openAiChatMessages: fc.Arbitrary<ReadonlyArray<unknown>> = fc.oneof(
  { weight: 2, arbitrary: few(anyMessage, 7) },
  { weight: 1, arbitrary: talk },
)

/**
 * Makes what stands beside the messages of a request: the model, whether it thinks, tools.
 *
 * @category testing
 * @since 0.1.0
 */
export const openAiChatFrame: fc.Arbitrary<object> = fc.record(
  {
    model: fc.constantFrom("gpt-5", "deepseek-chat"),
    thinking: fc.constantFrom<unknown>({ type: "enabled" }, { type: "disabled" }, null),
    tools: fc.constantFrom<unknown>([], [{ type: "function", function: { name: "find" } }]),
  },
  { requiredKeys: [] },
)
