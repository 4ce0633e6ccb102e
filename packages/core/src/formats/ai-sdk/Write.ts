/**
 * From the messages of a thread to the AI SDK's model messages: a list of parts each, and one tool message a step.
 *
 * @since 0.1.0
 */
import type { AssistantMessage, Message, ToolMessage, UserMessage } from "../../thread/Message.ts"
import type { Loss } from "../format/Conversation.ts"
import type { WriteContext, Written } from "../format/Units.ts"
import { type FromUi, fromUi, UI } from "./FromUi.ts"
import { type Note, writeOutput } from "./Output.ts"
import { requestedCalls } from "./Requested.ts"
import { isReasoningOnly } from "./Says.ts"
import type { AiSdkMessage, AiSdkPart } from "./Wire.ts"
import { ownOf, writeContent, writePart } from "./WritePart.ts"

/** What a message becomes: its own parts, and answers that stand in the tool message after it. */
interface Turn {
  readonly role: "user" | "assistant" | "tool"
  readonly parts: ReadonlyArray<AiSdkPart>
  readonly answers: ReadonlyArray<AiSdkPart>
}

const isAnswer = ({ type }: AiSdkPart): boolean => type === "tool-approval-response" || type === "tool-result"

/** What a tool message held beside the host's own results was read as a program's: it goes back. */
const writeUser = ({ parts }: UserMessage, note: Note): Turn => {
  const own = parts.flatMap((part) => (part.type === "opaque" ? (ownOf(part) ?? []) : []))
  if (own.length === parts.length && own.some(isAnswer)) return { role: "tool", parts: own, answers: [] }
  const said = writeContent(parts, note)
  return { role: "user", parts: said.length === 0 ? [{ type: "text", text: "(blank)" }] : said, answers: [] }
}

const writeAssistant = (message: AssistantMessage, note: Note): Turn => {
  const requests = requestedCalls(message)
  const written = message.parts.map((part, i): FromUi => {
    const ui = part.type === "opaque" && part.format === UI ? fromUi(part) : null
    if (ui !== null) return ui
    const call = requests.get(i)
    const parts = writePart(part, message.format, note)
    return {
      parts: call === undefined ? parts : parts.map((one) => ({ ...one, toolCallId: call })),
      answers: [],
    }
  })
  const asked = new Set(requests.values())
  for (const part of message.parts)
    if (part.type === "tool-call" && part.pending === true && !asked.has(part.id))
      note("dropped", `that the call ${part.id} waits`, "the format says it by a request for approval")
  const parts = written.flatMap((one) => one.parts)
  const isNothing = isReasoningOnly(parts)
  if (isNothing && parts.length > 0) note("dropped", "a response", "it holds reasoning only")
  return {
    role: "assistant",
    parts: isNothing ? [] : parts,
    answers: isNothing ? [] : written.flatMap(({ answers }) => answers),
  }
}

const writeTool = ({ parts }: ToolMessage, { toolOf }: WriteContext, note: Note): Turn => ({
  role: "tool",
  answers: [],
  parts: parts.map((part): AiSdkPart => {
    if (part.type === "tool-result")
      return {
        type: "tool-result",
        toolCallId: part.call,
        toolName: toolOf(part.call) ?? part.name ?? "unknown",
        output: writeOutput(part, note),
      }
    return {
      type: "tool-approval-response",
      approvalId: part.id ?? part.call,
      approved: part.approved,
      ...(part.reason === undefined ? {} : { reason: part.reason }),
    }
  }),
})

const writeTurn = (message: Message, context: WriteContext, note: Note): Turn => {
  if (message.role !== "tool" && message.name !== undefined)
    note("dropped", "the name of a speaker", "the format has no place for it")
  switch (message.role) {
    case "user":
      return writeUser(message, note)
    case "assistant":
      return writeAssistant(message, note)
    case "tool":
      return writeTool(message, context, note)
  }
}

/** Writes messages; all results of a response stand in one message. */
export const writeMessages = (
  messages: ReadonlyArray<Message>,
  context: WriteContext,
): Written<AiSdkMessage> => {
  const losses: Array<Loss> = []
  const wire: Array<{ role: AiSdkMessage["role"]; content: ReadonlyArray<AiSdkPart> }> = []
  const push = (role: Turn["role"], parts: ReadonlyArray<AiSdkPart>): void => {
    const last = wire.at(-1)
    if (parts.length === 0) return
    if (last !== undefined && role === "tool" && last.role === "tool")
      last.content = [...last.content, ...parts]
    else wire.push({ role, content: parts })
  }
  for (const [index, message] of messages.entries()) {
    const turn = writeTurn(message, context, (kind, what, why) =>
      losses.push({ kind, message: index, what, why }),
    )
    push(turn.role, turn.parts)
    push("tool", turn.answers)
  }
  return { wire, losses }
}
