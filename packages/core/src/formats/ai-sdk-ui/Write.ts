/**
 * From the messages of a thread to the AI SDK's UI messages: the steps of a turn become one message.
 *
 * @since 0.1.0
 */
import { canonicalJson, sha256 } from "../../thread/Id.ts"
import type { AssistantMessage, MediaPart, Message, ToolMessage, UserMessage } from "../../thread/Message.ts"
import { UI } from "../ai-sdk/FromUi.ts"
import { isSendable } from "../ai-sdk/Media.ts"
import { isBlank, type Note } from "../ai-sdk/Output.ts"
import { reasoningOptions } from "../ai-sdk/Signed.ts"
import { ownOf } from "../ai-sdk/WritePart.ts"
import type { Loss } from "../format/Conversation.ts"
import { mediaPlaceholder, opaquePlaceholder, urlOf } from "../format/Media.ts"
import { opaqueValue } from "../format/Opaque.ts"
import type { Written } from "../format/Units.ts"
import { withoutLoneReasoning } from "./Says.ts"
import { modelPartsIn, toUi } from "./ToUi.ts"
import type { UiMessage, UiPart } from "./Wire.ts"
import { type Answer, answersTo, writeTool } from "./WriteTool.ts"

/** Digits of a derived id: enough that two messages of a chat have the same by chance in no chat. */
const DIGITS = 16

/** The id of a message that has none: of its first content, and of how often that stood before. */
export const derivedId = (role: UiMessage["role"], content: unknown, nth: number): string =>
  `m${sha256(canonicalJson(["ui message", role, content, nth])).slice(0, DIGITS)}`

/** Writes the text of a system prompt. */
export const writeSystem = (text: string): UiMessage => ({
  id: derivedId("system", text, 0),
  role: "system",
  parts: [{ type: "text", text }],
})

const text = (value: string): UiPart => ({ type: "text", text: value })

const writeMedia = (media: MediaPart, note: Note): UiPart => {
  if (!isSendable(media)) {
    note("changed", media.mediaType, "it has no data that can be sent")
    return text(mediaPlaceholder(media, "cannot be sent here"))
  }
  const { mediaType, name, detail } = media
  return {
    type: "file",
    mediaType,
    ...(name === undefined ? {} : { filename: name }),
    url: urlOf(media),
    ...(detail === undefined ? {} : { providerMetadata: { openai: { imageDetail: detail } } }),
  }
}

const isPart = (value: unknown): value is UiPart =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const writeUser = ({ parts }: UserMessage, note: Note): ReadonlyArray<UiPart> => {
  const written = parts.flatMap((part): ReadonlyArray<UiPart> => {
    if (part.type === "text") return isBlank(part.text) ? [] : [text(part.text)]
    if (part.type === "media") return [writeMedia(part, note)]
    const own = opaqueValue(part, UI)
    if (isPart(own)) return [own]
    const isModel = ownOf(part) !== null
    note(isModel ? "dropped" : "changed", `a part of ${part.format}`, "only its own format can carry it")
    return isModel ? [] : [text(opaquePlaceholder(part))]
  })
  const isOfProgram =
    parts.length > 0 && parts.every((part) => part.type === "opaque" && ownOf(part) !== null)
  return written.length > 0 || isOfProgram ? written : [text("(blank)")]
}

const writePart = (
  part: AssistantMessage["parts"][number],
  message: AssistantMessage,
  answers: ReadonlyMap<string, Answer>,
  note: Note,
): ReadonlyArray<UiPart> => {
  switch (part.type) {
    case "text":
      return isBlank(part.text) ? [] : [text(part.text)]
    case "media":
      return [writeMedia(part, note)]
    case "tool-call":
      return [writeTool(part, message.format, answers.get(part.id) ?? {}, note)]
    case "reasoning": {
      const options = reasoningOptions(part, message.format)
      if (options === undefined) return isBlank(part.text) ? [] : [{ type: "reasoning", text: part.text }]
      if (options !== null) return [{ type: "reasoning", text: part.text, providerMetadata: options }]
      note("dropped", "reasoning", "no provider here is known to have signed it")
      return []
    }
    case "opaque": {
      const own = opaqueValue(part, UI)
      const model = ownOf(part)
      const ui = isPart(own) ? [own] : model === null ? null : toUi(model, modelPartsIn(message))
      if (ui === null) note("dropped", `a part of ${part.format}`, "only its own format can carry it")
      return ui ?? []
    }
  }
}

const START: UiPart = { type: "step-start" }

/** A response and the results after it, as a step; nothing where it would hold nothing. */
const writeStep = (
  message: AssistantMessage,
  after: ReadonlyArray<ToolMessage>,
  noteAt: (message: number, ...loss: Parameters<Note>) => void,
): ReadonlyArray<UiPart> => {
  const note: Note = (...loss) => noteAt(0, ...loss)
  const answers = answersTo(message, after, (at, ...loss) => noteAt(at + 1, ...loss))
  const written = message.parts.flatMap((part) => writePart(part, message, answers, note))
  const parts = withoutLoneReasoning(written)
  if (parts.length < written.length) note("dropped", "a response", "it holds reasoning only")
  return parts.length === 0 ? [] : [START, ...parts]
}

/** What a message of results says that comes after no response: a call and its result are one part. */
const noteStray = ({ parts }: ToolMessage, note: Note): void => {
  for (const part of parts)
    note("dropped", `a part for the call ${part.call}`, "no response stands before it")
}

/** The tool messages right after an index. */
const toolsAfter = (messages: ReadonlyArray<Message>, at: number): ReadonlyArray<ToolMessage> => {
  const after = messages.slice(at + 1)
  const end = after.findIndex(({ role }) => role !== "tool")
  return after.slice(0, end < 0 ? after.length : end).filter((message) => message.role === "tool")
}

/** Writes messages. */
export const writeMessages = (messages: ReadonlyArray<Message>): Written<UiMessage> => {
  const losses: Array<Loss> = []
  const wire: Array<{ id: string; role: UiMessage["role"]; parts: ReadonlyArray<UiPart> }> = []
  const seen = new Map<string, number>()
  const push = (
    { role, parts: said }: UserMessage | AssistantMessage,
    parts: ReadonlyArray<UiPart>,
  ): void => {
    const last = wire.at(-1)
    if (parts.length === 0) return
    if (role === "assistant" && last?.role === role) {
      last.parts = [...last.parts, ...parts]
      return
    }
    const first = derivedId(role, said, 0)
    const nth = seen.get(first) ?? 0
    seen.set(first, nth + 1)
    wire.push({ id: nth === 0 ? first : derivedId(role, said, nth), role, parts })
  }
  /** Whether a response stands before, with nothing but its results after it. */
  let isAnswering = false
  for (const [index, message] of messages.entries()) {
    const noteAt = (offset: number, ...[kind, what, why]: Parameters<Note>) => {
      losses.push({ kind, message: index + offset, what, why })
    }
    if (message.role !== "tool") isAnswering = message.role === "assistant"
    if (message.role === "tool") {
      if (!isAnswering) noteStray(message, (...loss) => noteAt(0, ...loss))
      continue
    }
    if (message.name !== undefined)
      noteAt(0, "dropped", "the name of a speaker", "the format has no place for it")
    push(
      message,
      message.role === "user"
        ? writeUser(message, (...loss) => noteAt(0, ...loss))
        : writeStep(message, toolsAfter(messages, index), noteAt),
    )
  }
  return { wire, losses }
}
