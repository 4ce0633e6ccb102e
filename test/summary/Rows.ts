import { assistant, type Message, type MessageRow, toolResult, user } from "@palimpsest/core"

/** A quarter of a token per UTF-16 unit. */
export const counter = { name: "units/4", count: (text: string) => Math.ceil(text.length / 4) }

export const rowOf = (id: string, message: Message): MessageRow => ({
  kind: "message",
  id,
  position: 1,
  message,
  tokens: 1,
  tokenizer: counter.name,
})

export const said = (id: string, text: string): MessageRow => rowOf(id, user(text))
export const reply = (id: string, text: string): MessageRow => rowOf(id, assistant(text))
export const toolRow = (id: string, call: string, text: string, status: "ok" | "error" = "ok"): MessageRow =>
  rowOf(id, toolResult(call, text, { status }))
