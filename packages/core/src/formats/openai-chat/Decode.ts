/**
 * From Chat Completions messages to the messages of a thread.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  Message,
  OpaquePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "../../thread/Message.ts"
import { mediaPart } from "./Media.ts"
import {
  andThen,
  type Fields,
  isFields,
  mapRead,
  type Reading,
  read,
  readFields,
  readList,
  readText,
  unreadable,
} from "./Reading.ts"

/**
 * What `fromOpenAiChat` gives: the system prompt and the thread, or where the value is not of this format.
 *
 * @category models
 * @since 0.1.0
 */
export type OpenAiThread =
  | { readonly ok: true; readonly system: string | null; readonly messages: ReadonlyArray<Message> }
  | { readonly ok: false; readonly path: string; readonly reason: string }

type UserPart = UserMessage["parts"][number]

const textPart = (text: string): TextPart => ({ type: "text", text })

/** Keeps what this version does not know as JSON text. Values that JSON cannot hold are refused. */
const readOpaque = (json: unknown, path: string): Reading<OpaquePart> => {
  try {
    return read({ type: "opaque", format: "openai-chat", json: JSON.stringify(json) ?? "null" })
  } catch {
    return unreadable(path, "expected JSON, found a value that JSON cannot hold")
  }
}

const readPart = (json: unknown, path: string): Reading<UserPart> =>
  andThen(readFields(json, path), (part): Reading<UserPart> => {
    if (part.type === "text") return mapRead(readText(part.text, `${path}.text`), textPart)
    if (part.type === "refusal") return mapRead(readText(part.refusal, `${path}.refusal`), textPart)
    const media = mediaPart(part)
    return media === undefined ? readOpaque(part, path) : read(media)
  })

/** Content is null, a string or a list of parts; nothing said is no part. */
const readContent = (json: unknown, path: string): Reading<ReadonlyArray<UserPart>> => {
  if (json === null || json === undefined) return read([])
  return typeof json === "string" ? read(json === "" ? [] : [textPart(json)]) : readList(json, path, readPart)
}

const named = (message: Fields): { readonly name?: string } =>
  typeof message.name === "string" ? { name: message.name } : {}

const readUser = (message: Fields, path: string): Reading<UserMessage> =>
  mapRead(readContent(message.content, `${path}.content`), (parts) => ({
    role: "user",
    parts: parts.length === 0 ? [textPart("")] : parts,
    ...named(message),
  }))

const readCall = (json: unknown, path: string): Reading<ToolCallPart> =>
  andThen(readFields(json, path), (call) => {
    const key = call.type === "custom" ? "custom" : "function"
    const input = call.type === "custom" ? "input" : "arguments"
    return andThen(readText(call.id, `${path}.id`), (id) =>
      andThen(readFields(call[key], `${path}.${key}`), (tool) =>
        andThen(readText(tool.name, `${path}.${key}.name`), (name) =>
          mapRead(readText(tool[input], `${path}.${key}.${input}`), (text) => ({
            type: "tool-call",
            id,
            name,
            arguments: text,
          })),
        ),
      ),
    )
  })

const readCalls = (message: Fields, path: string): Reading<ReadonlyArray<ToolCallPart>> =>
  message.tool_calls === undefined || message.tool_calls === null
    ? read([])
    : readList(message.tool_calls, `${path}.tool_calls`, readCall)

/** A call of the time before calls had ids, kept as it came. */
const readLegacyCall = (message: Fields, path: string): Reading<ReadonlyArray<OpaquePart>> =>
  isFields(message.function_call)
    ? mapRead(readOpaque({ function_call: message.function_call }, `${path}.function_call`), (part) => [part])
    : read([])

/** Reasoning has no official field; these are what compatible servers use. */
const reasoningParts = (message: Fields): ReadonlyArray<ReasoningPart> => {
  const text = message.reasoning_content ?? message.reasoning
  return typeof text === "string" && text !== "" ? [{ type: "reasoning", text }] : []
}

const refusalParts = (message: Fields): ReadonlyArray<TextPart> =>
  typeof message.refusal === "string" && message.refusal !== "" ? [textPart(message.refusal)] : []

const readAssistant = (message: Fields, path: string): Reading<AssistantMessage> =>
  andThen(readContent(message.content, `${path}.content`), (content) =>
    andThen(readLegacyCall(message, path), (legacy) =>
      mapRead(readCalls(message, path), (calls) => ({
        role: "assistant",
        parts: [...reasoningParts(message), ...content, ...refusalParts(message), ...legacy, ...calls],
        ...named(message),
      })),
    ),
  )

const readTool = (message: Fields, path: string): Reading<ToolMessage> =>
  andThen(readText(message.tool_call_id, `${path}.tool_call_id`), (call) =>
    mapRead(readContent(message.content, `${path}.content`), (parts) => ({
      role: "tool",
      parts: [
        {
          type: "tool-result",
          call,
          ...named(message),
          status: "ok",
          content: parts.map((part) => (part.type === "opaque" ? textPart(part.json) : part)),
        },
      ],
    })),
  )

const isInstruction = (json: unknown): json is Fields =>
  isFields(json) && (json.role === "system" || json.role === "developer")

const readMessage = (json: unknown, path: string): Reading<Message> =>
  andThen(readFields(json, path), (message): Reading<Message> => {
    switch (message.role) {
      case "user":
        return readUser(message, path)
      case "assistant":
        return readAssistant(message, path)
      case "tool":
        return readTool(message, path)
      case "system":
      case "developer":
      case "function":
        return mapRead(readUser(message, path), (user) => ({ ...user, synthetic: true }))
      default:
        return unreadable(
          `${path}.role`,
          `expected system, developer, user, assistant or tool, found ${JSON.stringify(message.role)}`,
        )
    }
  })

/** The texts of the first message, when it is an instruction. */
const readSystem = (json: unknown): Reading<string | null> =>
  isInstruction(json)
    ? andThen(readContent(json.content, "[0].content"), (parts) => {
        const odd = parts.findIndex((part) => part.type !== "text")
        return odd === -1
          ? read(parts.map((part) => (part.type === "text" ? part.text : "")).join("\n"))
          : unreadable(`[0].content[${odd}]`, "expected a text part in the system prompt")
      })
    : read(null)

/**
 * Reads a list of Chat Completions messages: what came from a file or another program, unchecked.
 *
 * **Details**
 *
 * A first `system` or `developer` message is the system prompt; later ones become synthetic user messages. Refusals
 * are read as text, custom tool calls as calls, `reasoning_content` as reasoning; parts that are not known here
 * and calls of the old `function_call` form are kept as opaque JSON, and the results of those calls become synthetic
 * user messages, since they have no ids. Arguments keep their bytes.
 *
 * **Gotchas**
 *
 * The format has no field for the outcome of a call: each result is read as `ok`.
 *
 * **Example** (Where a value is wrong)
 *
 * ```ts
 * import { fromOpenAiChat } from "@palimpsest/core/formats/openai-chat"
 *
 * const read = fromOpenAiChat([{ role: "system", content: "Be brief." }, { role: "user", content: 7 }])
 * read.ok ? "" : `${read.path}: ${read.reason}` // => "[1].content: expected a list, found a number"
 * ```
 *
 * @category codecs
 * @since 0.1.0
 */
export const fromOpenAiChat = (json: unknown): OpenAiThread => {
  const reading = andThen(readList(json, "", read), (list) =>
    andThen(readSystem(list[0]), (system) =>
      mapRead(
        readList(list, "", (item, path) =>
          path === "[0]" && system !== null ? read(null) : readMessage(item, path),
        ),
        (messages) => ({ system, messages: messages.filter((message) => message !== null) }),
      ),
    ),
  )
  return reading.ok ? { ok: true, ...reading.value } : reading
}
