import { type EffectPrompt, effectPrompt } from "@palimpsest/core/formats/effect-prompt"
import type { Validity } from "./RuleCase.ts"

const hello = { role: "user", content: "Hello" }
const call = (id: string, others: object = {}) => ({
  type: "tool-call",
  id,
  name: "find",
  params: {},
  ...others,
})
const result = (id: string, others: object = {}) => ({
  type: "tool-result",
  id,
  name: "find",
  isFailure: false,
  result: "ok",
  ...others,
})
const request = (approvalId: string, toolCallId: string) => ({
  type: "tool-approval-request",
  approvalId,
  toolCallId,
})
const decision = (approvalId: string, approved: boolean) => ({
  type: "tool-approval-response",
  approvalId,
  approved,
})
const response = (...content: ReadonlyArray<object>) => ({ role: "assistant", content })
const tool = (...content: ReadonlyArray<object>) => ({ role: "tool", content })
const of = (...content: ReadonlyArray<object>) => ({ content })

const found = of(hello, response(call("a")), tool(result("a")))

const FILE = "test/formats/effect-prompt.test.ts"

/** The rules of prompts of `effect/ai`. */
export const effectPromptRules: Validity<EffectPrompt> = {
  title: "Effect Prompt",
  format: effectPrompt,
  cases: [
    {
      rule: "EF3",
      says: "one response is one message, and the results of the host's calls stand in messages of their own",
      accepts: [
        found,
        of(hello, response(call("a", { providerExecuted: true }), result("a", { providerExecuted: true }))),
        of(hello, response(call("a")), tool(result("a")), response(call("b")), tool(result("b"))),
      ],
      refuses: [
        of(hello, response(call("a"), result("a"))),
        of(hello, response(call("a"), result("a"), call("b"), result("b"), { type: "text", text: "Done" })),
      ],
    },
    {
      rule: "EF4",
      says: "a result holds the encoded value, whatever it is",
      accepts: [
        found,
        of(hello, response(call("a")), tool(result("a", { result: null }))),
        of(hello, response(call("a")), tool(result("a", { result: undefined }))),
        of(hello, response(call("a")), tool(result("a", { result: { deep: [1] } }))),
      ],
      refuses: [
        of(
          hello,
          response(call("a")),
          tool({ type: "tool-result", id: "a", name: "find", isFailure: false }),
        ),
      ],
    },
    {
      rule: "EF5",
      says: "each call is answered once, right after its response; no message is empty",
      accepts: [
        of(hello),
        found,
        of(hello, response(call("a"), call("b")), tool(result("b")), tool(result("a")), hello),
        of(hello, response(call("a"), request("q", "a")), tool(decision("q", true))),
        of(hello, response(call("a"), request("q", "a")), tool(decision("q", false)), tool(result("a"))),
      ],
      refuses: [
        of(hello, response(call("a"))),
        of(hello, response(call("a")), hello, tool(result("a"))),
        of(hello, response(call("a"), call("b")), tool(result("b"))),
        of(hello, tool(result("a"))),
        of(hello, response(call("a")), tool(result("a"), result("a"))),
        of(hello, response(call("a"), call("a")), tool(result("a"), result("a"))),
        of(hello, response(call("a")), tool(result("a")), response(call("a")), tool(result("a"))),
        of(hello, response(call("a"), request("q", "a"))),
        of(hello, response(call("a"), request("q", "a")), tool(decision("r", true))),
        of(
          hello,
          response(call("a", { providerExecuted: true })),
          tool(result("a", { providerExecuted: true })),
        ),
        of(hello, response()),
        of({ role: "user", content: "" }),
      ],
    },
  ],
  elsewhere: [
    {
      rule: "EF1",
      says: "a prompt has neither ids of messages nor times: they are kept beside it",
      file: FILE,
      accepts: "EF1: an id and a time of a message come back as they came",
      refuses: "EF1: none is written",
    },
    {
      rule: "EF2",
      says: "the data of a file is a text, bytes or an address, and comes back as it was",
      file: FILE,
      accepts: "EF2: data of files comes back as it was",
      refuses: "EF2: data that is none of them is refused",
    },
    {
      rule: "EF6",
      says: "the tokenizer's truncation breaks pairs",
      file: "test/judges/effect.test.ts",
      accepts: "EF6: a prompt that is whole is valid",
      refuses: "EF6: what the tokenizer truncates is not",
    },
    {
      rule: "EF7",
      says: "the module is unstable: the format has an entry point of its own, and imports nothing of it",
      file: FILE,
      accepts: "EF7: the format has an entry point of its own",
      refuses: "EF7: no source imports the unstable module",
    },
  ],
}
