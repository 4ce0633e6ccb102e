import { type AiSdkRequest, aiSdk } from "@palimpsest/core/formats/ai-sdk"
import type { Validity } from "./RuleCase.ts"

const said = (text: string) => ({ type: "text", text })
const hello = { role: "user", content: [said("Hello")] }
const call = (toolCallId = "c1", more: object = {}) => ({
  type: "tool-call",
  toolCallId,
  toolName: "find",
  input: { id: 7 },
  ...more,
})
const assistant = (...content: ReadonlyArray<object>) => ({ role: "assistant", content })
const result = (toolCallId = "c1", more: object = {}) => ({
  type: "tool-result",
  toolCallId,
  toolName: "find",
  output: { type: "json", value: { found: true } },
  ...more,
})
const tool = (...content: ReadonlyArray<object>) => ({ role: "tool", content })
const request = (approvalId = "a1", toolCallId = "c1") => ({
  type: "tool-approval-request",
  approvalId,
  toolCallId,
})
const response = (approvalId = "a1", more: object = {}) => ({
  type: "tool-approval-response",
  approvalId,
  approved: true,
  ...more,
})
const cached = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }
const signed = { providerOptions: { google: { thoughtSignature: "c2ln" } } }
const thought = { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "c2ln" } } }
const ofProvider = { providerExecuted: true }
const denied = { output: { type: "execution-denied", providerOptions: { openai: { approvalId: "a1" } } } }
const file = (data: unknown) => ({ type: "file", mediaType: "image/png", data })
const url = (text: string) => new URL(text)

/** The rules of the AI SDK's model messages. */
export const aiSdkRules: Validity<AiSdkRequest> = {
  title: "AI SDK model messages",
  format: aiSdk,
  cases: [
    {
      rule: "VA1",
      says: "each call of the host's own tools has a result right after it, or a person's decision in the last message",
      accepts: [
        [hello, assistant(call()), tool(result())],
        [hello, assistant(call(), call("c2")), tool(result()), tool(result("c2"))],
        [hello, assistant(call("c1", ofProvider), result()), hello],
        [hello, assistant(call(), request()), tool(response())],
        [hello, assistant(call(), call("c2"), request()), tool(result("c2"), response())],
        [hello, assistant(call(), request()), tool(response()), tool(result()), assistant(said("Found."))],
      ],
      refuses: [
        [hello, assistant(call())],
        [hello, assistant(call()), hello],
        [hello, assistant(call(), call("c2")), tool(result())],
        [hello, assistant(call(), request())],
        [hello, assistant(call(), request()), tool(response()), hello],
      ],
    },
    {
      rule: "VA2",
      says: "each result follows its call, once, under its name, calls have ids of their own that every provider takes, and none comes right after another response; the SDK checks none of it",
      accepts: [
        [hello, assistant(call()), tool(result()), assistant(call("c2")), tool(result("c2"))],
        [hello, assistant(said("Wait.")), assistant(said("Here."))],
        [hello, assistant(call("c1", ofProvider)), hello, assistant(result(), said("Here."))],
      ],
      refuses: [
        [hello, tool(result())],
        [hello, assistant(call()), tool(result(), result())],
        [hello, assistant(call()), assistant(said("Wait.")), tool(result())],
        [hello, assistant(call()), tool(result()), hello, tool(result())],
        [hello, assistant(call()), tool(result("c2"), result())],
        [hello, assistant(call()), tool(result()), assistant(call()), tool(result())],
        [hello, assistant(call(), call()), tool(result(), result())],
        [hello, assistant(call("call|fc_1")), tool(result("call|fc_1"))],
        [hello, assistant(call()), tool(result("c1", { toolName: "look" }))],
        [hello, assistant(said("Wait.")), assistant(call()), tool(result())],
        [hello, { ...assistant(thought), ...cached }, assistant(call()), tool(result())],
        [hello, assistant(said("It says:"), result())],
        [hello, assistant(call("c1", ofProvider), result(), call()), tool(result())],
        [
          hello,
          assistant(call("c1", ofProvider), result()),
          hello,
          assistant(call("c1", ofProvider), result()),
        ],
      ],
    },
    {
      rule: "VA3",
      says: "there are messages, and the system prompt stands apart from them unless the request allows it",
      accepts: [
        { system: "Be brief.", messages: [hello] },
        { system: { role: "system", content: "Be brief.", ...cached }, messages: [hello] },
        { system: [{ role: "system", content: "Be brief." }], messages: [hello] },
        { messages: [{ role: "system", content: "Be brief." }, hello], allowSystemInMessages: true },
      ],
      refuses: [
        { messages: [] },
        { messages: [{ role: "system", content: "Be brief." }, hello] },
        { system: "Be brief.", messages: [hello, { role: "system", content: "Be kind.", ...cached }] },
        {
          messages: [
            { role: "system", content: "Be brief.", ...cached },
            { role: "system", content: "Be kind." },
            hello,
          ],
        },
        { system: [{ role: "user", content: "Be brief." }], messages: [hello] },
        { prompt: "Hello", messages: [hello] },
      ],
    },
    {
      rule: "VA4",
      says: "the options of a tool message stay its own: no other tool message follows it",
      accepts: [
        [hello, assistant(call(), call("c2")), { ...tool(result(), result("c2")), ...cached }],
        [hello, assistant(call(), call("c2")), tool(result()), { ...tool(result("c2")), ...cached }],
      ],
      refuses: [
        [hello, assistant(call(), call("c2")), { ...tool(result()), ...cached }, tool(result("c2"))],
        [
          hello,
          assistant(call(), call("c2")),
          { ...tool(result("c1", cached)), ...signed },
          tool(result("c2")),
        ],
      ],
    },
    {
      rule: "VA5",
      says: "no text is blank, no message and no result says nothing; an empty text that carries options is something",
      accepts: [
        [hello, assistant({ ...said(""), ...signed }, call()), tool(result())],
        [hello, assistant(thought, said("Hello."))],
      ],
      refuses: [
        [{ role: "user", content: "" }],
        [{ role: "user", content: [] }],
        [{ role: "user", content: [said(""), said("Hello")] }],
        [hello, { role: "assistant", content: "" }],
        [hello, assistant(said("\n"), call()), tool(result())],
        [hello, assistant()],
        [hello, assistant(thought)],
        [hello, assistant(call()), tool(result()), tool()],
        [hello, assistant(said("Wait.")), assistant(said("Now.")), tool(), assistant(call()), tool(result())],
        [
          hello,
          assistant({ ...said(""), providerOptions: { anthropic: { type: "compaction" } } }, call()),
          tool(result()),
        ],
        ...[
          { type: "text", value: "" },
          { type: "error-text", value: " " },
          { type: "execution-denied", reason: "" },
          { type: "content", value: [] },
          { type: "content", value: [said("")] },
          { type: "content", value: [said("A screen:"), said("\n")] },
        ].map((output) => [hello, assistant(call()), tool(result("c1", { output }))]),
        { system: " ", messages: [hello] },
      ],
    },
    {
      rule: "VA6",
      says: "a request for approval stands beside its call, and an answer or a denial after its request",
      accepts: [
        [hello, assistant(call(), request()), tool(response("a1", { approved: false, reason: "no" }))],
        [hello, assistant(call("c1", ofProvider), request()), tool(response("a1", ofProvider))],
        [hello, assistant(call("c1", ofProvider), request()), tool(result("c1", denied))],
      ],
      refuses: [
        [hello, assistant(call()), tool(result(), response())],
        [hello, assistant(call(), request("a1", "c2")), tool(result(), response())],
        [hello, assistant(call("c1", ofProvider)), tool(response("a1", ofProvider))],
        [hello, assistant(call(), request()), tool(result("c1", denied))],
        [hello, assistant(call("c1", ofProvider), request()), tool(result("c2", denied))],
        [hello, tool(result("c1", denied))],
      ],
    },
    {
      rule: "VA8",
      says: "a call has an object, a result a value, also after JSON, and a file data that can be sent",
      accepts: [
        [
          hello,
          assistant(call("c1", { input: {} })),
          tool(result("c1", { output: { type: "json", value: null } })),
        ],
        ...["aGVs", "data:image/png;base64,aGVs", "https://example.org/a.png", new Uint8Array([1])].map(
          (data) => [{ role: "user", content: [file(data)] }],
        ),
        [{ role: "user", content: [{ type: "image", image: url("https://example.org/a.png") }] }],
        [hello, assistant(file("aGVs"), said("Here."))],
      ],
      refuses: [
        [hello, assistant({ type: "tool-call", toolCallId: "c1", toolName: "find" }), tool(result())],
        ...[null, 7, "{", '{"id":7}', [1]].map((input) => [
          hello,
          assistant(call("c1", { input })),
          tool(result()),
        ]),
        [hello, assistant(call()), tool(result("c1", { output: { type: "json" } }))],
        ...["", "blob:1", "data:image/png;base64,", "data:,a", "https://", new Uint8Array([])].map((data) => [
          { role: "user", content: [file(data)] },
        ]),
        [{ role: "user", content: [{ type: "image", image: url("blob:1") }] }],
        [hello, assistant(file("https://example.org/a.png"), said("Here."))],
        ...[
          { type: "image-url", url: "a.png" },
          { type: "file-data", data: "", mediaType: "application/pdf" },
          { type: "media", data: "https://example.org/a.png", mediaType: "image/png" },
        ].map((item) => [
          hello,
          assistant(call()),
          tool(result("c1", { output: { type: "content", value: [item] } })),
        ]),
      ],
    },
    {
      rule: "PG2",
      says: "no string holds half of a character",
      accepts: [[{ role: "user", content: [said("🚀")] }]],
      refuses: [[{ role: "user", content: [said("\ud83d")] }]],
    },
  ],
  elsewhere: [
    {
      rule: "VA7",
      says: "options of providers come back as they were, at message, part and output",
      file: "test/formats/ai-sdk.test.ts",
      accepts: "gives options back at each of their places",
      refuses: "sends no signature in the name of another provider",
    },
    {
      rule: "VA8",
      says: "bytes and addresses come back as the kind of value that they were, also out of a store",
      file: "test/formats/ai-sdk-live.test.ts",
      accepts: "comes out of a store as the kind of value that it was",
      refuses: "refuses what is neither a text nor bytes nor an address",
    },
  ],
}
