/** Messages of Chat Completions, in the plain form that tests write them in. */
import type { OpenAiMessage } from "@palimpsest/core/formats/openai-chat"

export const hello: OpenAiMessage = { role: "user", content: "Hello" }

export const says = (text: string) => ({ type: "text", text })

export const picture = { type: "image_url", image_url: { url: "https://example.org/a.png" } }

export const said = (content: unknown, fields = {}) => ({ role: "assistant", content, ...fields })

export const heard = (content: unknown, fields = {}) => ({ role: "user", content, ...fields })

export const told = (content: unknown, role = "system") => ({ role, content })

export const call = (id: string, args: unknown = "{}", name: unknown = "find") => ({
  id,
  type: "function",
  function: { name, arguments: args },
})

export const custom = (id: string, name = "run") => ({ id, type: "custom", custom: { name, input: "ls" } })

export const calls = (...all: ReadonlyArray<unknown>) => said(null, { tool_calls: all })

export const result = (id: string, content: unknown = "found", fields = {}) => ({
  role: "tool",
  tool_call_id: id,
  content,
  ...fields,
})
