/**
 * Single random items of the Responses API, valid and not.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { wireArguments, wireId, wireText, withUnknown } from "../Wire.ts"

/** A few of a kind. */
export const few = <A>(one: fc.Arbitrary<A>, most: number): fc.Arbitrary<ReadonlyArray<A>> =>
  fc.array(one, { maxLength: most })

const textOf = (type: string): fc.Arbitrary<object> =>
  withUnknown(fc.record({ type: fc.constant(type), text: wireText }))

const medium = withUnknown(
  fc.constantFrom<object>(
    { type: "input_image", image_url: "https://example.org/a.png", detail: "auto" },
    { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "high" },
    { type: "input_image", file_id: "file-1" },
    { type: "input_file", filename: "a b.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
    { type: "input_file", file_url: "https://example.org/a.pdf" },
    { type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } },
    { type: "something_new", a: 1 },
  ),
)

const heard = fc.oneof(wireText, few(fc.oneof(textOf("input_text"), textOf("input_text"), medium), 3))

const annotated = textOf("output_text").map((part) => ({ ...part, annotations: [] }))

const spoken = fc.oneof(
  wireText,
  few(
    fc.oneof(
      { weight: 4, arbitrary: annotated },
      { weight: 1, arbitrary: fc.constant({ type: "refusal", refusal: "No." }) },
      { weight: 1, arbitrary: fc.oneof(textOf("input_text"), medium) },
    ),
    2,
  ),
)

/** An id with a prefix, few of each, and some that the API refuses. */
const itemId = (prefix: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("1", "2", "3", "4").map((end) => `${prefix}_${end}`) },
    { weight: 1, arbitrary: fc.constantFrom("", "item|1", "msg_1", "x".repeat(70)) },
  )

const maybe = <A>(one: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(one, { nil: null, freq: 5 })

/** An item of a type: its fields, of which those that are not named may be missing. */
const item = (
  type: string,
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  required: ReadonlyArray<string>,
): fc.Arbitrary<object> =>
  withUnknown(fc.record(fields, { requiredKeys: [...required] }).map((own): object => ({ type, ...own })))

const status = fc.constantFrom<unknown>("completed", "incomplete", null)

const ofUser = withUnknown(
  fc.record(
    {
      type: fc.constant("message"),
      role: fc.constantFrom("user", "user", "user", "system", "developer"),
      content: fc.oneof({ weight: 5, arbitrary: heard }, { weight: 1, arbitrary: few(annotated, 1) }),
      status,
    },
    { requiredKeys: ["role", "content"] },
  ),
)

const ofModel = withUnknown(
  fc.record(
    {
      type: fc.constant("message"),
      id: itemId("msg"),
      role: fc.constant("assistant"),
      content: spoken,
      status,
      phase: fc.constantFrom<unknown>("commentary", "final_answer", "final", null),
    },
    { requiredKeys: ["role", "content"] },
  ),
)

const summary = few(
  fc.oneof(
    wireText.map((text) => ({ type: "summary_text", text })),
    fc.constant({ type: "summary_text" }),
  ),
  2,
)

const sealed = fc.constantFrom<unknown>("ZW5j", "\ud83d", "", null)

const reasoning = item(
  "reasoning",
  {
    id: maybe(itemId("rs")),
    summary,
    content: maybe(few(fc.constant({ type: "reasoning_text", text: "Hm." }), 2)),
    encrypted_content: sealed,
    status,
  },
  ["summary"],
)

const toolName = fc.constantFrom("find", "read_file", "a.b", "", "x".repeat(70))

const call = fc.oneof(
  {
    weight: 5,
    arbitrary: item(
      "function_call",
      { id: maybe(itemId("fc")), call_id: wireId, name: toolName, arguments: wireArguments, status },
      ["call_id", "name", "arguments"],
    ),
  },
  {
    weight: 1,
    arbitrary: item(
      "custom_tool_call",
      { id: itemId("ctc"), call_id: wireId, name: toolName, input: wireText },
      ["call_id", "name", "input"],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("computer_call", "shell_call", "local_shell_call", "apply_patch_call")
      .chain((type) =>
        item(
          type,
          { id: itemId("x"), call_id: wireId, action: fc.constantFrom({}, { command: ["ls"] }), status },
          ["call_id", "action"],
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: item(
      "mcp_approval_request",
      { id: wireId, name: toolName, arguments: wireArguments, server_label: fc.constant("s") },
      ["id", "name"],
    ),
  },
)

/** What an output says. */
export const said = fc.oneof(fc.constant("found"), heard)

const screen = fc.constantFrom<unknown>(
  { type: "computer_screenshot", image_url: "https://example.org/a.png" },
  { type: "computer_screenshot", file_id: "file-1" },
  null,
)

const ended = few(
  fc.constantFrom<unknown>(
    { stdout: "a", stderr: "b", outcome: { type: "exit", exit_code: 0 } },
    { stdout: "", stderr: "no", outcome: { type: "exit", exit_code: 2 } },
    { stdout: "a", stderr: "", outcome: { type: "timeout" } },
    7,
  ),
  2,
)

const output = fc.oneof(
  {
    weight: 6,
    arbitrary: item("function_call_output", { call_id: wireId, output: said, status }, ["call_id", "output"]),
  },
  {
    weight: 1,
    arbitrary: item("custom_tool_call_output", { call_id: wireId, output: said }, ["call_id", "output"]),
  },
  { weight: 1, arbitrary: item("computer_call_output", { call_id: wireId, output: screen }, ["call_id"]) },
  { weight: 1, arbitrary: item("shell_call_output", { call_id: wireId, output: ended }, ["call_id"]) },
  {
    weight: 1,
    arbitrary: item("local_shell_call_output", { id: wireId, output: wireText, status }, ["id", "output"]),
  },
  {
    weight: 1,
    arbitrary: item(
      "apply_patch_call_output",
      { call_id: wireId, status: fc.constantFrom("completed", "failed"), output: wireText },
      ["call_id", "status"],
    ),
  },
  {
    weight: 1,
    arbitrary: item(
      "mcp_approval_response",
      { approval_request_id: wireId, approve: fc.boolean(), reason: maybe(wireText) },
      ["approval_request_id", "approve"],
    ),
  },
)

const other = fc.oneof(
  item("compaction", { id: itemId("cmp"), encrypted_content: sealed }, []),
  item("web_search_call", { id: itemId("ws"), status }, ["id"]),
  item("mcp_call", { id: itemId("mcp"), name: toolName, output: maybe(wireText) }, ["id"]),
  item("something_new", { id: itemId("new"), text: wireText }, []),
  withUnknown(
    fc.record(
      {
        type: fc.constantFrom("item_reference", null),
        id: fc.oneof(itemId("rs"), itemId("fc"), itemId("ctc")),
      },
      { requiredKeys: ["id"] },
    ),
  ),
)

/** An item of any kind. */
export const anyItem: fc.Arbitrary<object> = fc.oneof(
  { weight: 4, arbitrary: ofUser },
  { weight: 3, arbitrary: ofModel },
  { weight: 2, arbitrary: reasoning },
  { weight: 4, arbitrary: call },
  { weight: 4, arbitrary: output },
  { weight: 2, arbitrary: other },
)
