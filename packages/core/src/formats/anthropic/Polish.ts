/**
 * Makes a request of the Messages API valid whose calls and results fit each other already.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { AnthropicMessage, AnthropicRequest } from "./Wire.ts"

const OPENING: AnthropicMessage = { role: "user", content: "(earlier messages are not shown)" }

/** Repairs a request. */
export const polish = (request: AnthropicRequest): Repaired<AnthropicRequest> =>
  request.messages[0]?.role === "user"
    ? { request, repairs: [] }
    : {
        request: { ...request, messages: [OPENING, ...request.messages] },
        repairs: [{ rule: "AN1", path: "messages[0]", detail: "added a user message" }],
      }
