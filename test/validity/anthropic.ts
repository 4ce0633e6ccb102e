import { type AnthropicRequest, anthropic } from "@palimpsest/core/formats/anthropic"
import type { Validity } from "./RuleCase.ts"

const hello = { role: "user", content: "Hello" }

/** The rules of Anthropic's Messages. */
export const anthropicRules: Validity<AnthropicRequest> = {
  title: "Anthropic Messages",
  format: anthropic,
  cases: [
    {
      rule: "AN1",
      says: "the first message is the user's",
      accepts: [
        { messages: [hello] },
        { messages: [{ role: "assistant", content: [{ type: "compaction", content: null }] }] },
      ],
      refuses: [{ messages: [{ role: "assistant", content: "Hi" }] }, { messages: [] }],
    },
  ],
  elsewhere: [],
}
