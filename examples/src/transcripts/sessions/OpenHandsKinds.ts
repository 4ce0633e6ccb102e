/** Events of OpenHands that have a `kind`. */
import type { AssistantMessage, ToolResultPart } from "@palimpsest/core"
import { writeExact } from "@palimpsest/core/formats"
import { fieldOf, isFields, listAt, textAt } from "../Fields.ts"
import { type Event, programEvent, saidEvent, userEvent } from "./OpenHandsEvent.ts"

const KIND = /(Event|Observation|Condensation|CondensationSummaryEvent|CondensationRequest)$/

/** Whether a value is such an event. */
export const isKindEvent = (value: unknown): boolean =>
  isFields(value) && KIND.test(textAt(value, "kind")) && textAt(value, "source") !== ""

const textsOf = (list: ReadonlyArray<unknown>): string =>
  list
    .map((part) => textAt(part, "text"))
    .filter((text) => text !== "")
    .join("\n")

const thoughtOf = (value: unknown): AssistantMessage["parts"] => {
  const blocks = listAt(value, "thinking_blocks").flatMap((block) => {
    const signature = textAt(block, "signature")
    const text = textAt(block, "thinking")
    return text === ""
      ? []
      : [{ type: "reasoning" as const, text, ...(signature === "" ? {} : { signature }) }]
  })
  const reasoning = textAt(value, "reasoning_content")
  return blocks.length > 0 || reasoning === "" ? blocks : [{ type: "reasoning", text: reasoning }]
}

const textParts = (text: string): AssistantMessage["parts"] => (text === "" ? [] : [{ type: "text", text }])

const signed = (parts: AssistantMessage["parts"]): AssistantMessage => {
  const isSigned = parts.some((part) => part.type === "reasoning" && part.signature !== undefined)
  return { role: "assistant", parts, ...(isSigned ? { format: "anthropic" } : {}) }
}

const readMessage = (value: unknown, id: string): Event => {
  const text = textsOf(listAt(value, "llm_message", "content"))
  if (textAt(value, "source") === "user") return userEvent(text, id)
  const parts = [...thoughtOf(fieldOf(value, "llm_message")), ...textParts(text)]
  return parts.length === 0
    ? { _tag: "Beside", kind: "empty message" }
    : saidEvent(signed(parts), id, textAt(value, "llm_response_id"))
}

const readAction = (value: unknown, id: string): Event => {
  const call = {
    type: "tool-call" as const,
    id: textAt(value, "tool_call_id") || textAt(value, "tool_call", "id") || id,
    name: textAt(value, "tool_name") || textAt(value, "tool_call", "name"),
    arguments:
      textAt(value, "tool_call", "arguments") ||
      textAt(value, "tool_call", "function", "arguments") ||
      (writeExact(fieldOf(value, "action") ?? {}) ?? "{}"),
  }
  const parts = [...thoughtOf(value), ...textParts(textsOf(listAt(value, "thought"))), call]
  return saidEvent(signed(parts), id, textAt(value, "llm_response_id"))
}

const readResult = (value: unknown, id: string, status: ToolResultPart["status"]): Event => {
  const texts = textsOf(listAt(value, "observation", "content"))
  const text =
    texts ||
    textAt(value, "observation", "output") ||
    textAt(value, "error") ||
    textAt(value, "rejection_reason") ||
    textAt(value, "observation", "content")
  const name = textAt(value, "tool_name")
  const call = textAt(value, "tool_call_id")
  const content = [{ type: "text" as const, text }]
  const part = { type: "tool-result" as const, call, ...(name === "" ? {} : { name }), status, content }
  return call === ""
    ? { _tag: "Beside", kind: textAt(value, "kind") }
    : saidEvent({ role: "tool", parts: [part] }, id)
}

/** Reads an event. */
export const readKindEvent = (value: unknown): Event => {
  const id = textAt(value, "id")
  switch (textAt(value, "kind")) {
    case "SystemPromptEvent":
      return { _tag: "System", text: textAt(value, "system_prompt", "text") }
    case "MessageEvent":
      return readMessage(value, id)
    case "ActionEvent":
      return readAction(value, id)
    case "ObservationEvent":
      return readResult(value, id, fieldOf(value, "observation", "is_error") === true ? "error" : "ok")
    case "AgentErrorEvent":
      return readResult(value, id, "error")
    case "UserRejectObservation":
      return readResult(value, id, "denied")
    case "Condensation":
      return programEvent(textAt(value, "summary"), id)
    default:
      return { _tag: "Beside", kind: textAt(value, "kind") }
  }
}
