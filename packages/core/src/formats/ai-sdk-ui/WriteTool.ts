/**
 * A call of a thread with what answers it, as the one part that it is in a UI message.
 *
 * @since 0.1.0
 */
import type {
  ApprovalPart,
  AssistantMessage,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "../../thread/Message.ts"
import { NO_OUTPUT, type Note, textOfContent, valueOfText } from "../ai-sdk/Output.ts"
import { requestedCalls } from "../ai-sdk/Requested.ts"
import { ownOf, sayCall } from "../ai-sdk/WritePart.ts"
import type { Fields } from "../format/Fields.ts"
import type { UiPart } from "./Wire.ts"

/** What is known of a call beside the call. */
export interface Answer {
  /** The question to a person: its id, and what else belongs to it. */
  readonly request?: Fields
  readonly approval?: ApprovalPart
  readonly result?: ToolResultPart
  /** Takes down what of the result cannot be said, at the message that holds it. */
  readonly noteResult?: Note
}

const NOT_WAITING = "no call of the response before it waits for one"

/** What belongs to each call of a response; what belongs to none, or comes twice, is noted. */
export const answersTo = (
  response: AssistantMessage,
  after: ReadonlyArray<ToolMessage>,
  note: (message: number, ...loss: Parameters<Note>) => void,
): ReadonlyMap<string, Answer> => {
  const answers = new Map<string, Answer>()
  for (const part of response.parts) if (part.type === "tool-call") answers.set(part.id, {})
  for (const [index, call] of requestedCalls(response)) {
    const part = response.parts[index]
    const own = part?.type === "opaque" ? ownOf(part) : null
    const { type: _, approvalId: id, toolCallId: __, ...others } = own ?? { type: "" }
    const known = answers.get(call)
    if (known !== undefined) answers.set(call, { ...known, request: { id, ...others } })
  }
  after.forEach(({ parts }, message) => {
    for (const part of parts) {
      const known = answers.get(part.call)
      const isApproval = part.type === "approval"
      if (known === undefined || known[isApproval ? "approval" : "result"] !== undefined)
        note(message, "dropped", `a part for the call ${part.call}`, NOT_WAITING)
      else if (isApproval) answers.set(part.call, { ...known, approval: part })
      else answers.set(part.call, { ...known, result: part, noteResult: (...loss) => note(message, ...loss) })
    }
  })
  return answers
}

/** An approval as a part holds it; the id of the question where there is one. */
const approvalOf = (
  call: string,
  { request, approval }: Answer,
  approved: boolean,
  reason: string | undefined,
): Fields => ({
  ...request,
  id: request?.id ?? approval?.id ?? `approval-of-${call}`,
  approved,
  ...(reason === undefined ? {} : { reason }),
})

const WHERE = "it cannot be sent in a result here"

const resultFields = (result: ToolResultPart, answer: Answer, note: Note): Fields => {
  const { approval } = answer
  const text = textOfContent(result.content, WHERE, note)
  if (result.status === "denied") {
    const reason = text || approval?.reason
    return { state: "output-denied", approval: approvalOf(result.call, answer, false, reason) }
  }
  const granted =
    approval?.approved === true ? { approval: approvalOf(result.call, answer, true, approval.reason) } : {}
  if (approval?.approved === false)
    note("dropped", `the refusal of the call ${result.call}`, "it has a result all the same")
  if (result.status === "error") return { state: "output-error", errorText: text || NO_OUTPUT, ...granted }
  return { state: "output-available", output: valueOfText(text) ?? (text || NO_OUTPUT), ...granted }
}

const stateFields = (call: string, answer: Answer, note: Note): Fields => {
  const { request, approval, result, noteResult = note } = answer
  if (result !== undefined) return resultFields(result, answer, noteResult)
  if (approval !== undefined) {
    const { approved, reason } = approval
    return { state: "approval-responded", approval: approvalOf(call, answer, approved, reason) }
  }
  return request === undefined
    ? { state: "input-available" }
    : { state: "approval-requested", approval: request }
}

/** Writes a call with what answers it. */
export const writeTool = (
  call: ToolCallPart,
  format: string | undefined,
  answer: Answer,
  note: Note,
): UiPart => {
  const { input, options } = sayCall(call, format, note)
  const { state, ...others } = stateFields(call.id, answer, note)
  return {
    type: `tool-${call.name}`,
    toolCallId: call.id,
    state,
    input,
    ...others,
    ...(options === undefined ? {} : { callProviderMetadata: options }),
  }
}
