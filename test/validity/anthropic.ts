import { type AnthropicRequest, anthropic } from "@palimpsest/core/formats/anthropic"
import {
  call,
  heard,
  hello,
  marked,
  redacted,
  result,
  said,
  says,
  thought,
} from "../formats/AnthropicWire.ts"
import { anthropicHistories } from "./anthropic-histories.ts"
import { anthropicLimits } from "./anthropic-limits.ts"
import type { Validity } from "./RuleCase.ts"

const on = { thinking: { type: "enabled", budget_tokens: 1_024 } }
const adaptive = { thinking: { type: "adaptive" } }
const off = { thinking: { type: "disabled" } }
const of = (...messages: ReadonlyArray<unknown>) => ({ messages })
const search = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } }
const used = [hello, said(call("c1")), heard(result("c1"))]

/** The rules of Anthropic's Messages. */
export const anthropicRules: Validity<AnthropicRequest> = {
  title: "Anthropic Messages",
  format: anthropic,
  cases: [
    {
      rule: "AN1",
      says: "the first message is the user's, or opens with a compaction",
      accepts: [of(hello), of(said({ type: "compaction", content: null }))],
      refuses: [of({ role: "assistant", content: "Hi" }), of()],
    },
    {
      rule: "AN2",
      says: "there are two roles; neighbours of one role are read as one turn",
      accepts: [
        of(hello, { role: "assistant", content: "Hi" }, hello),
        of(hello, hello),
        of(hello, said(call("c1")), said(call("c2")), heard(result("c1")), heard(result("c2"))),
      ],
      refuses: [of(hello, { role: "system", content: "Be brief." }), of({ role: "system", content: [] })],
    },
    {
      rule: "AN3",
      says: "each call has one result in the next message",
      accepts: [of(...used), of(hello, said(call("c1"), call("c2")), heard(result("c2"), result("c1")))],
      refuses: [
        of(hello, said(call("c1"))),
        of(hello, said(call("c1")), hello, said(says("Well")), heard(result("c1"))),
        of(hello, said(call("c1"), call("c2")), heard(result("c1"))),
        of(hello, said(call("c1")), heard(result("c1"), result("c1"))),
        of(hello, said(call("c1")), { role: "assistant", content: "Well" }, hello),
        of(heard(says("Hi"), call("c1"))),
      ],
    },
    {
      rule: "AN4",
      says: "results come before what else the user says",
      accepts: [of(hello, said(call("c1")), heard(result("c1"), says("and?")))],
      refuses: [
        of(hello, said(call("c1")), heard(says("and?"), result("c1"))),
        of(hello, said(call("c1")), { role: "user", content: "and?" }, heard(result("c1"))),
        of(
          hello,
          said(call("c1"), call("c2")),
          heard(result("c1"), { type: "container_upload", file_id: "f" }, says("x"), result("c2")),
        ),
      ],
    },
    {
      rule: "AN5",
      says: "each result has its call in the message before",
      accepts: [of(...used)],
      refuses: [
        of(heard(result("c1"))),
        of(...used, said(says("So.")), heard(result("c1"))),
        of(hello, said(call("c1")), heard(result("c1"), result("c2"))),
        of(hello, said(says("Hi"), result("c1"))),
      ],
    },
    {
      rule: "AN6",
      says: "ids of calls are of letters, digits, dashes and underscores, and none stands twice",
      accepts: [of(hello, said(call("toolu_01-A")), heard(result("toolu_01-A")))],
      refuses: [
        of(hello, said(call("call|fc_1")), heard(result("call|fc_1"))),
        of(hello, said(call("")), heard(result(""))),
        of(...used, said(call("c1")), heard(result("c1"))),
        of(hello, said(call("c1"), call("c1")), heard(result("c1"), result("c1"))),
      ],
    },
    {
      rule: "AN7",
      says: "the input of a call is an object",
      accepts: [of(hello, said(call("c1", { a: [1] })), heard(result("c1")))],
      refuses: [null, '{"a":1}', "", [], 7].map((input) =>
        of(hello, said(call("c1", input)), heard(result("c1"))),
      ),
    },
    {
      rule: "AN8",
      says: "no text is blank, in results and in the system prompt neither",
      accepts: [
        {
          ...of(heard(says(" a ")), said(call("c1")), heard(result("c1", []))),
          system: [says("Be brief.")],
        },
        of(hello, said(call("c1")), heard({ type: "tool_result", tool_use_id: "c1" })),
      ],
      refuses: [
        of(heard(says(""))),
        of(heard(says("Hi"), says(" \n"))),
        of({ role: "user", content: "  " }),
        of(hello, said(call("c1")), heard(result("c1", ""))),
        of(hello, said(call("c1")), heard(result("c1", [says("")]))),
        of(hello, said(call("c1")), heard(result("c1", [says("a"), says("")]))),
        of(hello, said(says(""), call("c1")), heard(result("c1"))),
        { ...of(hello), system: [says("Be brief."), says("")] },
        { ...of(hello), system: [says("")] },
      ],
    },
    {
      rule: "AN9",
      says: "each message says something; only the last response may be empty",
      accepts: [of(hello, said()), of(hello, { role: "assistant", content: "" })],
      refuses: [
        of(heard()),
        of(hello, said(), hello),
        of({ role: "user", content: "" }, said(says("Hi")), hello),
      ],
    },
    {
      rule: "AN10",
      says: "the start of an answer ends without blanks, and is not given with thinking on",
      accepts: [
        of(hello, { role: "assistant", content: "The answer is" }),
        { ...of(hello, { role: "assistant", content: "Hi" }, hello), ...on },
        { ...of(hello, said(thought, search)), ...on },
        { ...of(hello, said(thought, says("Hi"))) },
      ],
      refuses: [
        of(hello, { role: "assistant", content: "The answer is " }),
        of(hello, said(says("The answer is\n"))),
        { ...of(hello, { role: "assistant", content: "The answer is" }), ...on },
        { ...of(hello, said(thought, says("Hi"))), ...adaptive },
        { ...of(hello, said()), ...on },
        { ...of(hello, said(thought, says("Hi"))), ...off },
      ],
    },
    {
      rule: "AN11",
      says: "thinking is sent as it came, or not at all",
      accepts: [of(hello, said({ ...thought, thinking: "" }, says("Hi")), hello)],
      refuses: [of(hello, said({ ...thought, thinking: "\ud83d" }, says("Hi")), hello)],
    },
    {
      rule: "AN12",
      says: "with a budget of thinking, the response whose calls are answered begins with thinking",
      accepts: [
        { ...of(hello, said(thought, call("c1")), heard(result("c1"))), ...on },
        { ...of(hello, said(redacted, says("Let me look."), call("c1")), heard(result("c1"))), ...on },
        { ...of(...used), ...adaptive },
        { ...of(...used), ...off },
        { ...of(...used, said(says("So.")), hello), ...on },
      ],
      refuses: [
        { ...of(...used), ...on },
        { ...of(hello, said(says("Let me look."), thought, call("c1")), heard(result("c1"))), ...on },
      ],
    },
    {
      rule: "AN14",
      says: "thinking has its signature",
      accepts: [of(hello, said(thought, redacted, says("Hi")), hello)],
      refuses: [
        of(hello, said({ ...thought, signature: "" }, says("Hi")), hello),
        of(hello, said({ type: "thinking", thinking: "Hm." }, says("Hi")), hello),
        of(hello, said({ type: "redacted_thinking", data: "" }, says("Hi")), hello),
      ],
    },
    {
      rule: "AN15",
      says: "no response ends with thinking, and thinking carries no cache breakpoint",
      accepts: [of(hello, said(thought), said(says("Hi")), hello)],
      refuses: [
        of(hello, said(thought), hello),
        of(hello, said(says("Hi"), redacted), hello),
        of(hello, said({ ...thought, ...marked }, says("Hi")), hello),
        of(heard(says("Hi"), thought)),
      ],
    },
    ...anthropicLimits,
  ],
  elsewhere: anthropicHistories,
}
