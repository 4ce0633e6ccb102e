/**
 * Whole messages of a request: AN1, AN2, AN9 and AN21.
 *
 * @since 0.1.0
 */
import type { Rule } from "../format/Rule.ts"
import type { Limits } from "./Limits.ts"
import { placedIn, type View } from "./Turns.ts"
import type { AnthropicMessage } from "./Wire.ts"

const opensWithCompaction = (message: AnthropicMessage): boolean =>
  message.role === "assistant" && placedIn(message, "")[0]?.block.type === "compaction"

/** Whether a conversation may begin with a message. */
export const mayOpen = (first: AnthropicMessage | undefined): boolean =>
  first?.role === "user" || (first !== undefined && opensWithCompaction(first))

/** AN1: the user speaks first, or a compaction stands for what was said. */
export const userFirst: Rule<View> = {
  id: "AN1",
  check: ({
    request: {
      messages: [first],
    },
  }) => (mayOpen(first) ? [] : [{ path: "messages[0]", detail: "the first message is not the user's" }]),
}

/** AN2: there are two roles. Neighbours of one role are taken: the provider reads them as one turn. */
export const roles: Rule<View> = {
  id: "AN2",
  check: ({ request: { messages } }) =>
    messages.flatMap(({ role }, i) =>
      role === "system" ? [{ path: `messages[${i}].role`, detail: "the role system" }] : [],
    ),
}

export const isEmpty = (message: AnthropicMessage): boolean => placedIn(message, "").length === 0

/** AN9: each message says something; only the response to go on with may be empty. */
export const filled: Rule<View> = {
  id: "AN9",
  check: ({ request: { messages } }) =>
    messages.flatMap((message, i) =>
      isEmpty(message) && !(message.role === "assistant" && i === messages.length - 1)
        ? [{ path: `messages[${i}].content`, detail: "a message of nothing" }]
        : [],
    ),
}

/** AN21: a request has an end. */
export const countable = (limits: Limits): Rule<View> => ({
  id: "AN21",
  check: ({ request: { messages } }) =>
    messages.length > limits.messages
      ? [{ path: "messages", detail: `more than ${limits.messages} messages` }]
      : [],
})
