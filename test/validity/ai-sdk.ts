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
      says: "each result follows its call, once, and no two calls have one id; the SDK checks none of it",
      accepts: [
        [hello, assistant(call()), tool(result()), assistant(call("c2")), tool(result("c2"))],
        [
          hello,
          assistant(call("c1", ofProvider), request()),
          tool(
            result("c1", {
              output: { type: "execution-denied", providerOptions: { openai: { approvalId: "a1" } } },
            }),
          ),
        ],
      ],
      refuses: [
        [hello, tool(result())],
        [hello, assistant(call()), tool(result(), result())],
        [hello, assistant(call()), assistant(said("Wait.")), tool(result())],
        [hello, assistant(call()), tool(result()), hello, tool(result())],
        [hello, assistant(call()), tool(result("c2"), result())],
        [hello, assistant(call()), tool(result()), assistant(call()), tool(result())],
        [hello, assistant(call(), call()), tool(result(), result())],
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
      says: "no text is blank and no message says nothing; an empty text that carries options is something",
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
        { system: " ", messages: [hello] },
      ],
    },
    {
      rule: "VA6",
      says: "a request for approval stands beside its call, and an answer after its request",
      accepts: [
        [hello, assistant(call(), request()), tool(response("a1", { approved: false, reason: "no" }))],
        [hello, assistant(call("c1", ofProvider), request()), tool(response("a1", ofProvider))],
      ],
      refuses: [
        [hello, assistant(call()), tool(result(), response())],
        [hello, assistant(call(), request("a1", "c2")), tool(result(), response())],
        [hello, assistant(call("c1", ofProvider)), tool(response("a1", ofProvider))],
      ],
    },
    {
      rule: "VA8",
      says: "no value was lost on the way through JSON: the input of a call, the output of a tool",
      accepts: [[hello, assistant(call("c1", { input: null })), tool(result())]],
      refuses: [
        [hello, assistant({ type: "tool-call", toolCallId: "c1", toolName: "find" }), tool(result())],
        [hello, assistant(call()), tool(result("c1", { output: { type: "json" } }))],
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
