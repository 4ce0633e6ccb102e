import { type LangChainRequest, langchain } from "@palimpsest/core/formats/langchain"
import type { Validity } from "./RuleCase.ts"

const hello = { type: "human", data: { content: "Hello" } }
const ai = (data: object) => ({ type: "ai", data: { content: "", ...data } })
const result = (id = "c1", more: object = {}) => ({
  type: "tool",
  data: { content: "7", tool_call_id: id, ...more },
})
const listed = { name: "find", args: { id: 7 }, id: "c1", type: "tool_call" }
const block = { type: "tool_use", id: "c1", name: "find", input: { id: 7 } }
const raw = { id: "c1", type: "function", function: { name: "find", arguments: '{"id": 7}' } }
const signatures = (ids: ReadonlyArray<string>) => ({
  __gemini_function_call_thought_signatures__: Object.fromEntries(ids.map((id) => [id, "c2ln"])),
})

/** Requests with one response, and the result of its call. */
const asked = (data: object) => [hello, ai(data), result()]

const file = "test/formats/langchain.test.ts"

/** The rules of LangChain's messages. */
export const langchainRules: Validity<LangChainRequest> = {
  title: "LangChain messages",
  format: langchain,
  cases: [
    {
      rule: "LC1",
      says: "a call that stands in several places is the same in each",
      accepts: [
        asked({ tool_calls: [listed] }),
        asked({ tool_calls: [listed], content: [block] }),
        asked({ tool_calls: [listed], content: [{ ...block, input: "" }] }),
        asked({ tool_calls: [listed], additional_kwargs: { tool_calls: [raw] } }),
        asked({ additional_kwargs: { tool_calls: [raw] } }),
      ],
      refuses: [
        asked({ content: [block] }),
        asked({ tool_calls: [listed], content: [{ ...block, input: { id: 8 } }] }),
        asked({ tool_calls: [listed], content: [{ ...block, name: "seek" }] }),
        asked({ tool_calls: [listed], content: [block, { ...block, id: "c2" }] }),
        asked({ tool_calls: [], additional_kwargs: { tool_calls: [raw] } }),
        asked({ tool_calls: [{ ...listed, args: {} }], additional_kwargs: { tool_calls: [raw] } }),
      ],
    },
    {
      rule: "LC2",
      says: "no call stands among the invalid ones, where some converters send it and others do not",
      accepts: [asked({ tool_calls: [listed], invalid_tool_calls: [] })],
      refuses: [
        asked({ invalid_tool_calls: [{ name: "find", args: '{"id":', id: "c1" }] }),
        [hello, ai({ invalid_tool_calls: [{ name: "find", args: '{"id":', id: "c1", error: "no JSON" }] })],
        asked({ tool_calls: [listed], invalid_tool_calls: [{ name: "find", args: "{", id: "c2" }] }),
        [hello, ai({ content: "Hm", invalid_tool_calls: [{}] })],
      ],
    },
    {
      rule: "LC3",
      says: "the id of a message stands once; there may be none",
      accepts: [
        [hello],
        [
          { role: "user", content: "a", id: "m1" },
          { role: "assistant", content: "b", id: "m2" },
        ],
      ],
      refuses: [
        [
          { role: "user", content: "a", id: "m1" },
          { role: "assistant", content: "b", id: "m1" },
        ],
        [
          { type: "human", data: { content: "a", id: "m1" } },
          { type: "human", content: "a", id: "m1" },
          { type: "human", content: "a", id: "m1" },
        ],
      ],
    },
    {
      rule: "LC5",
      says: "an instruction to remove a message is no message",
      accepts: [[hello]],
      refuses: [
        [hello, { type: "remove", data: { id: "m1" } }],
        [{ type: "remove", id: "__remove_all__", content: [] }, hello],
        [
          {
            lc: 1,
            type: "constructor",
            id: ["langchain_core", "messages", "RemoveMessage"],
            kwargs: { content: [], id: "m1" },
          },
          hello,
        ],
      ],
    },
    {
      rule: "LC7",
      says: "each call is answered once and at once, the user speaks first, nothing is blank: what all providers want",
      accepts: [
        [{ role: "system", content: "Be brief." }, hello],
        [
          hello,
          ai({ tool_calls: [listed, { ...listed, id: "c2" }] }),
          result("c2"),
          result("c1"),
          ai({ content: "7." }),
        ],
        [hello, { role: "assistant", content: "", tool_calls: [raw] }, result()],
        [
          hello,
          ai({ tool_calls: [listed] }),
          result("c1", { content: [{ type: "text", text: "a" }], status: "error" }),
        ],
      ],
      refuses: [
        { messages: [] },
        [{ role: "system", content: "Be brief." }],
        [ai({ content: "Hi" })],
        [hello, { role: "system", content: "Be brief." }],
        [{ role: "system", content: " " }, hello],
        [
          {
            role: "system",
            content: [
              { type: "text", text: "" },
              { type: "text", text: "Be brief." },
            ],
          },
          hello,
        ],
        [hello, ai({ tool_calls: [listed] })],
        [hello, ai({ tool_calls: [listed] }), hello, result()],
        [hello, result()],
        [hello, ai({ tool_calls: [listed] }), result(), result()],
        [hello, ai({ tool_calls: [listed] }), result(), ai({ tool_calls: [listed] }), result()],
        [hello, ai({ tool_calls: [{ ...listed, id: "call|fc" }] }), result("call|fc")],
        [hello, ai({ tool_calls: [{ ...listed, id: null }] }), result("")],
        [hello, ai({ tool_calls: [{ ...listed, args: [] }] }), result()],
        [hello, ai({ tool_calls: [{ ...listed, args: null }] }), result()],
        [hello, ai({ tool_calls: [listed], content: "\n" }), result()],
        [hello, ai({ tool_calls: [listed] }), result("c1", { content: "" })],
        [hello, ai({})],
        [hello, ai({ content: [{ type: "thinking", thinking: "so", signature: "s" }] })],
        [hello, ai({ additional_kwargs: { refusal: "I cannot." } })],
        [{ role: "user", content: "" }],
        [{ role: "user", content: ["a text that is no block"] }],
        [hello, { type: "chat", role: "critic", content: "Too long." }],
        [hello, { type: "function", name: "find", content: "7" }],
      ],
    },
    {
      rule: "LC8",
      says: "what a provider keeps for a call goes with the call",
      accepts: [
        asked({ tool_calls: [listed], additional_kwargs: signatures(["c1"]) }),
        asked({
          tool_calls: [listed],
          response_metadata: { output: [{ type: "function_call", call_id: "c1" }, { type: "message" }] },
        }),
      ],
      refuses: [
        asked({ tool_calls: [listed], additional_kwargs: signatures(["c1", "c2"]) }),
        [hello, ai({ content: "Hi", additional_kwargs: { __openai_function_call_ids__: { c1: "fc_1" } } })],
        [
          hello,
          ai({ content: "Hi", response_metadata: { output: [{ type: "function_call", call_id: "c1" }] } }),
        ],
      ],
    },
    {
      rule: "PG2",
      says: "no string holds half of a character",
      accepts: [[{ role: "user", content: "😀" }]],
      refuses: [
        [{ role: "user", content: "\ud83d" }],
        asked({ tool_calls: [{ ...listed, args: { a: "\ude00" } }] }),
      ],
    },
  ],
  elsewhere: [
    {
      rule: "LC4",
      says: "an artifact is kept, and never counted",
      file,
      accepts: "keeps an artifact as it came",
      refuses: "never counts an artifact",
    },
    {
      rule: "LC6",
      says: "metadata of a response are kept, and never counted",
      file,
      accepts: "keeps the metadata of a response as they came",
      refuses: "never counts the metadata of a response",
    },
  ],
}
