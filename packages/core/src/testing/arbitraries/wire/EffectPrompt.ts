/**
 * Random messages of a prompt of `effect/ai`, valid and not.
 *
 * @since 0.1.0
 */
import { Schema } from "effect"
import fc from "fast-check"
import { unknownFields, wireId, wireText, withUnknown } from "../Wire.ts"

const toUrl = Schema.decodeSync(Schema.URLFromString)

/** Options as the encoder writes them, as people leave them out, and with signatures. */
const options = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ options: {} }) },
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { options: { anthropic: { info: { type: "thinking", signature: "c2ln" } } } },
      { options: { anthropic: { info: { type: "redacted_thinking", redactedData: "cmVk" } } } },
      { options: { anthropic: { cacheControl: { type: "ephemeral" } } } },
      { options: { openai: { itemId: "rs_1", encryptedContent: "ZW5j" } } },
      { options: { openai: { itemId: "rs_1", encryptedContent: null } } },
      { options: { google: { thoughtSignature: "c2ln" } } },
      { options: { other: null } },
    ),
  },
)

const part = <A extends object>(own: fc.Arbitrary<A>): fc.Arbitrary<object> =>
  withUnknown(fc.tuple(options, own).map(([before, it]) => ({ ...before, ...it })))

const text = part(fc.record({ type: fc.constant("text"), text: wireText }))

const reasoning = part(fc.record({ type: fc.constant("reasoning"), text: wireText }))

const file = part(
  fc.record(
    {
      type: fc.constant("file"),
      mediaType: fc.constantFrom("image/png", "application/pdf", "text/plain"),
      fileName: fc.constantFrom("a.png", ""),
      data: fc.constantFrom<unknown>(
        "iVBORw0KGgo=",
        "https://example.org/a.png",
        "not base64",
        "",
        new Uint8Array([1, 2, 3]),
        toUrl("https://example.org/a.png"),
      ),
    },
    { requiredKeys: ["type", "mediaType", "data"] },
  ),
)

const json = fc.oneof(
  unknownFields,
  fc.constantFrom<unknown>(null, "", 7, [], { $arguments: "{" }, { $value: 1 }),
)

const byProvider = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ providerExecuted: false }) },
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ providerExecuted: true }) },
)

const call = part(
  fc
    .tuple(wireId, fc.constantFrom("find", "read_file"), json, byProvider)
    .map(([id, name, params, by]) => ({ type: "tool-call", id, name, params, ...by })),
)

const result = part(
  fc
    .tuple(
      fc.record(
        {
          type: fc.constant("tool-result"),
          id: wireId,
          name: fc.constantFrom("find", "read_file"),
          isFailure: fc.boolean(),
          result: fc.oneof(wireText, json, fc.constant({ type: "execution-denied", reason: "no" })),
        },
        { requiredKeys: ["type", "id", "name", "isFailure"] },
      ),
      byProvider,
    )
    .map(([own, by]) => ({ ...own, ...by })),
)

const approvalId = fc.constantFrom("a1", "a2")

const request = part(
  fc.record({ type: fc.constant("tool-approval-request"), approvalId, toolCallId: wireId }),
)

const decision = part(
  fc.record(
    {
      type: fc.constant("tool-approval-response"),
      approvalId,
      approved: fc.boolean(),
      reason: fc.constantFrom("too dear", ""),
    },
    { requiredKeys: ["type", "approvalId", "approved"] },
  ),
)

const other = fc.constantFrom<object>({ type: "hologram", data: 1 }, { type: "constructor" })

const messageOf = (role: string, content: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  withUnknown(fc.tuple(options, content).map(([before, said]) => ({ ...before, role, content: said })))

const list = (one: fc.Arbitrary<object>): fc.Arbitrary<unknown> => fc.array(one, { maxLength: 4 })

/**
 * Makes a list of messages of a prompt.
 *
 * @category testing
 * @since 0.1.0
 */
export const effectMessages: fc.Arbitrary<ReadonlyArray<unknown>> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: messageOf("system", wireText) },
    { weight: 3, arbitrary: messageOf("user", fc.oneof(wireText, list(fc.oneof(text, file, other)))) },
    {
      weight: 5,
      arbitrary: messageOf(
        "assistant",
        fc.oneof(
          { weight: 1, arbitrary: wireText },
          { weight: 5, arbitrary: list(fc.oneof(text, reasoning, call, call, result, request, file, other)) },
        ),
      ),
    },
    { weight: 4, arbitrary: messageOf("tool", list(fc.oneof(result, result, decision, other))) },
  ),
  { maxLength: 7 },
)
