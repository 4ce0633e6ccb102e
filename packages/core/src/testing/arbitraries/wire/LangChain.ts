/**
 * Random messages of LangChain, in each of their forms, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { unknownFields, wireArguments, wireId, wireText, withUnknown } from "../Wire.ts"

const text = withUnknown(fc.record({ type: fc.constant("text"), text: wireText }))

const media = fc.constantFrom<object>(
  { type: "image_url", image_url: "https://example.org/a.png" },
  { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=", detail: "low" } },
  { type: "image", source_type: "base64", mime_type: "image/png", data: "iVBORw0KGgo=" },
  { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
  { type: "image", source: { type: "url", url: "https://example.org/a.png" } },
  { type: "file", mimeType: "application/pdf", data: "JVBERg==", metadata: { filename: "a.pdf" } },
  { type: "file", fileId: "file-1" },
  { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
)

const other = fc.constantFrom<unknown>(
  "a bare text",
  { type: "non_standard", value: { a: 1 } },
  { type: "something_new" },
  { functionCall: { name: "find", args: {} } },
  { type: "input_json_delta", index: 1, input: '{"a"' },
  { type: "refusal", refusal: "No." },
)

const reasoning = fc.oneof(
  fc.record({ type: fc.constant("thinking"), thinking: wireText, signature: fc.constantFrom("", "c2ln") }),
  fc.record({ type: fc.constant("redacted_thinking"), data: fc.constantFrom("", "cmVk") }),
  fc.record({ type: fc.constant("reasoning"), reasoning: wireText }),
)

const args = fc.oneof(unknownFields, fc.constantFrom<unknown>({}, null, "", [], { $arguments: "{" }))

const callName = fc.constantFrom("find", "read_file", "a.b")

const callBlock = fc.oneof(
  fc.record({ type: fc.constant("tool_use"), id: wireId, name: callName, input: args }),
  fc.record({ type: fc.constant("tool_call"), id: wireId, name: callName, args }),
)

const listedCall = fc.oneof(
  withUnknown(
    fc.record(
      { name: callName, args, id: fc.oneof(wireId, fc.constant(null)), type: fc.constant("tool_call") },
      { requiredKeys: ["name", "args"] },
    ),
  ),
  fc.record({
    id: wireId,
    type: fc.constant("function"),
    function: fc.record({ name: callName, arguments: wireArguments }),
  }),
)

const invalidCall = fc.record(
  {
    name: callName,
    args: wireArguments,
    id: wireId,
    error: wireText,
    type: fc.constant("invalid_tool_call"),
  },
  { requiredKeys: [] },
)

const rawCall = fc.record({
  id: wireId,
  type: fc.constant("function"),
  function: fc.record({ name: callName, arguments: wireArguments }),
})

const kwargs = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        tool_calls: fc.array(rawCall, { maxLength: 2 }),
        reasoning_content: wireText,
        reasoning: fc.constantFrom<object>(
          { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "so" }] },
          { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "ZW5j" },
        ),
        refusal: fc.constantFrom("", "I cannot."),
        __gemini_function_call_thought_signatures__: fc.dictionary(wireId, fc.constantFrom("c2ln", "")),
        __openai_function_call_ids__: fc.dictionary(wireId, fc.constant("fc_1")),
        x: unknownFields,
      },
      { requiredKeys: [] },
    ),
  },
)

const metadata = fc.constantFrom<object>(
  {},
  { model_provider: "anthropic", model_name: "claude" },
  { model_provider: "google-genai" },
  { model_provider: "openai", model_name: "gpt", output: [{ type: "function_call", call_id: "c1" }] },
  { output_version: "v1" },
)

const messageIds = fc.oneof({ weight: 4, arbitrary: fc.uuid() }, { weight: 1, arbitrary: fc.constant("m1") })

const content = (block: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(wireText, fc.array(block, { maxLength: 4 }))

const base = {
  additional_kwargs: kwargs,
  response_metadata: metadata,
  id: messageIds,
  name: fc.constantFrom("Ann", ""),
}

type Own = Readonly<Record<string, fc.Arbitrary<unknown>>>

const fieldsOf = (own: Own, required: ReadonlyArray<string>): fc.Arbitrary<object> =>
  withUnknown(
    fc.record<Record<string, unknown>, string>({ ...own, ...base }, { requiredKeys: [...required] }),
  )

const KINDS = {
  human: fieldsOf({ content: content(fc.oneof(text, media, other)) }, ["content"]),
  system: fieldsOf({ content: content(text) }, ["content"]),
  ai: fieldsOf(
    {
      content: content(fc.oneof(text, reasoning, callBlock, other)),
      tool_calls: fc.array(listedCall, { maxLength: 3 }),
      invalid_tool_calls: fc.array(invalidCall, { maxLength: 1 }),
      usage_metadata: fc.constant({ input_tokens: 3, output_tokens: 1, total_tokens: 4 }),
    },
    ["content"],
  ),
  tool: fieldsOf(
    {
      content: content(fc.oneof(text, media, other)),
      tool_call_id: wireId,
      status: fc.constantFrom("success", "error"),
      artifact: unknownFields,
    },
    ["content", "tool_call_id"],
  ),
  function: fieldsOf({ content: content(text) }, ["content"]),
  generic: fieldsOf({ content: content(text), role: fc.constantFrom("user", "assistant", "critic") }, [
    "content",
    "role",
  ]),
} as const

const CLASSES = {
  human: "HumanMessage",
  system: "SystemMessage",
  ai: "AIMessageChunk",
  tool: "ToolMessage",
  function: "FunctionMessage",
  generic: "ChatMessage",
} as const

const ROLES = { human: "user", system: "developer", ai: "assistant", tool: "tool" } as const

const inForms = (kind: keyof typeof KINDS): fc.Arbitrary<object> => {
  const role = kind in ROLES ? Reflect.get(ROLES, kind) : undefined
  return fc.oneof(
    KINDS[kind].map((data) => ({ type: kind, data })),
    KINDS[kind].map((own) => ({
      lc: 1,
      type: "constructor",
      id: ["langchain_core", "messages", CLASSES[kind]],
      kwargs: own,
    })),
    KINDS[kind].map((own) => (typeof role === "string" ? { role, ...own } : { type: kind, ...own })),
  )
}

/**
 * Makes a list of LangChain's messages.
 *
 * @category testing
 * @since 0.1.0
 */
export const langChainMessages: fc.Arbitrary<ReadonlyArray<unknown>> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: inForms("human") },
    { weight: 6, arbitrary: inForms("ai") },
    { weight: 6, arbitrary: inForms("tool") },
    { weight: 1, arbitrary: inForms("system") },
    { weight: 1, arbitrary: inForms("function") },
    { weight: 1, arbitrary: inForms("generic") },
  ),
  { maxLength: 7 },
)
