import { type OpenAiChatRequest, openAiChatFor } from "@palimpsest/core/formats/openai-chat"
import { call, calls, heard, hello, result, said, says, told } from "../formats/OpenAiWire.ts"
import type { Validity } from "./RuleCase.ts"

const of = (...messages: ReadonlyArray<unknown>) => ({ messages })
const ID = "abcdefgh1"
const used = [hello, calls(call(ID)), result(ID)]
const thought = { reasoning_content: "Hm." }
const thoughtful = said(null, { ...thought, tool_calls: [call("c1")] })

const deepseek: Validity<OpenAiChatRequest> = {
  title: "Chat Completions of DeepSeek and its like",
  format: openAiChatFor("deepseek"),
  cases: [
    {
      rule: "OC8",
      says: "each response of a turn with calls has its reasoning, unless thinking is off",
      accepts: [
        of(hello, thoughtful, result("c1")),
        of(hello, thoughtful, result("c1"), said("Found", thought), hello, said("Hi"), hello),
        of(hello, said("Hi"), hello),
        { ...of(...used), thinking: { type: "disabled" } },
        { ...of(...used), model: "deepseek-chat" },
      ],
      refuses: [
        of(...used),
        of(hello, said(null, { reasoning_content: "", tool_calls: [call("c1")] }), result("c1")),
        of(hello, thoughtful, result("c1"), said("Found")),
        of(hello, said(null, { reasoning: "Hm.", tool_calls: [call("c1")] }), result("c1")),
        { ...of(...used), model: "deepseek-chat", thinking: { type: "enabled" } },
        of(
          hello,
          thoughtful,
          result("c1"),
          heard([says("[from the result of the call c1]")]),
          calls(call("c2")),
          result("c2"),
        ),
      ],
    },
    {
      rule: "OC9",
      says: "the server knows neither developer nor function",
      accepts: [of(told("Be brief."), hello)],
      refuses: [
        of(told("Be brief.", "developer"), hello),
        of(hello, { role: "function", name: "f", content: "7" }),
      ],
    },
  ],
  elsewhere: [],
}

const mistral: Validity<OpenAiChatRequest> = {
  title: "Chat Completions of Mistral",
  format: openAiChatFor("mistral"),
  cases: [
    {
      rule: "OT1",
      says: "ids are 9 letters and digits, an answer stands between a result and a user, the last is to be answered",
      accepts: [
        of(...used),
        of(...used, said("Found"), hello),
        of(hello, said("It is", { prefix: true })),
        of(hello, hello),
      ],
      refuses: [
        of(...used, hello),
        of(hello, calls(call("call_1")), result("call_1")),
        of(hello, calls(call("abc-defgh")), result("abc-defgh")),
        of(hello, said("Hi")),
        of(hello, said("It is", { prefix: true }), hello),
      ],
    },
  ],
  elsewhere: [],
}

const strict: Validity<OpenAiChatRequest> = {
  title: "Chat Completions of servers with strict templates",
  format: openAiChatFor("strict"),
  cases: [
    {
      rule: "OT2",
      says: "user and model take turns, the user first; no content is null",
      accepts: [
        of(told("Be brief."), hello, said("Hi"), hello),
        of(hello, said("", { tool_calls: [call("c1")] }), result("c1"), said("Found"), hello),
        of(
          hello,
          said("", { tool_calls: [call("c1")] }),
          result("c1"),
          said("", { tool_calls: [call("c2")] }),
          result("c2"),
        ),
      ],
      refuses: [
        of(hello, hello),
        of(said("Hi"), hello),
        of(told("Be brief."), said("Hi")),
        of(hello, said("Hi"), said("there")),
        of(...used),
        of(hello, said("", { tool_calls: [call("c1")] }), result("c1"), hello),
        of(hello, said("Let me look."), said("", { tool_calls: [call("c1")] }), result("c1")),
      ],
    },
    {
      rule: "OC6",
      says: "a result is one string",
      accepts: [of(hello, said("", { tool_calls: [call("c1")] }), result("c1"))],
      refuses: [of(hello, said("", { tool_calls: [call("c1")] }), result("c1", [says("a"), says("b")]))],
    },
  ],
  elsewhere: [],
}

const file = (filename: string) => ({
  type: "file",
  file: { file_data: "data:text/csv;base64,YQ==", filename },
})

const bedrock: Validity<OpenAiChatRequest> = {
  title: "Chat Completions on their way to Bedrock's Converse",
  format: openAiChatFor("bedrock"),
  cases: [
    {
      rule: "OT5",
      says: "the user speaks first, no text is blank, calls come with tools, files have plain names",
      accepts: [
        of(...used),
        { ...of(...used), model: "claude", tools: [{ type: "function", function: { name: "find" } }] },
        of(heard([says("See"), file("Terms (new) [2]")])),
      ],
      refuses: [
        of(said("Hi"), hello),
        of(heard(" \n")),
        of(heard([says("See"), says(" "), file("a")])),
        { ...of(...used), model: "claude" },
        { ...of(...used), model: "claude", tools: [] },
        of(heard([file("a_b.pdf")])),
        of(heard([file("a  b")])),
      ],
    },
  ],
  elsewhere: [],
}

const servers: Validity<OpenAiChatRequest> = {
  title: "Answers of servers that speak Chat Completions",
  format: openAiChatFor("openai"),
  cases: [],
  elsewhere: [
    {
      rule: "OT3",
      says: "no error is no proof that a prompt fitted",
      file: "test/formats/openai-overflow.test.ts",
      accepts: "takes a prompt that fitted for one that fitted",
      refuses: "sees that a server took too much without an error",
    },
    {
      rule: "OT4",
      says: "a refusal without a body may be an overflow; 429 never is",
      file: "test/formats/openai-overflow.test.ts",
      accepts: "tells an overflow",
      refuses: "tells a rate limit from an overflow",
    },
  ],
}

/** The rules of servers that speak Chat Completions. */
export const openAiDialectRules: ReadonlyArray<Validity<OpenAiChatRequest>> = [
  deepseek,
  mistral,
  strict,
  bedrock,
  servers,
]
