/**
 * Random contents of Gemini's form, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { unknownFields, wireText, withUnknown } from "../Wire.ts"

/** Ids are optional, and few. */
const id = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.constantFrom("c1", "c2").map((one) => ({ id: one })) },
  { weight: 1, arbitrary: fc.constantFrom("", null, "x".repeat(300)).map((one) => ({ id: one })) },
)

const name = fc.constantFrom("find", "read_file")

const signature = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<object>(
      { thoughtSignature: "c2ln" },
      { thoughtSignature: "" },
      { thought_signature: "c2ln" },
      { thoughtSignature: "skip_thought_signature_validator" },
    ),
  },
)

const signed = (part: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  withUnknown(fc.tuple(part, signature).map(([own, sign]) => ({ ...own, ...sign })))

const text = signed(wireText.map((said) => ({ text: said })))

const thought = signed(wireText.map((said) => ({ text: said, thought: true })))

const blob = fc.constantFrom<object>(
  { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
  { inlineData: { mimeType: "image/png", data: "" } },
  { inline_data: { mime_type: "image/png", data: "iVBORw0KGgo=" } },
)

const media = fc.oneof(
  blob,
  fc.constantFrom<object>(
    { fileData: { mimeType: "image/png", fileUri: "https://example.org/a.png" } },
    { fileData: { fileUri: "files/a" } },
  ),
)

const other = fc.constantFrom<object>(
  {},
  { executableCode: { language: "PYTHON", code: "1" } },
  { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
  { toolCall: { toolType: "GOOGLE_SEARCH", id: "s1" } },
  { somethingNew: { a: 1 } },
  { text: null, functionCall: null, inline_data: null },
)

const call = signed(
  fc
    .tuple(id, name, fc.oneof(unknownFields, fc.constantFrom<unknown>(null, "", [], { $arguments: "{" })))
    .map(([own, called, args]) => ({ functionCall: { ...own, name: called, args } })),
)

const response = fc.oneof(
  { weight: 4, arbitrary: wireText.map((output) => ({ output })) },
  { weight: 1, arbitrary: wireText.map((error) => ({ error })) },
  {
    weight: 2,
    arbitrary: fc.oneof(
      unknownFields,
      fc.constantFrom<unknown>(
        null,
        "",
        [],
        { result: "ok" },
        { output: "", error: null },
        { error: { a: 1 } },
      ),
    ),
  },
)

const result = withUnknown(
  fc
    .tuple(
      id,
      name,
      response,
      fc.oneof(
        fc.constant({}),
        fc.array(blob, { maxLength: 2 }).map((parts) => ({ parts })),
      ),
    )
    .map(([own, called, answer, parts]) => ({
      functionResponse: { ...own, name: called, response: answer, ...parts },
    })),
)

const both = fc.tuple(text, fc.oneof(call, result)).map(([a, b]) => ({ ...a, ...b }))

const pythonCall = call.map((part) =>
  JSON.parse(JSON.stringify(part).replaceAll("functionCall", "function_call")),
)

const contentOf = (role: string, part: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  withUnknown(fc.record({ role: fc.constant(role), parts: fc.array(part, { maxLength: 4 }) }))

const model = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: thought },
  { weight: 5, arbitrary: call },
  { weight: 1, arbitrary: fc.oneof(other, media, both, pythonCall, result) },
)

const user = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 5, arbitrary: result },
  { weight: 2, arbitrary: fc.oneof(media, other, both, call) },
)

/**
 * Makes a list of contents of the Gemini API.
 *
 * @category testing
 * @since 0.1.0
 */
export const geminiContents: fc.Arbitrary<ReadonlyArray<unknown>> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: contentOf("user", user) },
    { weight: 6, arbitrary: contentOf("model", model) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("function", "system", "assistant").chain((role) => contentOf(role, user)),
    },
    { weight: 1, arbitrary: fc.record({ parts: fc.array(user, { maxLength: 2 }) }) },
  ),
  { maxLength: 8 },
)

/**
 * Takes a content apart into what an append leaves as it is: its parts, and whose they are.
 *
 * @category testing
 * @since 0.1.0
 */
export const geminiPieces = (content: unknown): ReadonlyArray<unknown> => {
  const { role, parts } = content as { readonly role?: unknown; readonly parts?: unknown }
  return Array.isArray(parts) ? parts.map((part) => [role, part]) : [content]
}
