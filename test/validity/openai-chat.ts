import { type OpenAiChatRequest, openAiChat } from "@palimpsest/core/formats/openai-chat"
import {
  call,
  calls,
  custom,
  heard,
  hello,
  picture,
  result,
  said,
  says,
  told,
} from "../formats/OpenAiWire.ts"
import type { Validity } from "./RuleCase.ts"

const of = (...messages: ReadonlyArray<unknown>) => ({ messages })
const used = [hello, calls(call("c1")), result("c1")]

/** The rules of Chat Completions. */
export const openAiChatRules: Validity<OpenAiChatRequest> = {
  title: "OpenAI Chat Completions",
  format: openAiChat,
  cases: [
    {
      rule: "OC1",
      says: "each call is answered once, right after its response",
      accepts: [
        of(...used),
        of(
          hello,
          calls(call("c1"), call("c2"), custom("c3")),
          result("c2"),
          result("c3"),
          result("c1"),
          hello,
        ),
        of(...used, calls(call("c1")), result("c1")),
      ],
      refuses: [
        of(hello, calls(call("c1"))),
        of(hello, calls(call("c1")), hello, result("c1")),
        of(hello, calls(call("c1"), custom("c2")), result("c1")),
        of(hello, calls(call("c1")), result("c1"), result("c1")),
        of(hello, calls(call("c1")), said("Well"), result("c1")),
        of(hello, calls({ id: "c1", type: "mcp", server: "s" })),
      ],
    },
    {
      rule: "OC2",
      says: "each result follows the response that holds its call",
      accepts: [of(...used)],
      refuses: [
        of(result("c1")),
        of(hello, result("c1")),
        of(...used, result("c2")),
        of(...used, hello, result("c1")),
      ],
    },
    {
      rule: "OC3",
      says: "a response says something, calls, refuses or sounds",
      accepts: [
        of(hello, said("Hi")),
        of(hello, said(null, { refusal: "No." })),
        of(hello, said(null, { audio: { id: "a1" } })),
        of(hello, { role: "assistant", function_call: { name: "f", arguments: "{}" } }),
        of(hello, said([{ type: "refusal", refusal: "No." }])),
      ],
      refuses: [of(hello, said(null)), of(hello, said("")), of(hello, { role: "assistant" }, hello)],
    },
    {
      rule: "OC4",
      says: "arguments are a string, JSON or not",
      accepts: [
        of(hello, calls(call("c1", "{")), result("c1")),
        of(hello, calls(call("c1", "")), result("c1")),
      ],
      refuses: [
        of(hello, calls(call("c1", { id: 7 })), result("c1")),
        of(hello, calls({ id: "c1", function: { name: "f" } }), result("c1")),
      ],
    },
    {
      rule: "OC5",
      says: "a list of calls is not empty",
      accepts: [of(hello, said("Hi"))],
      refuses: [of(hello, said("Hi", { tool_calls: [] })), of(hello, said("Hi", { tool_calls: null }))],
    },
    {
      rule: "OC6",
      says: "a result is text",
      accepts: [of(hello, calls(call("c1")), result("c1", [says("a"), says("b")]))],
      refuses: [
        of(hello, calls(call("c1")), result("c1", [says("a"), picture])),
        of(hello, calls(call("c1"), call("c2")), result("c1", [picture]), result("c2"), said("I see")),
      ],
    },
    {
      rule: "OC7",
      says: "names are 64 letters, digits, dashes and underscores at most",
      accepts: [of(heard("Hi", { name: "Ada-1_x" })), of(heard("Hi", { name: null }))],
      refuses: [
        of(heard("Hi", { name: "Ada L." })),
        of(heard("Hi", { name: "" })),
        of(hello, calls(call("c1", "{}", "a.b")), result("c1")),
        of(hello, calls(call("c1", "{}", "")), result("c1")),
        of(hello, calls(custom("c1", "x".repeat(65))), result("c1")),
      ],
    },
    {
      rule: "OC8",
      says: "the official API has no field of reasoning",
      accepts: [of(hello, said("Hi"))],
      refuses: [
        of(hello, said("Hi", { reasoning_content: "Hm." })),
        of(hello, said("Hi", { reasoning: null })),
        of(hello, said("Hi", { reasoning_details: [{ type: "reasoning.text", text: "Hm." }] })),
      ],
    },
    {
      rule: "OC9",
      says: "instructions are one message, the first one",
      accepts: [of(told("Be brief."), hello), of(told([says("a"), says("b")], "developer"), hello)],
      refuses: [
        of(hello, told("Be brief.")),
        of(told("a"), told("b", "developer"), hello),
        of(told("a"), hello, told("b"), said("Hi")),
      ],
    },
    {
      rule: "OC10",
      says: "strings hold whole characters",
      accepts: [of(heard("🚀"))],
      refuses: [of(heard("\ud83d")), of(heard("Hi", { "\udc00": 1 })), of(told("\ud83d"), hello)],
    },
    {
      rule: "OC11",
      says: "ids of calls differ in a response, and have 40 characters at most",
      accepts: [of(...used, calls(call("c1")), result("c1")), of(hello, calls(call("a|b")), result("a|b"))],
      refuses: [
        of(hello, calls(call("c1"), call("c1")), result("c1"), result("c1")),
        of(hello, calls(call("x".repeat(41))), result("x".repeat(41))),
        of(hello, calls(call("")), result("")),
      ],
    },
    {
      rule: "OC12",
      says: "content is not empty, nor is a text of it",
      accepts: [of(heard(" "))],
      refuses: [
        of(heard("")),
        of(heard([])),
        of(heard([says(""), picture])),
        of({ role: "user" }),
        of({ role: "user", text: "hi" }, said("x")),
        of({ role: "system" }, hello),
        of(hello, calls(call("c1")), { role: "tool", tool_call_id: "c1" }),
        of(told(""), hello),
        of(hello, calls(call("c1")), result("c1", "")),
        of(hello, said([], { refusal: "No." })),
      ],
    },
  ],
  elsewhere: [],
}
