/**
 * The rules of Anthropic's Messages API, checked on a request before it is sent.
 *
 * @since 0.1.0
 */
import type { Rule } from "../format/Rule.ts"
import { type AnthropicRequest, blocksOf } from "./Wire.ts"

const firstIsUser: Rule<AnthropicRequest> = {
  id: "AN1",
  check: ({ messages: [first] }) => {
    const opens = first !== undefined && blocksOf(first)[0]?.type === "compaction"
    return first?.role === "user" || opens
      ? []
      : [{ path: "messages[0]", detail: "the first message is not the user's" }]
  },
}

/** The rules, in their order. */
export const RULES: ReadonlyArray<Rule<AnthropicRequest>> = [firstIsUser]
