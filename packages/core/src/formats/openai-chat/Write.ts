/**
 * From the messages of a thread to Chat Completions.
 *
 * @since 0.1.0
 */
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
import type { Loss } from "../format/Conversation.ts"
import { readExact } from "../format/ExactJson.ts"
import { isFields } from "../format/Fields.ts"
import { mediaPlaceholder, opaquePlaceholder } from "../format/Media.ts"
import { opaqueValue } from "../format/Opaque.ts"
import type { Written } from "../format/Units.ts"
import type { Dialect } from "./Dialect.ts"
import { writeMedia } from "./Media.ts"
import {
  isBlank,
  isText,
  legalName,
  type OpenAiAssistantMessage,
  type OpenAiContent,
  type OpenAiMessage,
  type OpenAiPart,
  type OpenAiToolCall,
  type OpenAiToolMessage,
  OTHER_KIND,
  WHOLE_FIELDS,
} from "./Wire.ts"

const NAME = "openai-chat"

/** What stands where a user said nothing. */
export const BLANK = "(blank)"

/** What stands where a tool said nothing. */
export const NO_OUTPUT = "(no output)"

/** Collects what cannot be said, for one message. */
type Note = (kind: Loss["kind"], what: string, why: string) => void

const textPart = (text: string): OpenAiPart => ({ type: "text", text })

const writeName = (name: string | undefined, note: Note): { readonly name?: string } => {
  const legal = legalName(name ?? "")
  if (name !== undefined && legal !== name)
    note("changed", "the name of a speaker", "its letters are not allowed")
  return legal === "" ? {} : { name: legal }
}

const ownPart = (part: OpaquePart): OpenAiPart | null => {
  const own = opaqueValue(part, NAME)
  return typeof own?.type === "string" ? { ...own, type: own.type } : null
}

const writeUserPart = (part: UserMessage["parts"][number], note: Note): OpenAiPart => {
  if (part.type === "text") return textPart(part.text)
  if (part.type === "media") return writeMedia(part, note)
  const own = ownPart(part)
  if (own !== null) return own
  note("changed", `a part of ${part.format}`, "only its own format can carry it")
  return textPart(opaquePlaceholder(part))
}

/** Content in its plain form: one text is a string, everything else a list. */
const asContent = (parts: ReadonlyArray<OpenAiPart>): OpenAiContent => {
  const [first] = parts
  const isOne = parts.length === 1 && first !== undefined && isText(first) && Object.keys(first).length === 2
  return isOne ? first.text : parts
}

const writeUser = (message: UserMessage, note: Note): OpenAiMessage => {
  const parts = message.parts
    .map((part) => writeUserPart(part, note))
    .filter((part) => !isText(part) || !isBlank(part.text))
  const name = writeName(message.name, note)
  return { role: "user", content: parts.length === 0 ? BLANK : asContent(parts), ...name }
}

/** A call of a kind that only this format has: its fields are its arguments. */
const writeOther = ({ id, kind, arguments: text }: ToolCallPart): OpenAiToolCall | null => {
  const fields = kind?.startsWith(OTHER_KIND) === true ? readExact(text) : undefined
  return isFields(fields) ? { id, type: kind?.slice(OTHER_KIND.length) ?? "", ...fields } : null
}

const writeCall = (call: ToolCallPart, note: Note): OpenAiToolCall => {
  const { id, kind } = call
  const name = legalName(call.name) || "tool"
  if (name !== call.name) note("changed", `the name of the tool ${call.name}`, "its letters are not allowed")
  if (call.signature !== undefined)
    note("dropped", `the signature of the call ${id}`, "the format has no place for it")
  if (kind === "custom") return { id, type: "custom", custom: { name, input: call.arguments } }
  const other = writeOther(call)
  if (other === null && kind !== undefined)
    note("changed", `the call ${id}`, `the format has no calls of the kind ${kind}`)
  return other ?? { id, type: "function", function: { name, arguments: call.arguments } }
}

/** Fields of a response that came whole: `audio`, `function_call`, `reasoning_details`. */
const writeFields = (parts: AssistantMessage["parts"], dialect: Dialect, note: Note): object => {
  const kept: Record<string, unknown> = {}
  for (const part of parts) {
    if (part.type !== "opaque" || ownPart(part) !== null) continue
    const own = opaqueValue(part, NAME)
    const field = WHOLE_FIELDS.find((name) => own !== undefined && name in own)
    const isTaken = field === "reasoning_details" ? dialect.reasoning !== "refused" : dialect.isRich
    if (field !== undefined && isTaken) kept[field] = own?.[field]
    else note("dropped", `a part of ${part.format}`, "only its own format can carry it")
  }
  return kept
}

const writeReasoning = (parts: AssistantMessage["parts"], dialect: Dialect, note: Note): object => {
  const all = parts.filter((part) => part.type === "reasoning")
  const plain = all.filter(({ signature }) => signature === undefined)
  if (all.length > 0 && (dialect.reasoning !== "wanted" || plain.length < all.length))
    note("dropped", "reasoning", "the format has no place for it")
  const text = plain.map((part) => part.text).join("\n")
  return dialect.reasoning !== "wanted" || text === "" ? {} : { reasoning_content: text }
}

/** What a response says: one text, or a list where parts of the format's own stand in it. */
const saidIn = (parts: AssistantMessage["parts"], note: Note): OpenAiContent => {
  const said = parts.flatMap((part): ReadonlyArray<OpenAiPart> => {
    if (part.type === "text") return [textPart(part.text)]
    if (part.type === "opaque") return [ownPart(part) ?? []].flat()
    if (part.type !== "media") return []
    note("changed", part.mediaType, "a response cannot carry media")
    return [textPart(mediaPlaceholder(part, "not shown"))]
  })
  const kept = said.filter((part) => !isText(part) || !isBlank(part.text))
  return kept.every(isText) ? kept.map(({ text }) => text).join("\n") : kept
}

const writeAssistant = (
  message: AssistantMessage,
  dialect: Dialect,
  note: Note,
): ReadonlyArray<OpenAiAssistantMessage> => {
  const { parts } = message
  const reasoning = writeReasoning(parts, dialect, note)
  const fields = writeFields(parts, dialect, note)
  const said = saidIn(parts, note)
  const calls = parts.filter((part) => part.type === "tool-call").map((call) => writeCall(call, note))
  const isSomething = said !== "" || calls.length > 0 || "audio" in fields || "function_call" in fields
  if (!isSomething) return []
  const nothing = dialect.name === "strict" ? "" : null
  return [
    {
      role: "assistant",
      content: said === "" ? nothing : said,
      ...writeName(message.name, note),
      ...reasoning,
      ...fields,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ]
}

const itemText = (item: ToolResultPart["content"][number]): string => {
  if (item.type === "text") return item.text
  return item.type === "media"
    ? mediaPlaceholder(item, "in the user message after the results")
    : opaquePlaceholder(item)
}

const writeResult = (result: ToolResultPart, note: Note): OpenAiToolMessage => {
  const text = result.content.map(itemText).join("\n")
  if (result.status !== "ok")
    note("dropped", `how the call ${result.call} ended`, "the format has no place for it")
  for (const item of result.content)
    if (item.type === "opaque") note("changed", `a part of ${item.format}`, "a result is text only")
  return { role: "tool", tool_call_id: result.call, content: isBlank(text) ? NO_OUTPUT : text }
}

const TITLE = "[from the result of the call "

/** Whether a text is the line over the media of a result. */
export const isMediaTitle = (text: string): boolean => text.startsWith(TITLE)

/** The line over the media of a result, in the user message that carries them. */
export const mediaTitle = (call: string): OpenAiPart => textPart(`${TITLE}${call}]`)

/** The media of results, for the user message that follows them: each call's after a line that names the call. */
const resultMedia = (message: ToolMessage, note: Note): ReadonlyArray<OpenAiPart> =>
  message.parts.flatMap((result) => {
    if (result.type !== "tool-result") return []
    const media = result.content.filter((item): item is MediaPart => item.type === "media")
    if (media.length === 0) return []
    return [mediaTitle(result.call), ...media.map((one) => writeMedia(one, note))]
  })

const writeResults = (message: ToolMessage, note: Note): ReadonlyArray<OpenAiToolMessage> =>
  message.parts.flatMap((part) => {
    if (part.type === "tool-result") return [writeResult(part, note)]
    note("dropped", "an approval", "the format has no place for it")
    return []
  })

/** Makes the writer of a dialect. Media of results follow in one user message after all results of a response. */
export const writeMessages =
  (dialect: Dialect) =>
  (messages: ReadonlyArray<Message>): Written<OpenAiMessage> => {
    const losses: Array<Loss> = []
    const wire: Array<OpenAiMessage> = []
    let waiting: ReadonlyArray<OpenAiPart> = []
    const handOver = () => {
      if (waiting.length > 0) wire.push({ role: "user", content: waiting })
      waiting = []
    }
    for (const [index, message] of messages.entries()) {
      const note: Note = (kind, what, why) => losses.push({ kind, message: index, what, why })
      if (message.role === "tool") {
        wire.push(...writeResults(message, note))
        waiting = [...waiting, ...resultMedia(message, note)]
        continue
      }
      const next =
        message.role === "user" ? [writeUser(message, note)] : writeAssistant(message, dialect, note)
      if (next.length === 0) continue
      handOver()
      wire.push(...next)
    }
    handOver()
    return { wire, losses }
  }
