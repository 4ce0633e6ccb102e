/**
 * From the messages of a thread to those of a prompt, in the form that the encoder of `effect/ai` gives them.
 *
 * @since 0.1.0
 */
import type { AssistantMessage, Message, ToolMessage, UserMessage } from "../../thread/Message.ts"
import type { Loss } from "../format/Conversation.ts"
import type { WriteContext, Written } from "../format/Units.ts"
import { type EffectMessage, type EffectPart, requestsIn } from "./Wire.ts"
import { asContent, type Note, resultValue, writeContent, writePart } from "./WritePart.ts"

const message = (role: EffectMessage["role"], content: EffectMessage["content"]): EffectMessage => ({
  options: {},
  role,
  content,
})

const writeUser = ({ parts }: UserMessage, note: Note): EffectMessage => {
  const said = writeContent(parts, note)
  return message("user", said.length === 0 ? "(blank)" : asContent(said))
}

const writeAssistant = ({ parts, format }: AssistantMessage, note: Note): ReadonlyArray<EffectMessage> => {
  const written = parts.flatMap((part) => writePart(part, format, note))
  const asked = new Set(requestsIn([message("assistant", written)]).values())
  for (const part of parts)
    if (part.type === "tool-call" && part.pending === true && !asked.has(part.id))
      note("dropped", `that the call ${part.id} waits`, "the format says it by a request for approval")
  return written.length === 0 ? [] : [message("assistant", asContent(written))]
}

/** What follows the results of one response, since a result holds no media. */
interface WrittenTool {
  readonly message: EffectMessage
  readonly beside: ReadonlyArray<EffectPart>
}

const writeTool = ({ parts }: ToolMessage, { toolOf }: WriteContext, note: Note): WrittenTool => {
  const beside: Array<EffectPart> = []
  const written = parts.map((part): EffectPart => {
    if (part.type === "approval")
      return {
        options: {},
        type: "tool-approval-response",
        approvalId: part.id ?? part.call,
        approved: part.approved,
        ...(part.reason === undefined ? {} : { reason: part.reason }),
      }
    const { result, beside: media } = resultValue(part, note)
    beside.push(...media)
    return {
      options: {},
      type: "tool-result",
      id: part.call,
      name: part.name ?? toolOf(part.call) ?? "unknown",
      isFailure: part.status !== "ok",
      result,
      providerExecuted: false,
    }
  })
  return { message: message("tool", written), beside }
}

/** Writes messages; media of results follow the last result of their response. */
export const writeMessages = (
  messages: ReadonlyArray<Message>,
  context: WriteContext,
): Written<EffectMessage> => {
  const losses: Array<Loss> = []
  const wire: Array<EffectMessage> = []
  let beside: ReadonlyArray<EffectPart> = []
  const flush = (): void => {
    if (beside.length > 0) wire.push(message("user", asContent(beside)))
    beside = []
  }
  for (const [index, each] of messages.entries()) {
    const note: Note = (kind, what, why) => losses.push({ kind, message: index, what, why })
    if (each.role !== "tool" && each.name !== undefined)
      note("dropped", "the name of a speaker", "the format has no place for it")
    if (each.role === "tool") {
      const written = writeTool(each, context, note)
      if (each.parts.length > 0) wire.push(written.message)
      beside = [...beside, ...written.beside]
      continue
    }
    flush()
    wire.push(...(each.role === "user" ? [writeUser(each, note)] : writeAssistant(each, note)))
  }
  flush()
  return { wire, losses }
}
