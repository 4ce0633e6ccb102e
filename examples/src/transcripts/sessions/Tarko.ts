/** Event streams of Agent TARS: what a user says, what the model answers, and what its tools give back. */
import type { AssistantMessage, Message, UserMessage } from "@palimpsest/core"
import { writeExact } from "@palimpsest/core/formats"
import { Result, Schema } from "effect"
import { checkedBy } from "../Checked.ts"
import { fieldOf, isFields, listAt, numberAt, textAt } from "../Fields.ts"
import { counted, cutNote, malformed, type Reader } from "../Reader.ts"
import { type Said, transcriptOf } from "../Transcript.ts"

type UserPart = UserMessage["parts"][number]

/** A data URL taken apart, or an address. */
const mediaOf = (url: string): UserPart => {
  const [, mediaType = "image/*", data = url] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return { type: "media", mediaType, data }
}

const partsOf = (content: unknown): ReadonlyArray<UserPart> => {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  if (!Array.isArray(content)) return [{ type: "text", text: writeExact(content) ?? "" }]
  return content.map((part: unknown): UserPart => {
    if (textAt(part, "type") === "text") return { type: "text", text: textAt(part, "text") }
    const url = textAt(part, "image_url", "url")
    if (url !== "") return mediaOf(url)
    return isFields(part) && textAt(part, "type") === "image"
      ? { type: "media", mediaType: textAt(part, "mimeType") || "image/*", data: textAt(part, "data") }
      : { type: "text", text: writeExact(part) ?? "" }
  })
}

const textsOf = (content: unknown): ReadonlyArray<{ readonly type: "text"; readonly text: string }> =>
  partsOf(content).flatMap((part) => (part.type === "text" && part.text !== "" ? [part] : []))

const callsOf = (event: unknown): AssistantMessage["parts"] =>
  listAt(event, "toolCalls").map((call) => ({
    type: "tool-call",
    id: textAt(call, "id"),
    name: textAt(call, "function", "name"),
    arguments: textAt(call, "function", "arguments"),
  }))

const messageOf = (event: unknown): Message | null => {
  switch (textAt(event, "type")) {
    case "user_message": {
      const parts = partsOf(fieldOf(event, "content"))
      return parts.length === 0 ? null : { role: "user", parts }
    }
    case "environment_input": {
      const parts = partsOf(fieldOf(event, "content"))
      return parts.length === 0 ? null : { role: "user", synthetic: true, parts }
    }
    case "assistant_message": {
      const parts = [...textsOf(fieldOf(event, "content")), ...callsOf(event)]
      return parts.length === 0 ? null : { role: "assistant", parts }
    }
    case "tool_result": {
      const status = textAt(event, "error") === "" ? "ok" : "error"
      const content = partsOf(fieldOf(event, "content") ?? textAt(event, "error"))
      const result = {
        type: "tool-result",
        call: textAt(event, "toolCallId"),
        name: textAt(event, "name"),
      } as const
      return { role: "tool", parts: [{ ...result, status, content }] }
    }
    default:
      return null
  }
}

const Call = Schema.Struct({
  id: Schema.String,
  function: Schema.Struct({ name: Schema.String, arguments: Schema.String }),
})

const checked = checkedBy(
  {
    assistant_message: Schema.Struct({
      content: Schema.optionalKey(Schema.NullOr(Schema.String)),
      toolCalls: Schema.optionalKey(Schema.NullOr(Schema.Array(Call))),
    }),
    tool_result: Schema.Struct({ toolCallId: Schema.String, content: Schema.Unknown }),
  },
  (value) => textAt(value, "type"),
)

const TYPES = /^(user_message|assistant_message|agent_run_start)$/

export const tarko: Reader = {
  format: "tarko",
  fits: ({ entries }) =>
    entries.some(
      ({ value }) =>
        TYPES.test(textAt(value, "type")) &&
        textAt(value, "id") !== "" &&
        numberAt(value, "timestamp") !== undefined,
    ),
  read: (source) => {
    const beside: Array<string> = []
    const { entries, faults } = checked(source.entries)
    const said = entries.flatMap(({ value }): ReadonlyArray<Said> => {
      const message = messageOf(value)
      if (message === null) beside.push(textAt(value, "type") || "event without a type")
      return message === null ? [] : [{ message, origin: { ids: [textAt(value, "id")] } }]
    })
    if (said.length === 0)
      return Result.fail(
        malformed(
          source.name,
          "an event stream of Agent TARS",
          "nobody says anything in it",
          "Name another one.",
        ),
      )
    const notes = [
      ...faults,
      ...(beside.length === 0 ? [] : [`beside the chat: ${counted(beside)}`]),
      ...cutNote(source),
    ]
    return Result.succeed([transcriptOf("tarko", source.name, said, { skipped: faults.length, notes })])
  },
}
