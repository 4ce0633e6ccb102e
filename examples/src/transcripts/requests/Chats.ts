/** Where the lists of messages of a file stand. */
import { fieldOf, has, isFields, textAt } from "../Fields.ts"
import type { Source } from "../Source.ts"

/** A list of messages, or the request around it. */
export interface Chat {
  /** Where it stands in the file: `[2]`, `line 3`, `sessions[0].uiMessages`; empty for the whole file. */
  readonly at: string
  /** The name of the field that holds the list; null when the list came bare. */
  readonly key: string | null
  /** The request; the list itself when it came bare. */
  readonly value: unknown
  readonly list: ReadonlyArray<unknown>
  /** Where each element stands, when the file has one for each line. */
  readonly lines?: ReadonlyArray<string>
}

/** Fields that hold messages, in the formats that are read and in stores of them. */
const LISTS = ["messages", "contents", "input", "uiMessages", "content"] as const

const LANGCHAIN_TYPES = /^(human|ai|system|tool|function|chat|developer|remove)$/

/** Types of items of the Responses API that have no role. */
const ITEM_TYPES =
  /^(reasoning|function_call|function_call_output|custom_tool_call|custom_tool_call_output|item_reference|compaction)$|_call(_output)?$/

/** Whether a value has the form in which LangChain's messages are stored. */
export const isLangChainLike = (value: unknown): boolean =>
  LANGCHAIN_TYPES.test(textAt(value, "type")) && (has(value, "content") || has(value, "data"))

/** Whether a value may be a message of one of the formats. */
export const isMessageLike = (value: unknown): boolean =>
  isFields(value) &&
  (textAt(value, "role") !== "" ||
    Array.isArray(value.parts) ||
    has(value, "lc", "kwargs") ||
    isLangChainLike(value) ||
    ITEM_TYPES.test(textAt(value, "type")))

const chatOf = (value: unknown, at: string): Chat | undefined => {
  if (Array.isArray(value))
    return value.length === 0 || isMessageLike(value[0]) ? { at, key: null, value, list: value } : undefined
  for (const key of LISTS) {
    const list = fieldOf(value, key)
    const isOwn = key === "content" && has(value, "role")
    if (Array.isArray(list) && !isOwn && (list.length === 0 || isFields(list[0])))
      return { at, key, value, list }
  }
  return undefined
}

const chatsOf = (
  values: ReadonlyArray<unknown>,
  at: (i: number) => string,
): ReadonlyArray<Chat> | undefined => {
  const chats = values.map((value, i) => chatOf(value, at(i)))
  const found = chats.filter((chat) => chat !== undefined)
  return found.length > 0 && found.length === values.length ? found : undefined
}

/** Chats of a store: an object with a list of them. */
const stored = (value: unknown): ReadonlyArray<Chat> | undefined => {
  if (!isFields(value)) return undefined
  for (const [key, list] of Object.entries(value)) {
    const chats = Array.isArray(list) ? chatsOf(list, (i) => `${key}[${i}]`) : undefined
    if (chats !== undefined) return chats
  }
  return undefined
}

/** The chats of a file; undefined when it holds none in a form that is known. */
export const chatsIn = ({ value, entries }: Source): ReadonlyArray<Chat> | undefined => {
  const isLog = entries[0]?.at.startsWith("line") === true && Array.isArray(value)
  const whole = chatOf(value, "")
  if (whole !== undefined && whole.key === null && isLog)
    return [{ ...whole, lines: entries.map(({ at }) => at) }]
  if (whole !== undefined) return [whole]
  const values = entries.map((entry) => entry.value)
  return chatsOf(values, (i) => entries[i]?.at ?? "") ?? stored(value)
}

/** Where a fault stands in the file, when it stands at `path` in a chat. */
export const placeIn = ({ at, lines }: Chat, path: string): string => {
  const [, index, inside = ""] = /^\[(\d+)\]\.?(.*)$/s.exec(path) ?? []
  const line = index === undefined ? undefined : lines?.[Number(index)]
  const [where, rest] = line === undefined ? [at, path] : [line, inside]
  if (where.startsWith("line")) return rest === "" ? where : `${where}, ${rest}`
  return where === "" || rest === "" || rest.startsWith("[") ? `${where}${rest}` : `${where}.${rest}`
}
