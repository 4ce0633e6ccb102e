/** Items of the Responses API, in the plain form that tests write them in. */
export const hello = { role: "user", content: "Hello" }

export const heard = (content: unknown, fields = {}) => ({ role: "user", content, ...fields })

export const said = (content: unknown, fields = {}) => ({ role: "assistant", content, ...fields })

export const reads = (text: string) => ({ type: "input_text", text })

export const says = (text: string) => ({ type: "output_text", text, annotations: [] })

/** A message as a response holds it. */
export const message = (id: string, text = "Found", fields = {}) => ({
  id,
  type: "message",
  status: "completed",
  role: "assistant",
  content: [says(text)],
  ...fields,
})

export const picture = { type: "input_image", image_url: "https://example.org/a.png", detail: "auto" }

export const call = (id: string, fields = {}) => ({
  type: "function_call",
  name: "find",
  arguments: "{}",
  call_id: id,
  ...fields,
})

export const output = (id: string, text: unknown = "found", fields = {}) => ({
  type: "function_call_output",
  call_id: id,
  output: text,
  ...fields,
})

export const custom = (id: string, fields = {}) => ({
  type: "custom_tool_call",
  call_id: id,
  name: "run",
  input: "ls",
  ...fields,
})

export const customOutput = (id: string) => ({ ...output(id), type: "custom_tool_call_output" })

export const reasoning = (id: string, fields = {}) => ({
  type: "reasoning",
  id,
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: "ZW5j",
  ...fields,
})

/** Encrypted reasoning without an id, as it is sent where nothing is stored. */
export const nameless = { type: "reasoning", summary: [], encrypted_content: "ZW5j" }

export const reference = (id: string) => ({ type: "item_reference", id })

export const compaction = (sealed: unknown = "ZW5j") => ({
  type: "compaction",
  id: "cmp_1",
  encrypted_content: sealed,
})

export const search = {
  type: "web_search_call",
  id: "ws_1",
  status: "completed",
  action: { type: "search", query: "q" },
}
