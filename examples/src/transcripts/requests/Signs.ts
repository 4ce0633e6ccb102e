/** What tells the format of messages: names that only one of the formats has. */
import type { FormatName } from "@palimpsest/core/formats"
import { has, isFields, listAt, textAt } from "../Fields.ts"
import { type Chat, isLangChainLike } from "./Chats.ts"

/** Types of parts that one format has. */
const PARTS: { readonly [type: string]: FormatName } = {
  input_text: "openai-responses",
  output_text: "openai-responses",
  input_image: "openai-responses",
  input_file: "openai-responses",
  image_url: "openai-chat",
  input_audio: "openai-chat",
  tool_use: "anthropic",
  tool_result: "anthropic",
  thinking: "anthropic",
  redacted_thinking: "anthropic",
  server_tool_use: "anthropic",
  document: "anthropic",
  search_result: "anthropic",
}

/** Parts of the AI SDK and of `effect/ai` have the same types, and other fields. */
const ofPart = (part: unknown): FormatName | undefined => {
  const type = textAt(part, "type")
  if (has(part, "toolCallId") || has(part, "providerOptions")) return "ai-sdk"
  if (has(part, "params") || has(part, "isFailure")) return "effect-prompt"
  if (has(part, "options") && /^(text|reasoning|file|tool-)/.test(type)) return "effect-prompt"
  if (type === "reasoning" || type === "file" || type.startsWith("tool-")) return "ai-sdk"
  if (type === "image") return has(part, "source") ? "anthropic" : "ai-sdk"
  return Object.hasOwn(PARTS, type) ? PARTS[type] : undefined
}

/** The format that an element is of, where it tells. */
const ofElement = (element: unknown): FormatName | undefined => {
  if (!isFields(element)) return undefined
  const role = textAt(element, "role")
  if (Array.isArray(element.parts)) {
    const isTyped = element.parts.some((part) => textAt(part, "type") !== "")
    return isTyped || (element.parts.length === 0 && role !== "model") ? "ai-sdk-ui" : "gemini"
  }
  if (role === "") {
    if (has(element, "lc") || isLangChainLike(element)) return "langchain"
    return textAt(element, "type") === "" ? undefined : "openai-responses"
  }
  if (textAt(element, "type") === "message") return "openai-responses"
  if (has(element, "tool_calls") || has(element, "tool_call_id") || has(element, "function_call"))
    return "openai-chat"
  if (has(element, "providerOptions")) return "ai-sdk"
  return listAt(element, "content")
    .map(ofPart)
    .find((format) => format !== undefined)
}

/** Fields of a request that one format has. */
const ofFrame = ({ value, key }: Chat): FormatName | undefined => {
  if (key === "contents" || has(value, "systemInstruction")) return "gemini"
  if (key === "input" || has(value, "instructions")) return "openai-responses"
  if (key === "uiMessages") return "ai-sdk-ui"
  if (key === "content") return "effect-prompt"
  return key === "messages" && has(value, "system") ? "anthropic" : undefined
}

/**
 * The format of a chat: the one that most elements tell of, else the one that the request around them tells of, else
 * Chat Completions, since plain texts with roles are the same in several formats.
 */
export const formatOf = (chat: Chat): FormatName => {
  const counts = new Map<FormatName, number>()
  for (const element of chat.list) {
    const format = ofElement(element)
    if (format !== undefined) counts.set(format, (counts.get(format) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most?.[0] ?? ofFrame(chat) ?? "openai-chat"
}
