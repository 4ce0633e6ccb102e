/**
 * The forms in which LangChain's messages are stored and sent, seen as one.
 *
 * @since 0.1.0
 */
import { type Fields, isFields } from "../format/Fields.ts"

/**
 * A message in any of the forms that LangChain writes: stored (`{type, data}`), serialised (`{lc, type, id, kwargs}`),
 * or plain (`{type, content}` and `{role, content}`).
 *
 * @category models
 * @since 0.1.0
 */
export interface LangChainMessage {
  readonly [key: string]: unknown
}

/**
 * A state of LangGraph, or what a model is called with, as far as a memory writes it; the other fields pass through.
 *
 * @category models
 * @since 0.1.0
 */
export interface LangChainRequest {
  readonly messages: ReadonlyArray<LangChainMessage>
  readonly [key: string]: unknown
}

/** The kinds of messages. */
export type Kind = "human" | "ai" | "system" | "tool" | "function" | "generic" | "remove"

/** A block of a content. */
export interface Block {
  readonly type?: string
  readonly [key: string]: unknown
}

/** A message, whatever its form: its kind, and the fields of the message itself. */
export interface View {
  readonly form: "stored" | "constructor" | "plain"
  readonly kind: Kind
  readonly fields: Fields
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["human", "human"],
  ["user", "human"],
  ["ai", "ai"],
  ["assistant", "ai"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "function"],
  ["generic", "generic"],
  ["chat", "generic"],
  ["remove", "remove"],
  ["HumanMessage", "human"],
  ["AIMessage", "ai"],
  ["SystemMessage", "system"],
  ["ToolMessage", "tool"],
  ["FunctionMessage", "function"],
  ["ChatMessage", "generic"],
  ["RemoveMessage", "remove"],
])

/** The kind that a name means; a chunk is a message that was streamed. */
const kindOf = (name: unknown): Kind | undefined =>
  typeof name === "string" ? KINDS.get(name.replace(/Chunk$/, "")) : undefined

const viewAs = (form: View["form"], kind: Kind | undefined, fields: Fields): View | null =>
  kind === undefined ? null : { form, kind, fields }

/** Sees a message in a value; null when it has none of the forms. */
export const viewOf = (value: unknown): View | null => {
  if (!isFields(value)) return null
  const { lc, type, id, kwargs, data, role } = value
  if (lc === 1 && type === "constructor" && Array.isArray(id) && isFields(kwargs))
    return viewAs("constructor", kindOf(id.at(-1)), kwargs)
  if (isFields(data) && !("content" in value)) return viewAs("stored", kindOf(type), data)
  const named = kindOf(type)
  return viewAs("plain", named === "generic" || typeof role !== "string" ? named : kindOf(role), value)
}

/** A message with other fields, in the form that it has. */
export const withFields = (message: LangChainMessage, fields: Fields): LangChainMessage => {
  switch (viewOf(message)?.form) {
    case "constructor":
      return { ...message, kwargs: fields }
    case "stored":
      return { ...message, data: fields }
    default:
      return fields
  }
}

/** A field that is an object; an empty one for what is none. */
export const fieldsIn = (fields: Fields, key: string): Fields => {
  const value = fields[key]
  return isFields(value) ? value : {}
}

/** A field that is a list; an empty one for what is none. */
export const listIn = (fields: Fields, key: string): ReadonlyArray<unknown> => {
  const value = fields[key]
  return Array.isArray(value) ? value : []
}

/** A field that is a text; an empty one for what is none. */
export const textIn = (fields: Fields, key: string): string => {
  const value = fields[key]
  return typeof value === "string" ? value : ""
}

/** The blocks of a message. A text that is not empty is one block; Python's lists may hold texts. */
export const blocksOf = (fields: Fields): ReadonlyArray<Block> => {
  const content = fields.content ?? fields.content_blocks
  const list = Array.isArray(content) ? content : content === "" || content === undefined ? [] : [content]
  return list.flatMap((block): ReadonlyArray<Block> => {
    if (typeof block === "string") return [{ type: "text", text: block }]
    return isFields(block) ? [block] : []
  })
}
