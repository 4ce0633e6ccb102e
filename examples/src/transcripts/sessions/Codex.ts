/**
 * Rollouts of Codex: JSON lines, each an event or an item of the Responses API.
 *
 * The chat is the items; events repeat them for the screen, but for what a response cost, which follows it. After a
 * compaction the program sent its summary and what follows; the history before stays here. The first rollouts had the
 * items bare.
 */
import { type Message, textOf } from "@palimpsest/core"
import { messagesIn } from "@palimpsest/core/formats"
import { openAiResponses } from "@palimpsest/core/formats/openai-responses"
import { Result } from "effect"
import { fieldOf, has, isFields, textAt } from "../Fields.ts"
import { counted, cutNote, malformed, type Reader } from "../Reader.ts"
import type { Entry, Source } from "../Source.ts"
import { type Said, transcriptOf } from "../Transcript.ts"
import { responsesUsage } from "../Usage.ts"

/** Types of lines; a rollout begins with the first. */
const LINES = /^(session_meta|response_item|event_msg|turn_context|compacted)$/

const isLine = (value: unknown): boolean => LINES.test(textAt(value, "type")) && has(value, "payload")

/** The first rollouts begin with a line that has no type. */
const isBareStart = (value: unknown): boolean =>
  has(value, "id", "timestamp", "instructions") && !has(value, "type") && !has(value, "messages")

/** The item of a line; undefined when it holds none that the model saw. */
const itemOf = (value: unknown, isBare: boolean): unknown => {
  const item = isBare
    ? value
    : textAt(value, "type") === "response_item"
      ? fieldOf(value, "payload")
      : undefined
  const type = textAt(item, "type")
  return type === "" || type === "ghost_snapshot" || type === "state" ? undefined : item
}

/** What the program says in the user's name. */
const PROGRAM_TEXT =
  /^\s*(<(environment_context|user_instructions|turn_aborted|permissions instructions|user_shell_command|skill|INSTRUCTIONS)\b|# AGENTS\.md instructions)/

const asProgram = (message: Message): Message =>
  message.role === "user" && PROGRAM_TEXT.test(textOf(message.parts))
    ? { ...message, synthetic: true }
    : message

const isOfModel = (item: unknown): boolean => {
  const type = textAt(item, "type")
  return type === "message" ? textAt(item, "role") === "assistant" : !type.endsWith("_output")
}

/** What has been read so far. */
interface Draft {
  readonly said: Array<Said>
  readonly faults: Array<string>
  readonly beside: Array<string>
  /** Items of the response that goes on. */
  response: Array<unknown>
  model: string
  boundary: boolean
}

const say = (items: ReadonlyArray<unknown>, draft: Draft): void => {
  const decoded = openAiResponses.decode(items)
  if (!decoded.ok) return
  const { system } = decoded.conversation
  const host: ReadonlyArray<Message> =
    system === null ? [] : [{ role: "user", synthetic: true, parts: [{ type: "text", text: system }] }]
  for (const message of [...host, ...messagesIn(decoded.conversation)]) {
    const model = message.role === "assistant" && draft.model !== "" ? { model: draft.model } : {}
    const isBoundary = draft.boundary ? { isBoundary: true as const } : {}
    draft.said.push({
      message: { ...asProgram(message), ...model },
      origin: { ids: [], ...model, ...isBoundary },
    })
    draft.boundary = false
  }
}

const endResponse = (draft: Draft): void => {
  if (draft.response.length > 0) say(draft.response, draft)
  draft.response = []
}

/** Reads an item; one that is not as the format says is left out, and said. */
const readItem = (item: unknown, at: string, draft: Draft): void => {
  const decoded = openAiResponses.decode([item])
  if (!decoded.ok) {
    draft.faults.push(`${at} is left out: ${decoded.path}: ${decoded.reason}`)
    return
  }
  if (isOfModel(item)) draft.response.push(item)
  else {
    endResponse(draft)
    say([item], draft)
  }
}

/** Puts what a response cost on the newest one, unless it is known already. */
const readUsage = (value: unknown, draft: Draft): void => {
  const usage = responsesUsage(value, "payload", "info", "last_token_usage")
  const at = draft.said.findLastIndex(({ message }) => message.role === "assistant")
  const newest = draft.said[at]
  if (usage === undefined || newest === undefined || newest.origin.usage !== undefined) return
  draft.said[at] = { ...newest, origin: { ...newest.origin, usage } }
}

const readCompaction = (value: unknown, draft: Draft): void => {
  endResponse(draft)
  draft.boundary = true
  const text = textAt(value, "payload", "message")
  if (text === "") return
  say([{ role: "user", content: text }], draft)
  const last = draft.said.pop()
  if (last?.message.role === "user")
    draft.said.push({ ...last, message: { ...last.message, synthetic: true } })
}

const readLine = ({ at, value }: Entry, isBare: boolean, draft: Draft): void => {
  const item = itemOf(value, isBare)
  if (item !== undefined) {
    readItem(item, at, draft)
    return
  }
  const type = textAt(value, "type")
  const kind = textAt(value, "payload", "type")
  draft.model = (type === "turn_context" && textAt(value, "payload", "model")) || draft.model
  if (type === "compacted") readCompaction(value, draft)
  else if (kind === "token_count") {
    endResponse(draft)
    readUsage(value, draft)
  } else draft.beside.push(kind || type || "line without a type")
}

/** The program's own instructions, where the rollout holds them. */
const systemOf = (first: unknown): string | null =>
  textAt(first, "payload", "base_instructions", "text") ||
  textAt(first, "payload", "instructions") ||
  textAt(first, "instructions") ||
  null

const read = (source: Source): ReturnType<Reader["read"]> => {
  const [first, ...others] = source.entries
  const isBare = isBareStart(first?.value)
  const entries = isBare ? others : source.entries
  const draft: Draft = { said: [], faults: [], beside: [], response: [], model: "", boundary: false }
  for (const entry of entries) readLine(entry, isBare, draft)
  endResponse(draft)
  if (draft.said.length === 0) {
    const why = "none of its lines is said by a user or a model"
    return Result.fail(malformed(source.name, "a Codex rollout", why, "Name another rollout."))
  }
  const notes = [
    ...draft.faults,
    ...(draft.beside.length === 0 ? [] : [`beside the chat: ${counted(draft.beside)}`]),
    ...cutNote(source),
  ]
  const system = systemOf(first?.value)
  return Result.succeed([
    transcriptOf("codex", source.name, draft.said, { system, skipped: draft.faults.length, notes }),
  ])
}

export const codex: Reader = {
  format: "codex",
  fits: ({ entries }) =>
    entries.some(({ value }) => isLine(value)) ||
    (entries.length > 1 && isFields(entries[0]?.value) && isBareStart(entries[0]?.value)),
  read,
}
