/**
 * Sessions of Gemini CLI: one JSON document with its messages, or a log of them. In the log a message that is written
 * again replaces the first one, `$rewindTo` takes the session back to before a message, and `$set` with messages
 * replaces them all.
 */
import type { AssistantMessage, Message, ToolResultPart, UserMessage } from "@palimpsest/core"
import { writeExact } from "@palimpsest/core/formats"
import { Result, Schema } from "effect"
import { checkedBy } from "../Checked.ts"
import { fieldOf, has, isFields, listAt, textAt } from "../Fields.ts"
import { counted, cutNote, type Reader } from "../Reader.ts"
import type { Source } from "../Source.ts"
import { type Said, transcriptOf } from "../Transcript.ts"
import { geminiCliUsage } from "../Usage.ts"

type UserPart = UserMessage["parts"][number]

/** The messages that a log leaves in the end, and how many were taken back. */
const replay = (
  values: ReadonlyArray<unknown>,
): { readonly messages: ReadonlyArray<unknown>; readonly taken: number } => {
  let messages: ReadonlyArray<unknown> = []
  let taken = 0
  for (const value of values) {
    const target = textAt(value, "$rewindTo")
    const set = fieldOf(value, "$set", "messages")
    const at = messages.findIndex((message) => textAt(message, "id") === (target || textAt(value, "id")))
    if (target !== "") {
      const kept = messages.slice(0, Math.max(0, at))
      taken += messages.length - kept.length
      messages = kept
    } else if (Array.isArray(set)) messages = set
    else if (!has(value, "id", "type")) messages = [...messages, ...listAt(value, "messages")]
    else messages = at === -1 ? [...messages, value] : messages.with(at, value)
  }
  return { messages, taken }
}

/** A part of the provider: text, data, or what has no place in a message of a user. */
const partOf = (part: unknown): UserPart => {
  if (typeof part === "string") return { type: "text", text: part }
  if (has(part, "text")) return { type: "text", text: textAt(part, "text") }
  if (has(part, "inlineData"))
    return {
      type: "media",
      mediaType: textAt(part, "inlineData", "mimeType"),
      data: textAt(part, "inlineData", "data"),
    }
  return { type: "opaque", format: "gemini", json: writeExact(part) ?? "null" }
}

const partsOf = (content: unknown): ReadonlyArray<UserPart> =>
  Array.isArray(content) ? content.map(partOf) : content === undefined ? [] : [partOf(content)]

const text = (value: string): UserPart => ({ type: "text", text: value })

/** What the tool gave back: its output as text, the whole answer where it has another form. */
const outputOf = (part: unknown): UserPart => {
  const response = fieldOf(part, "functionResponse", "response")
  if (!isFields(response)) return partOf(part)
  const [key, ...more] = Object.keys(response)
  const isText = more.length === 0 && (key === "output" || key === "error")
  return text(isText ? textAt(response, key ?? "") : (writeExact(response) ?? ""))
}

const STATUS: { readonly [status: string]: ToolResultPart["status"] } = {
  success: "ok",
  error: "error",
  cancelled: "denied",
}

/** The result of a call; null while it waits for one. */
const resultOf = (call: unknown): ToolResultPart | null => {
  const result = fieldOf(call, "result")
  const status = STATUS[textAt(call, "status")]
  if (status === undefined || result === undefined || result === null) return null
  const content = Array.isArray(result) ? result.map(outputOf) : [outputOf(result)]
  return { type: "tool-result", call: textAt(call, "id"), name: textAt(call, "name"), status, content }
}

const thoughtsOf = (json: unknown): AssistantMessage["parts"] =>
  listAt(json, "thoughts").map((thought) => ({
    type: "reasoning",
    text: [textAt(thought, "subject"), textAt(thought, "description")]
      .filter((each) => each !== "")
      .join("\n"),
  }))

const readResponse = (json: unknown): ReadonlyArray<Message> => {
  const calls = listAt(json, "toolCalls")
  const model = textAt(json, "model")
  const parts: AssistantMessage["parts"] = [
    ...thoughtsOf(json),
    ...partsOf(fieldOf(json, "content")).filter((part) => part.type !== "text" || part.text !== ""),
    ...calls.map((call) => ({
      type: "tool-call" as const,
      id: textAt(call, "id"),
      name: textAt(call, "name"),
      arguments: writeExact(fieldOf(call, "args") ?? {}) ?? "{}",
    })),
  ]
  const results = calls.map(resultOf).filter((result) => result !== null)
  return [
    ...(parts.length === 0
      ? []
      : [{ role: "assistant" as const, parts, ...(model === "" ? {} : { model }) }]),
    ...(results.length === 0 ? [] : [{ role: "tool" as const, parts: results }]),
  ]
}

const saidBy = (json: unknown): ReadonlyArray<Said> => {
  const ids = [textAt(json, "id")]
  switch (textAt(json, "type")) {
    case "user":
      return [{ message: { role: "user", parts: partsOf(fieldOf(json, "content")) }, origin: { ids } }]
    case "gemini": {
      const usage = geminiCliUsage(json, "tokens")
      const model = textAt(json, "model")
      return readResponse(json).map((message) => {
        const cost = message.role === "assistant" && usage !== undefined ? { usage } : {}
        return { message, origin: { ids, ...cost, ...(model === "" ? {} : { model }) } }
      })
    }
    default:
      return []
  }
}

const Content = Schema.Union([
  Schema.String,
  Schema.Array(Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Unknown)])),
  Schema.Record(Schema.String, Schema.Unknown),
])

const checked = checkedBy(
  {
    user: Schema.Struct({ content: Content }),
    gemini: Schema.Struct({
      content: Schema.optionalKey(Content),
      toolCalls: Schema.optionalKey(
        Schema.Array(Schema.Struct({ id: Schema.String, name: Schema.String, args: Schema.Unknown })),
      ),
    }),
  },
  (value) => textAt(value, "type"),
)

const isSession = (value: unknown): boolean => has(value, "sessionId", "projectHash")

export const geminiCli: Reader = {
  format: "gemini-cli",
  fits: ({ entries }) => entries.some(({ value }) => isSession(value)),
  read: (source: Source) => {
    const { messages, taken } = replay(source.entries.map(({ value }) => value))
    const kinds = messages.map((message) => textAt(message, "type"))
    const others = kinds.filter((kind) => kind !== "user" && kind !== "gemini")
    const { entries, faults } = checked(messages.map((value, i) => ({ at: `messages[${i}]`, value })))
    const said = entries.flatMap(({ value }) => saidBy(value))
    const notes = [
      ...faults,
      ...(taken === 0 ? [] : [`${taken} messages that were taken back are left out`]),
      ...(others.length === 0 ? [] : [`beside the chat: ${counted(others)}`]),
      ...cutNote(source),
    ]
    return Result.succeed([
      transcriptOf("gemini-cli", source.name, said, { skipped: taken + faults.length, notes }),
    ])
  },
}
