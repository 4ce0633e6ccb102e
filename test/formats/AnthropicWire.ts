/** Messages of the Messages API, in the plain form that tests write them in. */
import type { AnthropicMessage } from "@palimpsest/core/formats/anthropic"

export const hello: AnthropicMessage = { role: "user", content: "Hello" }

export const says = (text: string) => ({ type: "text", text })

export const said = (...content: ReadonlyArray<unknown>) => ({ role: "assistant", content })

export const heard = (...content: ReadonlyArray<unknown>) => ({ role: "user", content })

export const call = (id: string, input: unknown = {}) => ({ type: "tool_use", id, name: "find", input })

export const result = (id: string, content: unknown = "found", fields = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...fields,
})

export const marked = { cache_control: { type: "ephemeral" } }

export const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" }

export const redacted = { type: "redacted_thinking", data: "cmVk" }
