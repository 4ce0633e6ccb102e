/**
 * From LangChain's messages to those of a thread.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolMessage,
} from "../../thread/Message.ts"
import type { FormatName } from "../format/Conversation.ts"
import { type Fields, isFields } from "../format/Fields.ts"
import { opaque } from "../format/Opaque.ts"
import { blockCall, type Call, callsIn, isCallBlock, SIGNATURES, textOfArguments } from "./Calls.ts"
import { mediaOf } from "./Media.ts"
import { type Block, blocksOf, fieldsIn, type LangChainMessage, listIn, textIn, viewOf } from "./Wire.ts"

const NAME = "langchain"

const text = (value: string): TextPart => ({ type: "text", text: value })

const contentOf = (block: Block): TextPart | MediaPart | OpaquePart => {
  if ((block.type === "text" || block.type === "text-plain") && typeof block.text === "string")
    return text(block.text)
  if (block.type === "refusal" && typeof block.refusal === "string") return text(block.refusal)
  return mediaOf(block) ?? opaque(NAME, block)
}

const nameOf = (fields: Fields): { readonly name?: string } =>
  typeof fields.name === "string" ? { name: fields.name } : {}

const readTool = (fields: Fields): ToolMessage => ({
  role: "tool",
  parts: [
    {
      type: "tool-result",
      call: textIn(fields, "tool_call_id"),
      ...nameOf(fields),
      status: fields.status === "error" ? "error" : "ok",
      content: blocksOf(fields).map(contentOf),
    },
  ],
})

const signed = (signature: unknown): { readonly signature?: string } =>
  typeof signature === "string" && signature !== "" ? { signature } : {}

/** The reasoning of a block; undefined for another block. */
const reasoningOf = (block: Block): ReasoningPart | undefined => {
  if (block.type === "thinking")
    return { type: "reasoning", text: textIn(block, "thinking"), ...signed(block.signature) }
  if (block.type === "redacted_thinking")
    return { type: "reasoning", text: "", signature: textIn(block, "data"), redacted: true }
  return block.type === "reasoning" && typeof block.reasoning === "string"
    ? { type: "reasoning", text: block.reasoning, ...signed(block.signature) }
    : undefined
}

/** Reasoning that stands beside the content: an item of OpenAI's Responses, or the text that other servers send. */
const reasoningBeside = (fields: Fields): ReadonlyArray<ReasoningPart> => {
  const kwargs = fieldsIn(fields, "additional_kwargs")
  const { reasoning, reasoning_content: said } = kwargs
  const plain = typeof said === "string" && said !== "" ? [{ type: "reasoning", text: said } as const] : []
  if (!isFields(reasoning)) return plain
  const summary = listIn(reasoning, "summary").filter(isFields)
  const id = textIn(reasoning, "id")
  return [
    {
      type: "reasoning",
      text: summary.map((each) => textIn(each, "text")).join("\n\n"),
      ...signed(reasoning.encrypted_content),
      ...(id === "" ? {} : { id }),
    },
    ...plain,
  ]
}

/** Blocks that only repeat, as they were streamed, what `tool_calls` says. */
const isEcho = ({ type }: Block): boolean => type === "input_json_delta" || type === "functionCall"

/** The arguments of a block that says them as a text: a response that was streamed and not put together. */
const streamed = (block: Block): string =>
  block.type === "tool_use" ? textIn(block, "input") : textIn(block, "args")

/** Calls by their id, the first of those with the same id last. */
const byId = (calls: ReadonlyArray<Call>): Map<string, Array<Call>> => {
  const found = new Map<string, Array<Call>>()
  for (const call of calls.toReversed()) found.set(call.id, [...(found.get(call.id) ?? []), call])
  return found
}

const readParts = (fields: Fields): AssistantMessage["parts"] => {
  const { listed, invalid, blocks, raw } = callsIn(fields)
  const isSilent = listed.length + invalid.length + blocks.length === 0
  const kwargs = fieldsIn(fields, "additional_kwargs")
  const signatures = fieldsIn(kwargs, SIGNATURES)
  const partOf = (call: Call): ToolCallPart => ({
    type: "tool-call",
    id: call.id,
    name: call.name,
    arguments: textOfArguments(call),
    ...signed(Object.hasOwn(signatures, call.id) ? signatures[call.id] : undefined),
  })
  const waiting = byId([...listed, ...invalid])
  const claimed = new Set<Call>()
  /** The call as `tool_calls` says it, each one once; the block itself where it says nothing of it. */
  const claim = (block: Block): ToolCallPart => {
    const own = blockCall(block)
    const found = waiting.get(own.id)?.pop()
    if (found !== undefined) claimed.add(found)
    return partOf(found ?? { ...own, args: own.args ?? { text: streamed(block) } })
  }
  const said = blocksOf(fields).flatMap((block): AssistantMessage["parts"] => {
    if (isCallBlock(block)) return [claim(block)]
    return isEcho(block) && !isSilent ? [] : [reasoningOf(block) ?? contentOf(block)]
  })
  const refusal = textIn(kwargs, "refusal")
  const others = isSilent ? raw : [...listed, ...invalid].filter((call) => !claimed.has(call))
  return [
    ...reasoningBeside(fields),
    ...said,
    ...(refusal === "" ? [] : [text(refusal)]),
    ...others.map(partOf),
  ]
}

/** The format of the provider that signed a response: as its metadata names it, else as the signatures look. */
const signerOf = (fields: Fields): FormatName => {
  const provider = textIn(fieldsIn(fields, "response_metadata"), "model_provider")
  if (provider.startsWith("google")) return "gemini"
  if (provider.startsWith("anthropic")) return "anthropic"
  const kwargs = fieldsIn(fields, "additional_kwargs")
  if (provider.startsWith("openai") || isFields(kwargs.reasoning)) return "openai-responses"
  return isFields(kwargs[SIGNATURES]) ? "gemini" : "anthropic"
}

const readAi = (fields: Fields): AssistantMessage => {
  const parts = readParts(fields)
  const isSigned = parts.some(
    (part) =>
      (part.type === "reasoning" && (part.signature !== undefined || part.id !== undefined)) ||
      (part.type === "tool-call" && part.signature !== undefined),
  )
  const metadata = fieldsIn(fields, "response_metadata")
  const model = textIn(metadata, "model_name") || textIn(metadata, "model")
  return {
    role: "assistant",
    parts,
    ...nameOf(fields),
    ...(model === "" ? {} : { model }),
    ...(isSigned ? { format: signerOf(fields) } : {}),
  }
}

/** A message of a role that a host chose: the user's and the model's own, all others put there by a program. */
const readGeneric = (fields: Fields): Message => {
  const role = textIn(fields, "role")
  if (["assistant", "ai", "model"].includes(role)) return readAi(fields)
  return readSaid(fields, role !== "user" && role !== "human")
}

const readSaid = (fields: Fields, isSynthetic: boolean): Message => ({
  role: "user",
  parts: blocksOf(fields).map(contentOf),
  ...nameOf(fields),
  ...(isSynthetic ? { synthetic: true } : {}),
})

/** Reads one message. */
export const readMessage = (message: LangChainMessage): ReadonlyArray<Message> => {
  const view = viewOf(message)
  switch (view?.kind) {
    case "human":
      return [readSaid(view.fields, false)]
    case "system":
    case "function":
      return [readSaid(view.fields, true)]
    case "ai":
      return [readAi(view.fields)]
    case "tool":
      return [readTool(view.fields)]
    case "generic":
      return [readGeneric(view.fields)]
    default:
      return []
  }
}
