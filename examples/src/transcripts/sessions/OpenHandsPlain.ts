/** Events of OpenHands that have an `action` or an `observation`. */
import type { AssistantMessage, ToolCallPart, ToolResultPart } from "@palimpsest/core"
import { writeExact } from "@palimpsest/core/formats"
import { fieldOf, has, isFields, listAt, numberAt, textAt } from "../Fields.ts"
import { chatUsage } from "../Usage.ts"
import { type Event, programEvent, saidEvent, userEvent } from "./OpenHandsEvent.ts"

const SOURCES = new Set(["user", "agent", "environment"])

/** Whether a value is such an event. */
export const isPlainEvent = (value: unknown): boolean =>
  isFields(value) &&
  SOURCES.has(textAt(value, "source")) &&
  (textAt(value, "action") !== "" || textAt(value, "observation") !== "")

/** Actions that are no calls: the program's own. */
const OWN_ACTIONS = new Set(["change_agent_state", "recall", "null", "loop_recovery", "pause", "start_task"])

/** Observations that the model does not see as results. */
const OWN_OBSERVATIONS = new Set(["agent_state_changed", "null", "recall"])

const idOf = (value: unknown, at: string): string => {
  const id = numberAt(value, "id")
  return id === undefined ? textAt(value, "id") || at : String(id)
}

const META = "tool_call_metadata"

/** The id of the call of an event; made of the event's number where the model called no tool. */
const callId = (value: unknown, event: string): string =>
  textAt(value, META, "tool_call_id") || `event-${event}`

/** The model's own words for a call, where the log has them. */
const rawCall = (value: unknown): unknown => {
  const id = textAt(value, META, "tool_call_id")
  const choices = listAt(value, META, "model_response", "choices")
  const calls = choices.flatMap((choice) => listAt(choice, "message", "tool_calls"))
  return calls.find((call) => textAt(call, "id") === id)
}

const callOf = (value: unknown, at: string): ToolCallPart => {
  const raw = rawCall(value)
  const args = fieldOf(value, "args")
  const { thought: _, ...plain } = isFields(args) ? args : {}
  return {
    type: "tool-call",
    id: callId(value, idOf(value, at)),
    name: textAt(raw, "function", "name") || textAt(value, META, "function_name") || textAt(value, "action"),
    arguments: textAt(raw, "function", "arguments") || (writeExact(plain) ?? "{}"),
  }
}

const readAction = (value: unknown, at: string): Event => {
  const action = textAt(value, "action")
  const response = textAt(value, META, "model_response", "id")
  const content = textAt(value, "args", "content")
  if (action === "system") return { _tag: "System", text: content }
  if (OWN_ACTIONS.has(action)) return { _tag: "Beside", kind: action }
  if (action === "condensation") return programEvent(textAt(value, "args", "summary"), idOf(value, at))
  if (textAt(value, "source") === "user")
    return action === "message" ? userEvent(content, idOf(value, at)) : { _tag: "Beside", kind: action }
  const thought =
    action === "message"
      ? content
      : textAt(value, "args", "thought") || textAt(value, "args", "final_thought")
  const text = thought === "" ? [] : [{ type: "text" as const, text: thought }]
  const isCall = action !== "message" && !(action === "finish" && !has(value, META))
  const parts: AssistantMessage["parts"] = isCall ? [...text, callOf(value, at)] : text
  if (parts.length === 0) return { _tag: "Beside", kind: action }
  const usage = chatUsage(value, META, "model_response", "usage")
  const model = textAt(value, META, "model_response", "model")
  return saidEvent({ role: "assistant", parts }, idOf(value, at), response, model, usage)
}

const readObservation = (value: unknown, at: string): Event => {
  const kind = textAt(value, "observation")
  const cause = numberAt(value, "cause")
  if (OWN_OBSERVATIONS.has(kind) || (cause === undefined && !has(value, META)))
    return { _tag: "Beside", kind }
  const isDenied = kind === "user_rejected"
  const isError = kind === "error" || fieldOf(value, "success") === false
  const result: ToolResultPart = {
    type: "tool-result",
    call: callId(value, String(cause)),
    status: isDenied ? "denied" : isError ? "error" : "ok",
    content: [{ type: "text", text: textAt(value, "content") }],
  }
  return saidEvent({ role: "tool", parts: [result] }, idOf(value, at))
}

/** Reads an event. */
export const readPlainEvent = (value: unknown, at: string): Event => {
  if (!isPlainEvent(value)) return { _tag: "Beside", kind: "value that is no event" }
  return textAt(value, "action") === "" ? readObservation(value, at) : readAction(value, at)
}
