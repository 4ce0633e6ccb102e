/**
 * Random model messages of the AI SDK, valid and not.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import fc from "fast-check"
import { unknownFields, wireId, wireText, withUnknown } from "../Wire.ts"

const toUrl = Schema.decodeSync(Schema.URLFromString)

/**
 * Makes options as providers put them on parts: signatures, cache breakpoints, ids of items, and what nobody knows.
 *
 * @category testing
 * @since 0.1.0
 */
export const aiSdkOptions: fc.Arbitrary<object> = fc.constantFrom<object>(
  { anthropic: { signature: "c2ln" } },
  { anthropic: { redactedData: "cmVk" } },
  { anthropic: { cacheControl: { type: "ephemeral" } } },
  { anthropic: { type: "compaction" } },
  { openai: { itemId: "rs_1", reasoningEncryptedContent: "ZW5j" } },
  { openai: { itemId: "rs_1", reasoningEncryptedContent: null } },
  { google: { thoughtSignature: "c2ln" } },
  { vertex: { thoughtSignature: "c2ln" } },
  { openai: { imageDetail: "low" } },
  { bedrock: { signature: "c2ln" } },
  {},
)

const options = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: aiSdkOptions.map((one) => ({ providerOptions: one })) },
)

const part = <A extends object>(own: fc.Arbitrary<A>): fc.Arbitrary<object> =>
  withUnknown(fc.tuple(own, options).map(([it, after]) => ({ ...it, ...after })))

const text = part(fc.record({ type: fc.constant("text"), text: wireText }))

const reasoning = part(fc.record({ type: fc.constant("reasoning"), text: wireText }))

/** Data of a file: what JSON cannot hold, what looks like our tags, and what newer versions say. */
const data = fc.constantFrom<unknown>(
  "iVBORw0KGgo=",
  "https://example.org/a.png",
  "data:image/png;base64,iVBORw0KGgo=",
  "",
  new Uint8Array([1, 2, 3]),
  new Uint8Array([1, 2, 3]).buffer,
  toUrl("https://example.org/a.png"),
  { type: "data", data: new Uint8Array([0, 255]) },
  { type: "url", url: toUrl("https://example.org/a.png") },
  { type: "text", text: "a" },
  { type: "text", text: { $bytes: "AQID" } },
)

const file = part(
  fc.record(
    {
      type: fc.constant("file"),
      mediaType: fc.constantFrom("image/png", "application/pdf", "audio/wav"),
      filename: fc.constantFrom("a.png", ""),
      data,
    },
    { requiredKeys: ["type", "mediaType", "data"] },
  ),
)

const image = part(
  fc.record(
    { type: fc.constant("image"), image: data, mediaType: fc.constantFrom("image/png", "image/*") },
    { requiredKeys: ["type", "image"] },
  ),
)

const json = fc.oneof(unknownFields, fc.constantFrom<unknown>(null, "", "{", 7, [], { $arguments: "{" }))

const toolName = fc.constantFrom("find", "read_file", "a.b")

const toolCall = part(
  fc.record(
    {
      type: fc.constant("tool-call"),
      toolCallId: wireId,
      toolName,
      input: json,
      providerExecuted: fc.constantFrom(true, false, false),
    },
    { requiredKeys: ["type", "toolCallId", "toolName"] },
  ),
)

const item = fc.oneof(
  text,
  fc.constantFrom<object>(
    { type: "image-data", data: "iVBORw0KGgo=", mediaType: "image/png" },
    { type: "image-url", url: "https://example.org/a.png" },
    { type: "file-data", data: "aGVs", mediaType: "application/pdf", filename: "a.pdf" },
    { type: "file-url", url: "https://example.org/a.pdf" },
    { type: "media", data: "aGVs", mediaType: "image/png" },
    { type: "file-id", fileId: "file_1" },
    { type: "custom", providerOptions: { anthropic: { type: "tool-reference", toolName: "find" } } },
  ),
)

const output = fc.oneof(
  part(fc.record({ type: fc.constantFrom("text", "error-text"), value: wireText })),
  part(fc.record({ type: fc.constantFrom("json", "error-json"), value: json }, { requiredKeys: ["type"] })),
  part(fc.record({ type: fc.constant("execution-denied"), reason: wireText }, { requiredKeys: ["type"] })),
  fc.record({ type: fc.constant("content"), value: fc.array(item, { maxLength: 3 }) }),
  fc.constantFrom<object>(
    { type: "execution-denied", providerOptions: { openai: { approvalId: "a1" } } },
    { type: "something-new" },
  ),
)

const toolResult = part(fc.record({ type: fc.constant("tool-result"), toolCallId: wireId, toolName, output }))

const approvalId = fc.constantFrom("a1", "a2", "")

const request = withUnknown(
  fc.record({ type: fc.constant("tool-approval-request"), approvalId, toolCallId: wireId }),
)

const response = withUnknown(
  fc.record(
    {
      type: fc.constant("tool-approval-response"),
      approvalId,
      approved: fc.boolean(),
      reason: wireText,
      providerExecuted: fc.boolean(),
    },
    { requiredKeys: ["type", "approvalId", "approved"] },
  ),
)

const other = fc.constantFrom<object>({ type: "reasoning-file", data: "aGVs" }, { type: "something-new" })

const messageOf = (role: string, content: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  part(fc.record({ role: fc.constant(role), content }))

const listOf = (one: fc.Arbitrary<object>): fc.Arbitrary<ReadonlyArray<object>> =>
  fc.array(one, { maxLength: 4 })

const tool = messageOf("tool", listOf(fc.oneof(toolResult, toolResult, response, other)))

const message = fc.oneof(
  messageOf("user", fc.oneof(wireText, listOf(fc.oneof(text, image, file, other)))),
  messageOf(
    "assistant",
    fc.oneof(
      wireText,
      listOf(fc.oneof(text, reasoning, file, toolCall, toolCall, toolResult, request, other)),
    ),
  ),
  { weight: 2, arbitrary: tool },
  messageOf("system", wireText),
)

/** Steps as they happen: calls, some of them asked about, and what answers them, in one message or several. */
const step: fc.Arbitrary<ReadonlyArray<object>> = fc
  .tuple(fc.uniqueArray(wireId, { minLength: 1, maxLength: 3 }), fc.nat(), fc.boolean(), fc.boolean(), output)
  .map(([ids, dice, approved, apart, value]) => {
    const asked = ids.filter((_, i) => (dice >> i) % 2 === 1)
    const answered = ids.filter((_, i) => (dice >> (i + 3)) % 4 !== 0)
    const calls = ids.map((id) => ({ type: "tool-call", toolCallId: id, toolName: "find", input: { id } }))
    const requests = asked.map((id) => ({
      type: "tool-approval-request",
      approvalId: `for ${id}`,
      toolCallId: id,
    }))
    const responses = asked.map((id) => ({
      type: "tool-approval-response",
      approvalId: `for ${id}`,
      approved,
    }))
    const results = answered.map((id) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: "find",
      output: value,
    }))
    const tools = apart ? [responses, results] : [[...responses, ...results]]
    return [
      { role: "assistant", content: [...calls, ...requests] },
      ...tools.filter((content) => content.length > 0).map((content) => ({ role: "tool", content })),
    ]
  })

/**
 * Makes a list of model messages of the AI SDK.
 *
 * @category testing
 * @since 0.1.0
 */
export const aiSdkMessages: fc.Arbitrary<ReadonlyArray<unknown>> = fc
  .array(fc.oneof({ weight: 3, arbitrary: message.map((one) => [one]) }, { weight: 1, arbitrary: step }), {
    maxLength: 6,
  })
  .map((pieces) => pieces.flat())

/**
 * Makes the fields of a request beside its messages, lawful and not.
 *
 * @category testing
 * @since 0.1.0
 */
export const aiSdkFrame: fc.Arbitrary<object> = fc.record(
  {
    system: fc.constantFrom<unknown>(
      "Be brief.",
      " ",
      null,
      7,
      { role: "system", content: "Be brief.", providerOptions: { anthropic: {} } },
      [{ role: "system", content: "Be brief." }],
      [],
      [{ role: "user", content: "Be brief." }],
    ),
    prompt: fc.constantFrom<unknown>("Hello", null),
    allowSystemInMessages: fc.boolean(),
  },
  { requiredKeys: [] },
)
