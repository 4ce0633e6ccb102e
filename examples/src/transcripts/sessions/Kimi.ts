/**
 * Sessions of Kimi Code: JSON lines of what was done to the context. A step of the model is spread over events: its
 * parts, its calls, their results, and its end, which says what it cost.
 */
import type { AssistantMessage, Message, ToolResultPart } from "@palimpsest/core"
import { writeExact } from "@palimpsest/core/formats"
import { Result, Schema } from "effect"
import { checkedBy } from "../Checked.ts"
import { fieldOf, has, isFields, listAt, textAt } from "../Fields.ts"
import { counted, cutNote, malformed, type Reader } from "../Reader.ts"
import type { Source } from "../Source.ts"
import { type Said, transcriptOf, type Usage } from "../Transcript.ts"
import { kimiUsage } from "../Usage.ts"

type ResponsePart = AssistantMessage["parts"][number]

/** What has been read so far. */
interface Draft {
  readonly said: Array<Said>
  readonly beside: Array<string>
  /** Of the step that goes on. */
  parts: Array<ResponsePart>
  results: Array<ToolResultPart>
  usage: Usage | undefined
  model: string
  system: string | null
}

const text = (content: string) => ({ type: "text" as const, text: content })

const partOf = (part: unknown): ResponsePart => {
  switch (textAt(part, "type")) {
    case "text":
      return text(textAt(part, "text"))
    case "think": {
      const signature = textAt(part, "encrypted")
      return { type: "reasoning", text: textAt(part, "think"), ...(signature === "" ? {} : { signature }) }
    }
    default:
      return { type: "opaque", format: "kimi", json: writeExact(part) ?? "null" }
  }
}

const callOf = (event: unknown): ResponsePart => ({
  type: "tool-call",
  id: textAt(event, "toolCallId"),
  name: textAt(event, "name"),
  arguments: writeExact(fieldOf(event, "args") ?? {}) ?? "{}",
})

/** A result is a text, or parts of which the texts are read. */
const resultOf = (event: unknown): ToolResultPart => {
  const output = fieldOf(event, "result", "output")
  const parts = Array.isArray(output) ? output.map((part) => text(textAt(part, "text"))) : []
  return {
    type: "tool-result",
    call: textAt(event, "toolCallId"),
    status: fieldOf(event, "result", "isError") === true ? "error" : "ok",
    content: typeof output === "string" ? [text(output)] : parts,
  }
}

/** Ends the step that goes on: the response, then the results of its calls. */
const endStep = (draft: Draft): void => {
  const { parts, results, usage } = draft
  const model = draft.model === "" ? {} : { model: draft.model }
  if (parts.length > 0)
    draft.said.push({
      message: { role: "assistant", parts, ...model },
      origin: { ids: [], ...model, ...(usage === undefined ? {} : { usage }) },
    })
  if (results.length > 0) draft.said.push({ message: { role: "tool", parts: results }, origin: { ids: [] } })
  draft.parts = []
  draft.results = []
  draft.usage = undefined
}

const readStep = (event: unknown, draft: Draft): void => {
  switch (textAt(event, "type")) {
    case "step.begin":
      endStep(draft)
      return
    case "content.part":
      draft.parts.push(partOf(fieldOf(event, "part")))
      return
    case "tool.call":
      draft.parts.push(callOf(event))
      return
    case "tool.result":
      draft.results.push(resultOf(event))
      return
    case "step.end":
      draft.usage = kimiUsage(event, "usage")
      endStep(draft)
      return
    default:
      draft.beside.push(textAt(event, "type") || "event without a type")
  }
}

/** A message of a user, or of the program in the user's role. */
const readMessage = (message: unknown, draft: Draft): void => {
  endStep(draft)
  const parts = listAt(message, "content").flatMap((part) =>
    textAt(part, "type") === "text" ? [text(textAt(part, "text"))] : [],
  )
  if (textAt(message, "role") !== "user" || parts.length === 0) {
    draft.beside.push(`message of ${textAt(message, "role") || "nobody"}`)
    return
  }
  const origin = textAt(message, "origin", "kind")
  const isProgram = (origin !== "" && origin !== "user") || /^\s*<system-reminder>/.test(parts[0]?.text ?? "")
  const said: Message = { role: "user", parts, ...(isProgram ? { synthetic: true } : {}) }
  draft.said.push({ message: said, origin: { ids: [] } })
}

const readCompaction = (value: unknown, draft: Draft): void => {
  endStep(draft)
  const summary = textAt(value, "contextSummary") || textAt(value, "summary")
  if (summary === "") return
  const message: Message = { role: "user", synthetic: true, parts: [text(summary)] }
  draft.said.push({ message, origin: { ids: [], isBoundary: true } })
}

const readLine = (value: unknown, draft: Draft): void => {
  switch (textAt(value, "type")) {
    case "config.update":
      draft.system = draft.system ?? (textAt(value, "systemPrompt") || null)
      return
    case "llm.request":
      draft.model = textAt(value, "model") || draft.model
      return
    case MESSAGE:
      readMessage(fieldOf(value, "message"), draft)
      return
    case EVENT:
      readStep(fieldOf(value, "event"), draft)
      return
    case "context.apply_compaction":
      readCompaction(value, draft)
      return
    default:
      draft.beside.push(textAt(value, "type") || "line without a type")
  }
}

const MESSAGE = "context.append_message"
const EVENT = "context.append_loop_event"

const ofEvent = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ event: Schema.Struct(fields) })

const checked = checkedBy(
  {
    [MESSAGE]: Schema.Struct({
      message: Schema.Struct({ role: Schema.String, content: Schema.Array(Schema.Unknown) }),
    }),
    "content.part": ofEvent({ part: Schema.Struct({ type: Schema.String }) }),
    "tool.call": ofEvent({ toolCallId: Schema.String, name: Schema.String }),
    "tool.result": ofEvent({ toolCallId: Schema.String, result: Schema.Struct({ output: Schema.Unknown }) }),
  },
  (value) => (textAt(value, "type") === EVENT ? textAt(value, "event", "type") : textAt(value, "type")),
)

const read = (source: Source): ReturnType<Reader["read"]> => {
  const draft: Draft = {
    said: [],
    beside: [],
    parts: [],
    results: [],
    usage: undefined,
    model: "",
    system: null,
  }
  const { entries, faults } = checked(source.entries)
  for (const { value } of entries) readLine(value, draft)
  endStep(draft)
  if (draft.said.length === 0) {
    const why = "none of its lines is said by a user or a model"
    return Result.fail(malformed(source.name, "a Kimi Code session", why, "Name another session."))
  }
  const notes = [
    ...faults,
    ...(draft.beside.length === 0 ? [] : [`beside the chat: ${counted(draft.beside)}`]),
    ...cutNote(source),
  ]
  const { system } = draft
  return Result.succeed([
    transcriptOf("kimi", source.name, draft.said, { system, skipped: faults.length, notes }),
  ])
}

export const kimi: Reader = {
  format: "kimi",
  fits: ({ entries }) =>
    entries.some(({ value }) => /^context\.append_/.test(textAt(value, "type")) && isFields(value)) ||
    (textAt(entries[0]?.value, "type") === "metadata" && has(entries[0]?.value, "protocol_version")),
  read,
}
