/**
 * From the messages of a thread to LangChain's, in the form in which LangChain stores them.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "../../thread/Message.ts"
import { argumentsObject } from "../format/Arguments.ts"
import type { Loss } from "../format/Conversation.ts"
import type { Fields } from "../format/Fields.ts"
import { base64Of, mediaPlaceholder, opaquePlaceholder } from "../format/Media.ts"
import { opaqueValue } from "../format/Opaque.ts"
import { noteRefusal } from "../format/Refusal.ts"
import type { Written } from "../format/Units.ts"
import { SIGNATURES } from "./Calls.ts"
import { mediaBlock, STANDARD } from "./Media.ts"
import { type Note, writeReasoning } from "./Reasoning.ts"
import type { Block, LangChainMessage } from "./Wire.ts"

const NAME = "langchain"

const isBlank = (text: string): boolean => text.trim() === ""

const text = (value: string): Block => ({ type: "text", text: value })

/** One text is a string; everything else a list. */
const asContent = (blocks: ReadonlyArray<Block>): string | ReadonlyArray<Block> => {
  const [first] = blocks
  if (first === undefined) return ""
  const isOne = blocks.length === 1 && first.type === "text" && Object.keys(first).length === 2
  return isOne && typeof first.text === "string" ? first.text : blocks
}

/** A message in its stored form, as `mapStoredMessagesToChatMessages` takes it. */
const stored = (type: string, data: Fields, kwargs: Fields, metadata: Fields): LangChainMessage => ({
  type,
  data: { ...data, additional_kwargs: kwargs, response_metadata: metadata },
})

/** What a user or a result says; blank texts are none. */
const writeContent = (
  parts: ReadonlyArray<TextPart | MediaPart | OpaquePart>,
  note: Note,
): ReadonlyArray<Block> =>
  parts.flatMap((part): ReadonlyArray<Block> => {
    if (part.type === "text") return isBlank(part.text) ? [] : [text(part.text)]
    if (part.type === "media") {
      if (base64Of(part.data) !== "") return [mediaBlock(part)]
      note("changed", part.mediaType, "it has no data")
      return [text(mediaPlaceholder(part, "no data"))]
    }
    const own = opaqueValue(part, NAME)
    if (own !== undefined) return [own]
    note("changed", `a part of ${part.format}`, "only its own format can carry it")
    return [text(opaquePlaceholder(part))]
  })

const standardIf = (parts: ReadonlyArray<{ readonly type: string }>): Fields =>
  parts.some(({ type }) => type === "media") ? STANDARD : {}

const writeUser = (message: Message & { readonly role: "user" }, note: Note): LangChainMessage => {
  const blocks = writeContent(message.parts, note)
  const named = message.name === undefined ? {} : { name: message.name }
  const content = blocks.length === 0 ? "(blank)" : asContent(blocks)
  return stored("human", { content, ...named }, {}, standardIf(message.parts))
}

/** Texts of a result are one: some integrations send a list of them as JSON. */
const asResult = (blocks: ReadonlyArray<Block>): string | ReadonlyArray<Block> => {
  const texts = blocks.flatMap((block) =>
    block.type === "text" && typeof block.text === "string" ? [block.text] : [],
  )
  if (blocks.length === 0) return "(no output)"
  return texts.length === blocks.length ? texts.join("\n") : blocks
}

const writeResult = (result: ToolResultPart, note: Note): LangChainMessage => {
  const blocks = writeContent(result.content, note)
  noteRefusal(result, note)
  const data = {
    content: asResult(blocks),
    tool_call_id: result.call,
    ...(result.name === undefined ? {} : { name: result.name }),
    ...(result.status === "ok" ? {} : { status: "error" }),
  }
  return stored("tool", data, {}, standardIf(result.content))
}

const writeResults = (message: ToolMessage, note: Note): ReadonlyArray<LangChainMessage> =>
  message.parts.flatMap((part) => {
    if (part.type === "tool-result") return [writeResult(part, note)]
    note("dropped", "an approval", "the format has no place for it")
    return []
  })

const writeCall = (call: ToolCallPart, note: Note): Fields => {
  const { value, isWrapped } = argumentsObject(call.arguments)
  if (isWrapped) note("changed", `the arguments of the call ${call.id}`, "they are no JSON object")
  return { name: call.name, args: value, id: call.id, type: "tool_call" }
}

type Said = Exclude<AssistantMessage["parts"][number], ToolCallPart>

const writeSaid = (part: Said, note: Note): ReadonlyArray<Block> => {
  switch (part.type) {
    case "reasoning":
      return []
    case "text":
      return isBlank(part.text) ? [] : [text(part.text)]
    case "media":
      note("changed", part.mediaType, "a response cannot carry media")
      return [text(mediaPlaceholder(part, "cannot be sent here"))]
    case "opaque": {
      const own = opaqueValue(part, NAME)
      if (own === undefined) note("dropped", `a part of ${part.format}`, "only its own format can carry it")
      return own === undefined ? [] : [own]
    }
  }
}

/** Signatures of calls, by id, as the integration of Gemini keeps them. */
const signaturesOf = (
  calls: ReadonlyArray<ToolCallPart>,
  format: AssistantMessage["format"],
  note: Note,
): Fields => {
  const signed = calls.filter(({ signature }) => signature !== undefined)
  if (format === "gemini" && signed.length > 0)
    return { [SIGNATURES]: Object.fromEntries(signed.map(({ id, signature }) => [id, signature])) }
  for (const { id } of signed) note("dropped", `the signature of the call ${id}`, "its provider is not known")
  return {}
}

const isCall = (part: AssistantMessage["parts"][number]): part is ToolCallPart => part.type === "tool-call"

const writeAssistant = (message: AssistantMessage, note: Note): ReadonlyArray<LangChainMessage> => {
  const calls = message.parts.filter(isCall)
  const firstCall = message.parts.findIndex(isCall)
  if (firstCall >= 0 && message.parts.slice(firstCall).some((part) => !isCall(part)))
    note("changed", "the order of a response", "calls come after everything else")
  const reasoning = writeReasoning(message, note)
  const content = message.parts.flatMap((part) =>
    isCall(part) ? [] : [...(reasoning.blocks.get(part) ?? []), ...writeSaid(part, note)],
  )
  if (calls.length === 0 && content.length === reasoning.blocks.size) {
    if (message.parts.some(({ type }) => type === "reasoning"))
      note("dropped", "a response", "it holds reasoning only")
    return []
  }
  const data = {
    content: asContent(content),
    ...(message.name === undefined ? {} : { name: message.name }),
    tool_calls: calls.map((call) => writeCall(call, note)),
    invalid_tool_calls: [],
  }
  const kwargs = { ...reasoning.kwargs, ...signaturesOf(calls, message.format, note) }
  const model = message.model === undefined ? {} : { model_name: message.model }
  return [stored("ai", data, kwargs, { ...reasoning.metadata, ...model })]
}

const writeOne = (message: Message, note: Note): ReadonlyArray<LangChainMessage> => {
  switch (message.role) {
    case "user":
      return [writeUser(message, note)]
    case "assistant":
      return writeAssistant(message, note)
    case "tool":
      return writeResults(message, note)
  }
}

/** Writes messages: each as one, a message of several results as one for each. */
export const writeMessages = (messages: ReadonlyArray<Message>): Written<LangChainMessage> => {
  const losses: Array<Loss> = []
  const wire = messages.flatMap((message, index) =>
    writeOne(message, (kind, what, why) => losses.push({ kind, message: index, what, why })),
  )
  return { wire, losses }
}
