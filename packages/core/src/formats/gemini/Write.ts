/**
 * From the messages of a thread to Gemini's contents.
 *
 * @since 0.1.0
 */
import type { AssistantMessage, Message, ToolMessage, UserMessage } from "../../thread/Message.ts"
import type { Loss } from "../format/Conversation.ts"
import type { WriteContext, Written } from "../format/Units.ts"
import { inOrder } from "./Pair.ts"
import type { Dialect, GeminiContent, GeminiPart } from "./Wire.ts"
import { type Note, writeContent, writeModelPart, writeResult } from "./WritePart.ts"

interface Turn {
  readonly role: "user" | "model"
  readonly from: Message["role"]
  /** Results come before all else in their content. */
  readonly responses: ReadonlyArray<GeminiPart>
  readonly parts: ReadonlyArray<GeminiPart>
}

const writeModel = (message: AssistantMessage, dialect: Dialect, note: Note): Turn => {
  const first = message.parts.find((part) => part.type === "tool-call")
  const parts = message.parts.flatMap((part) =>
    writeModelPart(part, { dialect, note, format: message.format, isFirstCall: part === first }),
  )
  return { role: "model", from: "assistant", responses: [], parts }
}

const writeResults = (
  message: ToolMessage,
  nameOf: (call: string) => string | undefined,
  dialect: Dialect,
  note: Note,
): Turn => {
  const written = message.parts.flatMap((part) => {
    if (part.type === "tool-result") return [writeResult(part, { dialect, note, nameOf })]
    note("dropped", "an approval", "the format has no place for it")
    return []
  })
  return {
    role: "user",
    from: "tool",
    responses: written.map(({ response }) => response),
    parts: written.flatMap(({ beside }) => beside),
  }
}

/** Names of the calls of the newest response: an id may stand for another call in an older one. */
const namesIn = (message: AssistantMessage): ReadonlyMap<string, string> =>
  new Map(message.parts.flatMap((part) => (part.type === "tool-call" ? [[part.id, part.name] as const] : [])))

const writeUser = ({ parts }: UserMessage, note: Note): Turn => {
  const said = writeContent(parts, note)
  return {
    role: "user",
    from: "user",
    responses: [],
    parts: said.length === 0 ? [{ text: "(blank)" }] : said,
  }
}

const writeTurns = (
  messages: ReadonlyArray<Message>,
  { toolOf }: WriteContext,
  dialect: Dialect,
  losses: Array<Loss>,
): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  let names: ReadonlyMap<string, string> = new Map()
  for (const [index, message] of messages.entries()) {
    const note: Note = (kind, what, why) => losses.push({ kind, message: index, what, why })
    const own = message.role === "assistant" ? namesIn(message) : names
    names = own
    if (message.role !== "tool" && message.name !== undefined)
      note("dropped", "the name of a speaker", "the format has no place for it")
    if (message.role === "user") turns.push(writeUser(message, note))
    else if (message.role === "assistant") turns.push(writeModel(message, dialect, note))
    else turns.push(writeResults(message, (call) => own.get(call) ?? toolOf(call), dialect, note))
  }
  return turns
}

/** Neighbours of one role are one content; results that follow what a user said answer a call before it. */
const joined = (turns: ReadonlyArray<Turn>): ReadonlyArray<Turn> => {
  const contents: Array<Turn> = []
  for (const turn of turns) {
    if (turn.parts.length + turn.responses.length === 0) continue
    const last = contents.at(-1)
    if (last === undefined || last.role !== turn.role || (last.from === "user" && turn.from === "tool")) {
      contents.push(turn)
      continue
    }
    contents[contents.length - 1] = {
      ...turn,
      responses: [...last.responses, ...turn.responses],
      parts: [...last.parts, ...turn.parts],
    }
  }
  return contents
}

/** Writes messages in a dialect. */
export const writeContents =
  (dialect: Dialect) =>
  (messages: ReadonlyArray<Message>, context: WriteContext): Written<GeminiContent> => {
    const losses: Array<Loss> = []
    const wire: Array<GeminiContent> = []
    for (const { role, responses, parts } of joined(writeTurns(messages, context, dialect, losses)))
      wire.push({ role, parts: [...inOrder(responses, wire.at(-1)), ...parts] })
    return { wire, losses }
  }
