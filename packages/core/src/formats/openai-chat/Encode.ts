/**
 * From the messages of a thread to Chat Completions.
 *
 * @since 0.1.0
 */
import { wellFormed } from "../../text/Unicode.ts"
import type {
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
  UserMessage,
} from "../../thread/Message.ts"
import { encodeMedia, mediaPlaceholder } from "./Media.ts"
import { parseFields } from "./Reading.ts"
import type {
  OpenAiAssistantMessage,
  OpenAiMessage,
  OpenAiToolCall,
  OpenAiToolMessage,
  OpenAiUserMessage,
  OpenAiUserPart,
} from "./Wire.ts"

const isBlank = (text: string): boolean => text.trim() === ""

/** The `name` field allows 64 letters of a small alphabet: what lies outside it becomes `_`. */
const encodeName = (name: string | undefined): { readonly name?: string } => {
  const allowed = (name ?? "").replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64)
  return allowed === "" ? {} : { name: allowed }
}

/** A part that was read from this format and is not known here goes back as it came. */
const encodeOpaque = (part: OpaquePart): OpenAiUserPart => {
  const unknown = part.format === "openai-chat" ? parseFields(part.json) : undefined
  return typeof unknown?.type === "string"
    ? (unknown as unknown as OpenAiUserPart)
    : { type: "text", text: `[a part of ${part.format} that cannot be sent here]` }
}

const encodeUserPart = (part: UserMessage["parts"][number]): OpenAiUserPart => {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text }
    case "media":
      return encodeMedia(part)
    case "opaque":
      return encodeOpaque(part)
  }
}

const encodeUser = (message: UserMessage): OpenAiUserMessage => {
  const parts = message.parts
    .map(encodeUserPart)
    .filter((part) => part.type !== "text" || !isBlank(part.text))
  const [first] = parts
  const name = encodeName(message.name)
  if (first === undefined) return { role: "user", content: "(blank)", ...name }
  return { role: "user", content: parts.length === 1 && first.type === "text" ? first.text : parts, ...name }
}

const encodeCall = (call: ToolCallPart): OpenAiToolCall => ({
  id: call.id,
  type: "function",
  function: { name: call.name, arguments: call.arguments },
})

const assistantText = (message: AssistantMessage): string =>
  message.parts
    .flatMap((part) =>
      part.type === "text" ? [part.text] : part.type === "media" ? [mediaPlaceholder(part, "not shown")] : [],
    )
    .filter((text) => !isBlank(text))
    .join("\n")

const encodeAssistant = (message: AssistantMessage): ReadonlyArray<OpenAiAssistantMessage> => {
  const text = assistantText(message)
  const calls = message.parts.filter((part) => part.type === "tool-call").map(encodeCall)
  if (text === "" && calls.length === 0) return []
  const content = text === "" ? null : text
  const name = encodeName(message.name)
  return [{ role: "assistant", content, ...name, ...(calls.length === 0 ? {} : { tool_calls: calls }) }]
}

const itemText = (item: ToolResultPart["content"][number]): string => {
  if (item.type === "text") return item.text
  if (item.type === "media") return mediaPlaceholder(item, "in the user message after the results")
  return `[a part of ${item.format} that cannot be sent here]`
}

const encodeResult = (result: ToolResultPart): OpenAiToolMessage => {
  const text = result.content.map(itemText).join("\n")
  return { role: "tool", tool_call_id: result.call, content: isBlank(text) ? "(no output)" : text }
}

const isResult = (part: ToolMessage["parts"][number]): part is ToolResultPart => part.type === "tool-result"

/** The media of results, for the user message that follows them: each call's after a line that names the call. */
const resultMedia = (message: ToolMessage): ReadonlyArray<OpenAiUserPart> =>
  message.parts.filter(isResult).flatMap((result) => {
    const media = result.content.filter((item): item is MediaPart => item.type === "media")
    if (media.length === 0) return []
    const title = `[from the result of the call ${result.call}]`
    return [{ type: "text" as const, text: title }, ...media.map(encodeMedia)]
  })

/** Replaces lone surrogates in each string of a wire value. */
const wellFormedDeep = <A>(value: A): A => {
  if (typeof value === "string") return wellFormed(value) as A
  if (Array.isArray(value)) return value.map(wellFormedDeep) as A
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, wellFormedDeep(item)])) as A
}

/**
 * Turns messages of a thread into Chat Completions messages, with the system prompt first.
 *
 * **Details**
 *
 * Reasoning is not sent: the official API has no field for it. Each result is one `tool` message, of text only;
 * its images follow in one user message after all results of that response. A result without text becomes
 * `(no output)`, a blank user message `(blank)`, and a response without text and calls is left out. An opaque part
 * goes back to its own format only; in a response it is not sent. Lone surrogates become U+FFFD. Otherwise texts, ids and arguments keep their bytes.
 *
 * **Gotchas**
 *
 * It repairs nothing: a thread with calls that have no results makes a request that `validateOpenAiChat` refuses.
 *
 * **Example** (A prompt)
 *
 * ```ts
 * import { toolResult, assistant, user } from "@palimpsest/core"
 * import { toOpenAiChat } from "@palimpsest/core/formats/openai-chat"
 *
 * const call = { id: "c1", name: "find", arguments: "{\"id\":7}" }
 * const thread = [user("Where is it?"), assistant("", [call]), toolResult("c1", "")]
 * const wire = toOpenAiChat(thread, { system: "Be brief." })
 * wire.map((message) => message.role) // => ["system", "user", "assistant", "tool"]
 * wire[3]?.content // => "(no output)"
 * ```
 *
 * @category codecs
 * @since 0.1.0
 */
export const toOpenAiChat = (
  messages: ReadonlyArray<Message>,
  options: { readonly system?: string } = {},
): ReadonlyArray<OpenAiMessage> => {
  const { system = "" } = options
  const wire: Array<OpenAiMessage> = system === "" ? [] : [{ role: "system", content: system }]
  let waiting: ReadonlyArray<OpenAiUserPart> = []
  const afterResults = (next: ReadonlyArray<OpenAiMessage>) => {
    if (next.length === 0) return
    if (waiting.length > 0) wire.push({ role: "user", content: waiting })
    waiting = []
    wire.push(...next)
  }
  for (const message of messages) {
    if (message.role === "user") afterResults([encodeUser(message)])
    else if (message.role === "assistant") afterResults(encodeAssistant(message))
    else {
      wire.push(...message.parts.filter(isResult).map(encodeResult))
      waiting = [...waiting, ...resultMedia(message)]
    }
  }
  if (waiting.length > 0) wire.push({ role: "user", content: waiting })
  return wellFormedDeep(wire)
}
