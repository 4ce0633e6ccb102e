import { openAiResponses, type ResponsesRequest } from "@palimpsest/core/formats/openai-responses"
import {
  call,
  compaction,
  custom,
  customOutput,
  heard,
  hello,
  message,
  nameless,
  output,
  picture,
  reads,
  reasoning,
  reference,
  said,
  says,
  search,
} from "../formats/ResponsesWire.ts"
import type { Validity } from "./RuleCase.ts"

const of = (...input: ReadonlyArray<unknown>) => ({ input })
const unstored = (...input: ReadonlyArray<unknown>) => ({ input, store: false })
const used = [hello, call("c1"), output("c1")]
const shell = { type: "shell_call", call_id: "c1", action: { commands: ["ls"] } }
const printed = {
  type: "shell_call_output",
  call_id: "c1",
  output: [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
}
const approval = { type: "mcp_approval_request", id: "mcpr_1", name: "f", server_label: "s", arguments: "{}" }
const approved = { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true }
const file = "test/formats/openai-responses.test.ts"

/** The rules of the Responses API. */
export const openAiResponsesRules: Validity<ResponsesRequest> = {
  title: "OpenAI Responses",
  format: openAiResponses,
  cases: [
    {
      rule: "OR1",
      says: "each output answers a call before it, once and in its type",
      accepts: [
        { input: "Hello" },
        of(...used),
        of(hello, call("c1"), custom("c2"), customOutput("c2"), output("c1")),
        of(hello, shell, printed),
        of(hello, approval, approved),
        { ...of(output("c1"), hello), previous_response_id: "resp_1" },
        { ...of(output("c1")), conversation: { id: "conv_1" } },
      ],
      refuses: [
        of(output("c1")),
        of(hello, output("c1"), call("c1")),
        of(...used, output("c1")),
        of(...used, output("c2")),
        of(hello, call("c1"), customOutput("c1")),
        of(hello, shell, output("c1")),
        of(approved),
      ],
    },
    {
      rule: "OR2",
      says: "each call has its output before the next turn",
      accepts: [of(...used, hello), of(hello, call("c1"), call("c2"), output("c2"), output("c1"), hello)],
      refuses: [
        of(hello, call("c1")),
        of(hello, call("c1"), hello, output("c1")),
        of(hello, custom("c1")),
        of(hello, shell, hello),
        of(hello, approval),
        of(hello, call("c1"), call("c2"), output("c1")),
        { ...of(call("c1")), previous_response_id: "resp_1" },
      ],
    },
    {
      rule: "OR3",
      says: "what reasoning led to follows it, with an id where the reasoning has one",
      accepts: [
        of(hello, reasoning("rs_1"), message("msg_1")),
        of(hello, reasoning("rs_1"), call("c1", { id: "fc_1" }), output("c1")),
        of(hello, reasoning("rs_1"), reasoning("rs_2"), message("msg_1")),
        of(hello, reasoning("rs_1"), search, message("msg_1")),
        of(hello, nameless, said("Hi")),
        unstored(hello, reasoning("rs_1"), call("c1"), output("c1")),
      ],
      refuses: [
        of(hello, reasoning("rs_1")),
        of(hello, nameless),
        of(hello, reasoning("rs_1"), hello),
        of(hello, call("c1"), reasoning("rs_1"), output("c1")),
        of(hello, reasoning("rs_1"), call("c1"), output("c1")),
        of(hello, reasoning("rs_1", { encrypted_content: null }), said("Hi")),
        of(hello, reasoning("rs_1"), said("Hi"), message("msg_1")),
      ],
    },
    {
      rule: "OR4",
      says: "what has an id follows reasoning that has one, or none",
      accepts: [
        of(hello, message("msg_1")),
        of(hello, reasoning("rs_1"), message("msg_1"), call("c1", { id: "fc_1" }), output("c1")),
        of(hello, nameless, call("c1"), output("c1"), message("msg_1")),
      ],
      refuses: [
        of(hello, nameless, message("msg_1")),
        of(hello, nameless, said("Hi"), call("c1", { id: "fc_1" }), output("c1")),
        unstored(hello, nameless, custom("c1", { id: "ctc_1" }), customOutput("c1")),
      ],
    },
    {
      rule: "OR5",
      says: "an id stands once, in an item or in a reference",
      accepts: [of(hello, message("msg_1"), hello, message("msg_2")), of(hello, reference("msg_1"))],
      refuses: [
        of(hello, message("msg_1"), hello, message("msg_1")),
        of(hello, message("msg_1"), reference("msg_1")),
        of(hello, reference("msg_1"), hello, { id: "msg_1" }),
        of(hello, reasoning("rs_1"), message("msg_1"), reasoning("rs_1"), message("msg_2")),
      ],
    },
    {
      rule: "OR6",
      says: "where nothing is stored, nothing is told by its id alone",
      accepts: [
        of(hello, reference("rs_1"), message("msg_1")),
        unstored(hello, reasoning("rs_1"), message("msg_1")),
        { ...of(hello, reference("msg_1")), store: true },
      ],
      refuses: [
        unstored(hello, reference("msg_1")),
        unstored(hello, { type: null, id: "msg_1" }),
        unstored(hello, reasoning("rs_1", { encrypted_content: null }), message("msg_1")),
        unstored(
          hello,
          reasoning("rs_1", { encrypted_content: "" }),
          call("c1", { id: "fc_1" }),
          output("c1"),
        ),
      ],
    },
    {
      rule: "OR8",
      says: "a compaction holds what it stands for",
      accepts: [of(hello, compaction(), hello)],
      refuses: [of(hello, compaction(""), hello), of(hello, { type: "compaction" }, hello)],
    },
    {
      rule: "OR11",
      says: "ids have their prefix, 64 letters, digits, dashes and underscores at most; ids of calls differ",
      accepts: [
        of(hello, call("x".repeat(64)), output("x".repeat(64))),
        of(hello, message("msg_1-A")),
        of(hello, call("c1", { id: null }), output("c1")),
      ],
      refuses: [
        of(hello, call("x".repeat(65)), output("x".repeat(65))),
        of(hello, call("call_1|fc_1"), output("call_1|fc_1")),
        of(hello, call(""), output("")),
        of(...used, call("c1"), output("c1")),
        of(hello, message("m1")),
        of(hello, call("c1", { id: "msg_1" }), output("c1")),
        of(hello, reasoning("x1"), said("Hi")),
        of(hello, message(`msg_${"x".repeat(61)}`)),
        of(hello, call("c1", { name: "a.b" }), output("c1")),
        of(hello, custom("c1", { name: "" }), customOutput("c1")),
        { ...of(output("a|b")), previous_response_id: "resp_1" },
      ],
    },
    {
      rule: "OR12",
      says: "the model's texts are output, those of the others input",
      accepts: [
        of(heard([reads("Look"), picture])),
        of(hello, said([says("Hi")])),
        of(hello, said([{ type: "refusal", refusal: "No." }])),
        of(hello, call("c1"), output("c1", [reads("found"), picture])),
      ],
      refuses: [
        of(heard([says("Hello")])),
        of(hello, said([reads("Hi")])),
        of(hello, said([picture, says("Hi")])),
        of({ role: "developer", content: [says("Be brief.")] }, hello),
        of(hello, call("c1"), output("c1", [says("found")])),
      ],
    },
    {
      rule: "OR13",
      says: "a phase is one of two, and of a message of the model",
      accepts: [
        of(hello, said("Let me look.", { phase: "commentary" }), said("Found", { phase: "final_answer" })),
        of(hello, said("Hi", { phase: null })),
      ],
      refuses: [of(heard("Hello", { phase: "commentary" })), of(hello, said("Hi", { phase: "final" }))],
    },
    {
      rule: "PG2",
      says: "strings hold whole characters, and what is encrypted is never changed",
      accepts: [of(heard("🚀"))],
      refuses: [
        of(heard("\ud83d")),
        of(hello, call("c1"), output("c1", "\udc00")),
        of(hello, reasoning("rs_1", { encrypted_content: "\ud83d" }), message("msg_1")),
      ],
    },
  ],
  elsewhere: [
    {
      rule: "OR7",
      says: "encrypted reasoning is that of the done item, and goes to its own provider only",
      file,
      accepts: "takes the items of a stream from where they are done",
      refuses: "sends what is encrypted to nobody else",
    },
    {
      rule: "OR9",
      says: "what the provider compacted is sent as it is",
      file,
      accepts: "leaves a compacted window as it is",
      refuses: "refuses to go on from a window that was pruned",
    },
    {
      rule: "OR10",
      says: "a request that goes on holds only what is new",
      file,
      accepts: "goes on with what is new",
      refuses: "does not go on with nothing new",
    },
  ],
}
