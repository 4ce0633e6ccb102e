/**
 * Whole messages of a request: AN1, AN2, AN9 and AN21.
 *
 * @since 0.1.0
 */
import type { Rule } from "../format/Rule.ts"
import type { Limits } from "./Limits.ts"
import { placedIn } from "./Turns.ts"
import type { AnthropicMessage, AnthropicRequest } from "./Wire.ts"

const opensWithCompaction = (message: AnthropicMessage): boolean =>
  message.role === "assistant" && placedIn(message, "")[0]?.block.type === "compaction"

/** AN1: the user speaks first, or a compaction stands for what was said. */
export const userFirst: Rule<AnthropicRequest> = {
  id: "AN1",
  check: ({ messages: [first] }) =>
    first?.role === "user" || (first !== undefined && opensWithCompaction(first))
      ? []
      : [{ path: "messages[0]", detail: "the first message is not the user's" }],
}

/** AN2: there are two roles. Neighbours of one role are taken: the provider reads them as one turn. */
export const roles: Rule<AnthropicRequest> = {
  id: "AN2",
  check: ({ messages }) =>
    messages.flatMap(({ role }, i) =>
      role === "system" ? [{ path: `messages[${i}].role`, detail: "the role system" }] : [],
    ),
}

export const isEmpty = (message: AnthropicMessage): boolean => placedIn(message, "").length === 0

/** AN9: each message says something; only the response to go on with may be empty. */
export const filled: Rule<AnthropicRequest> = {
  id: "AN9",
  check: ({ messages }) =>
    messages.flatMap((message, i) =>
      isEmpty(message) && !(message.role === "assistant" && i === messages.length - 1)
        ? [{ path: `messages[${i}].content`, detail: "a message of nothing" }]
        : [],
    ),
}

/** AN21: a request has an end. */
export const countable = (limits: Limits): Rule<AnthropicRequest> => ({
  id: "AN21",
  check: ({ messages }) =>
    messages.length > limits.messages
      ? [{ path: "messages", detail: `more than ${limits.messages} messages` }]
      : [],
})
