/** A line of a Claude Code session: what it is, and what it says. */
import type { Message } from "@palimpsest/core"
import { messagesIn } from "@palimpsest/core/formats"
import { anthropic } from "@palimpsest/core/formats/anthropic"
import { fieldOf, has, isFields, listAt, textAt } from "../Fields.ts"
import type { Entry } from "../Source.ts"
import type { Node } from "../Tree.ts"

/** A line of the session's tree. Lines of programs (progress, hooks, durations) stand in it between messages. */
export interface Line {
  readonly at: string
  readonly type: string
  readonly json: unknown
  readonly isSide: boolean
}

export type LineNode = Node<Line>

/** The node of a line; null for a line that stands beside the tree: snapshots, titles, queues. */
export const nodeOf = ({ at, value }: Entry): LineNode | null => {
  const id = textAt(value, "uuid")
  if (id === "") return null
  const parent = textAt(value, "parentUuid") || textAt(value, "logicalParentUuid")
  return {
    id,
    parent: parent === "" ? null : parent,
    time: textAt(value, "timestamp"),
    value: {
      at,
      type: textAt(value, "type"),
      json: value,
      isSide: fieldOf(value, "isSidechain") === true,
    },
  }
}

export const isSpoken = ({ value }: LineNode): boolean =>
  (value.type === "user" || value.type === "assistant") && has(value.json, "message")

/** Errors of the connection, and answers that no model gave, are kept by the program as if the model had spoken. */
export const isModelLess = ({ json }: Line): boolean =>
  fieldOf(json, "isApiErrorMessage") === true || textAt(json, "message", "model") === "<synthetic>"

/** The id of the response that a line is a piece of; the line's own where there is none. */
export const responseOf = ({ id, value }: LineNode): string => textAt(value.json, "message", "id") || id

export const isCompaction = ({ value }: LineNode): boolean =>
  value.type === "system" && textAt(value.json, "subtype") === "compact_boundary"

/** Ids of the calls that a line answers. */
export const answersOf = ({ value }: LineNode): ReadonlyArray<string> =>
  listAt(value.json, "message", "content").flatMap((block) =>
    textAt(block, "type") === "tool_result" ? [textAt(block, "tool_use_id")] : [],
  )

export const callsOf = ({ value }: LineNode): ReadonlyArray<string> =>
  listAt(value.json, "message", "content").flatMap((block) =>
    textAt(block, "type") === "tool_use" ? [textAt(block, "id")] : [],
  )

/** Texts that the program writes in the user's name. */
const PROGRAM_TEXT =
  /^\s*(\[Request interrupted by user|<(system-reminder|local-command-(stdout|stderr|caveat)|bash-(stdout|stderr)|task-notification|user-prompt-submit-hook)>)/

const isProgramText = (message: Message): boolean => {
  const [first] = message.parts
  return first?.type === "text" && PROGRAM_TEXT.test(first.text)
}

/** The messages of blocks of one role; a reason where they are not of the form. */
const messagesOf = (role: string, content: unknown): ReadonlyArray<Message> | string => {
  const decoded = anthropic.decode([{ role, content }])
  return decoded.ok ? messagesIn(decoded.conversation) : `${decoded.path}: ${decoded.reason}`
}

/** What a line of a user says: results of calls, words of the user, words of the program. */
export const readUser = ({ value: { json } }: LineNode): ReadonlyArray<Message> | string => {
  const read = messagesOf("user", fieldOf(json, "message", "content"))
  if (typeof read === "string") return read
  const isProgram = fieldOf(json, "isMeta") === true || fieldOf(json, "isCompactSummary") === true
  return read.map((message) =>
    message.role === "user" && (isProgram || isProgramText(message))
      ? { ...message, synthetic: true }
      : message,
  )
}

const blocksOf = (content: unknown): ReadonlyArray<unknown> =>
  typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : []

/** The response that is spread over lines. */
export const readResponse = (lines: ReadonlyArray<LineNode>): Message | string => {
  const content = lines.flatMap(({ value }) => blocksOf(fieldOf(value.json, "message", "content")))
  const read = messagesOf("assistant", content)
  if (typeof read === "string") return read
  const [message] = read
  const model = textAt(lines[0]?.value.json, "message", "model")
  if (message?.role !== "assistant") return "content: it is empty"
  return model === "" ? message : { ...message, model }
}

/** Whether a value is a line of such a session. */
export const isLine = (value: unknown): boolean =>
  isFields(value) &&
  has(value, "uuid", "parentUuid", "type") &&
  (has(value, "sessionId") || has(value, "message"))
