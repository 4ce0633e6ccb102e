/**
 * Random UI messages of the AI SDK, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { isFields } from "../../../formats/format/Fields.ts"
import { unknownFields, wireId, wireText, withUnknown } from "../Wire.ts"
import { aiSdkOptions } from "./AiSdk.ts"

const under = (name: string): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: aiSdkOptions.map((one) => ({ [name]: one })) },
  )

const part = <A extends object>(own: fc.Arbitrary<A>, name = "providerMetadata"): fc.Arbitrary<object> =>
  withUnknown(fc.tuple(own, under(name)).map(([it, after]) => ({ ...it, ...after })))

const state = fc.constantFrom("streaming", "done")

const text = part(
  fc.record({ type: fc.constant("text"), text: wireText, state }, { requiredKeys: ["type", "text"] }),
)

const reasoning = part(
  fc.record(
    { type: fc.constant("reasoning"), text: wireText, state, id: fc.constant("rs_1:0") },
    { requiredKeys: ["type", "text"] },
  ),
)

const file = part(
  fc.record(
    {
      type: fc.constant("file"),
      mediaType: fc.constantFrom("image/png", "application/pdf"),
      filename: fc.constantFrom("a.png", ""),
      url: fc.constantFrom("https://example.org/a.png", "data:image/png;base64,iVBORw0KGgo=", "blob:1", ""),
    },
    { requiredKeys: ["type", "mediaType", "url"] },
  ),
)

const other = fc.constantFrom<object>(
  { type: "source-url", sourceId: "s1", url: "https://example.org", title: "Example" },
  { type: "source-document", sourceId: "s2", mediaType: "application/pdf", title: "Manual" },
  { type: "data-weather", id: "d1", data: { city: "Kyiv" } },
  { type: "data-note", data: null },
  { type: "data-lost" },
  { type: "something-new" },
)

const json = fc.oneof(
  unknownFields,
  wireText,
  fc.constantFrom<unknown>(null, 7, [], "{", { $arguments: "{" }, '{"a":1}'),
)

const approval = fc.constantFrom<object>(
  { id: "a1" },
  { id: "a1", signature: "c2ln", inputSchemaInput: { a: 1 }, descriptor: "d" },
  { id: "a1", approved: true },
  { id: "a1", approved: true, reason: "fine" },
  { id: "a2", approved: false },
  { id: "a2", approved: false, reason: "no" },
  {},
)

/** Fields of a call in each state, with and without what belongs to it. */
const inState = fc.oneof(
  fc.record(
    { state: fc.constant("input-streaming"), input: json, rawInput: fc.constant('{"a"') },
    { requiredKeys: ["state"] },
  ),
  fc.record({ state: fc.constant("input-available"), input: json }),
  fc.record({ state: fc.constantFrom("approval-requested", "approval-responded"), input: json, approval }),
  fc.record(
    {
      state: fc.constant("output-available"),
      input: json,
      output: json,
      preliminary: fc.boolean(),
      approval,
    },
    { requiredKeys: ["state", "input"] },
  ),
  fc.record(
    { state: fc.constant("output-error"), input: json, rawInput: json, errorText: wireText, approval },
    { requiredKeys: ["state"] },
  ),
  fc.record({ state: fc.constant("output-denied"), input: json, approval }, { requiredKeys: ["state"] }),
  fc.record({ state: fc.constantFrom("call", "toString"), input: json }),
)

const toolOf = (ids: fc.Arbitrary<string>): fc.Arbitrary<object> =>
  part(
    fc
      .tuple(
        fc.constantFrom(
          { type: "tool-find" },
          { type: "tool-result" },
          { type: "dynamic-tool", toolName: "a.b" },
        ),
        ids,
        inState,
        under("resultProviderMetadata"),
        fc.constantFrom({}, {}, { providerExecuted: true }, { title: "Find" }),
      )
      .map(([type, toolCallId, fields, metadata, more]) => ({
        ...type,
        toolCallId,
        ...fields,
        ...metadata,
        ...more,
      })),
    "callProviderMetadata",
  )

const START = fc.constant({ type: "step-start" })

const messageOf = (role: string, parts: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  withUnknown(
    fc.record(
      {
        id: fc.constantFrom("m1", "m2", "m3", "m4", ""),
        role: fc.constant(role),
        metadata: unknownFields,
        parts: fc.array(parts, { maxLength: role === "assistant" ? 7 : 3 }),
      },
      { requiredKeys: ["role", "parts"] },
    ),
  )

const tool = toolOf(wireId)

/** Calls with ids of their own, so that messages are met which break no rule of ids. */
const singleTool = toolOf(fc.uuid())

/**
 * Makes a list of UI messages of the AI SDK.
 *
 * @category testing
 * @since 0.1.0
 */
export const aiSdkUiMessages: fc.Arbitrary<ReadonlyArray<unknown>> = fc.array(
  fc.oneof(
    messageOf("user", fc.oneof(text, file, other)),
    messageOf("assistant", fc.oneof(START, text, reasoning, tool, singleTool, singleTool, file, other)),
    messageOf("system", text),
  ),
  { maxLength: 5 },
)

/**
 * Gives the pieces of a UI message that an append leaves as they are: a turn grows by steps.
 *
 * @category testing
 * @since 0.1.0
 */
export const aiSdkUiPieces = (element: unknown): ReadonlyArray<unknown> => {
  if (!isFields(element) || !Array.isArray(element.parts)) return [element]
  const { parts, ...others } = element
  return [others, ...parts]
}
