/**
 * From items of the Responses API to messages of a thread.
 *
 * A unit is what one side says: a message of a user, the items of one response, or a run of outputs. References to
 * calls name no call: which one they stand for is told by the outputs after them, so those belong to the unit.
 *
 * @since 0.1.0
 */
import type {
  AssistantMessage,
  Message,
  ReasoningPart,
  ToolCallPart,
  ToolMessage,
} from "../../thread/Message.ts"
import { writeExact } from "../format/ExactJson.ts"
import { isFields } from "../format/Fields.ts"
import { opaque } from "../format/Opaque.ts"
import { NAME, readPart } from "./Content.ts"
import { callIdOf, callTypeOf, isReasoning, outputIdOf, referenceKindOf, sideOf, typeOf } from "./Kinds.ts"
import { readOutput } from "./ReadOutput.ts"
import { partsOf, type ResponsesItem, type ResponsesPart, stringOf } from "./Wire.ts"

type Items = ReadonlyArray<ResponsesItem>

type Parts = AssistantMessage["parts"]

const endOf = (items: Items, at: number, side: "output" | "response"): number => {
  let end = at
  for (let item = items[end]; item !== undefined && sideOf(item) === side; item = items[end]) end += 1
  return end
}

/** Ids of calls that outputs answer and no item of a response makes: its references make them. */
const strayIds = (response: Items, outputs: Items): ReadonlyArray<string> => {
  const made = new Set(response.map(callIdOf))
  const ids = outputs.map(outputIdOf).filter((id) => id !== undefined && !made.has(id))
  return [...new Set(ids)].filter((id) => id !== undefined)
}

/** Number of items of the unit that starts at an index. */
export const spanOf = (items: Items, at: number): number => {
  const [first] = items.slice(at, at + 1)
  if (first === undefined || sideOf(first) === "user") return 1
  if (sideOf(first) === "output") return endOf(items, at, "output") - at
  const end = endOf(items, at, "response")
  const response = items.slice(at, end)
  if (!response.some((item) => referenceKindOf(item) !== undefined)) return end - at
  const after = endOf(items, end, "output")
  return (strayIds(response, items.slice(end, after)).length > 0 ? after : end) - at
}

const readUser = (item: ResponsesItem): Message => {
  const parts = partsOf(item.content, "input_text").map(readPart)
  return {
    role: "user",
    parts: parts.length === 0 ? [{ type: "text", text: "" }] : parts,
    ...(item.role === "user" ? {} : { synthetic: true }),
  }
}

const textsOf = (list: unknown): ReadonlyArray<string> =>
  Array.isArray(list)
    ? list.flatMap((part) => (isFields(part) && typeof part.text === "string" ? [part.text] : []))
    : []

const readReasoning = (item: ResponsesItem): ReasoningPart => {
  const summary = textsOf(item.summary)
  const text = (summary.length > 0 ? summary : textsOf(item.content)).join("\n\n")
  const signature = stringOf(item.encrypted_content)
  return {
    type: "reasoning",
    text,
    ...(signature === "" ? {} : { signature }),
    ...(text === "" ? { redacted: true } : {}),
    ...(typeof item.id === "string" ? { id: item.id } : {}),
  }
}

/** What stands before the texts of a message that is in a phase of the response. */
const headOf = ({ phase }: ResponsesItem): Parts =>
  typeof phase === "string" ? [opaque(NAME, { type: "message", phase })] : []

/** A part of a response that is no text is kept as a message of its own. */
const readSaid = (part: ResponsesPart): Parts[number] => {
  const read = readPart(part)
  return read.type === "text" ? read : opaque(NAME, { type: "message", role: "assistant", content: [part] })
}

const fieldsText = (item: ResponsesItem, id: string): string => {
  const { type: _, [id]: _id, ...fields } = item
  return writeExact(fields) ?? "{}"
}

const readCall = (item: ResponsesItem): ToolCallPart | null => {
  const [id, type] = [callIdOf(item), callTypeOf(item)]
  if (id === undefined || type === undefined) return null
  const { kind } = type
  const name = stringOf(item.name)
  if (kind === undefined) return { type: "tool-call", id, name, arguments: stringOf(item.arguments) }
  if (kind === "custom") return { type: "tool-call", id, name, arguments: stringOf(item.input), kind }
  return {
    type: "tool-call",
    id,
    name: kind === "mcp_approval" ? name : kind,
    arguments: fieldsText(item, type.callId),
    kind,
  }
}

const readReference = (item: ResponsesItem, id: string, kind: string): ToolCallPart => ({
  type: "tool-call",
  id,
  name: "item_reference",
  arguments: writeExact({ id: item.id }) ?? "{}",
  kind,
})

const isSigned = (item: ResponsesItem): boolean =>
  stringOf(item.encrypted_content) !== "" || (isReasoning(item) && typeof item.id === "string")

const readResponse = (items: Items, strays: ReadonlyArray<string>): AssistantMessage => {
  const waiting = [...strays]
  const read = (item: ResponsesItem): Parts => {
    if (typeOf(item) === "message")
      return [...headOf(item), ...partsOf(item.content, "output_text").map(readSaid)]
    if (isReasoning(item)) return [readReasoning(item)]
    const call = readCall(item)
    if (call !== null) return [call]
    const kind = referenceKindOf(item)
    const id = kind === undefined ? undefined : waiting.shift()
    return kind === undefined || id === undefined ? [opaque(NAME, item)] : [readReference(item, id, kind)]
  }
  return {
    role: "assistant",
    parts: items.flatMap(read),
    ...(items.some(isSigned) ? { format: NAME } : {}),
  }
}

const readOutputs = (items: Items): ReadonlyArray<ToolMessage> =>
  items.length === 0 ? [] : [{ role: "tool", parts: items.map(readOutput) }]

/** Reads the items of a unit. */
export const readUnit = (unit: Items): ReadonlyArray<Message> => {
  const [first] = unit
  if (first !== undefined && sideOf(first) === "user") return unit.map(readUser)
  const end = endOf(unit, 0, "response")
  const [response, outputs] = [unit.slice(0, end), unit.slice(end)]
  return [
    ...(response.length === 0 ? [] : [readResponse(response, strayIds(response, outputs))]),
    ...readOutputs(outputs),
  ]
}

/** The text of a system prompt: of `instructions`, or of a first message of the host. */
export const readSystem = (value: unknown): string | null => {
  if (typeof value === "string") return value
  if (!isSystemMessage(value)) return null
  const parts = partsOf(value.content, "input_text").map(readPart)
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
  return texts.length === parts.length ? texts.join("\n") : null
}

/** Whether an item is a message of the host. */
export const isSystemMessage = (value: unknown): value is ResponsesItem =>
  isFields(value) &&
  (value.role === "system" || value.role === "developer") &&
  (value.type === undefined || value.type === null || value.type === "message")
