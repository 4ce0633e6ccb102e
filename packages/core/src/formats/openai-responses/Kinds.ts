/**
 * Kinds of items: whose they are, and which calls and outputs belong together.
 *
 * A call that the client runs is a call of a thread, whatever its type is: so its output may be shortened, and stays an
 * output that the API accepts. What the provider runs by itself is kept as it came.
 *
 * @since 0.1.0
 */
import { isFields } from "../format/Fields.ts"
import type { ResponsesItem } from "./Wire.ts"

/** A type of calls, and the outputs that answer them. */
export interface CallType {
  /** Kind of the call in a thread; undefined for one of a function. */
  readonly kind: string | undefined
  readonly call: string
  readonly output: string
  /** Fields that hold the id of the call. */
  readonly callId: string
  readonly outputId: string
}

/** Calls that the client answers. */
export const CALL_TYPES: ReadonlyArray<CallType> = [
  {
    kind: undefined,
    call: "function_call",
    output: "function_call_output",
    callId: "call_id",
    outputId: "call_id",
  },
  {
    kind: "custom",
    call: "custom_tool_call",
    output: "custom_tool_call_output",
    callId: "call_id",
    outputId: "call_id",
  },
  {
    kind: "computer",
    call: "computer_call",
    output: "computer_call_output",
    callId: "call_id",
    outputId: "call_id",
  },
  { kind: "shell", call: "shell_call", output: "shell_call_output", callId: "call_id", outputId: "call_id" },
  {
    kind: "local_shell",
    call: "local_shell_call",
    output: "local_shell_call_output",
    callId: "call_id",
    outputId: "id",
  },
  {
    kind: "apply_patch",
    call: "apply_patch_call",
    output: "apply_patch_call_output",
    callId: "call_id",
    outputId: "call_id",
  },
  {
    kind: "mcp_approval",
    call: "mcp_approval_request",
    output: "mcp_approval_response",
    callId: "id",
    outputId: "approval_request_id",
  },
]

const BY_CALL = new Map(CALL_TYPES.map((type) => [type.call, type] as const))
const BY_OUTPUT = new Map(CALL_TYPES.map((type) => [type.output, type] as const))
const BY_KIND = new Map(CALL_TYPES.map((type) => [type.kind, type] as const))

/** The type of calls of a kind; that of functions for a kind that is not known here. */
export const typeOfKind = (kind: string | undefined): CallType | undefined => BY_KIND.get(kind)

/** The type of an item; a message may leave it out, and so may a reference. */
export const typeOf = ({ type, role }: ResponsesItem): string => {
  if (typeof type === "string") return type
  return typeof role === "string" ? "message" : "item_reference"
}

const idIn = (item: ResponsesItem, field: string): string | undefined => {
  const id = item[field]
  return typeof id === "string" ? id : undefined
}

/** The type of a call that the client answers; undefined for another item. */
export const callTypeOf = (item: ResponsesItem): CallType | undefined => BY_CALL.get(typeOf(item))

/** The type of an output; undefined for another item. */
export const outputTypeOf = (item: ResponsesItem): CallType | undefined => BY_OUTPUT.get(typeOf(item))

/** The id of a call that the client answers; undefined for another item. */
export const callIdOf = (item: ResponsesItem): string | undefined => {
  const type = callTypeOf(item)
  return type === undefined ? undefined : idIn(item, type.callId)
}

/** The id of the call that an output answers; undefined for another item. */
export const outputIdOf = (item: ResponsesItem): string | undefined => {
  const type = outputTypeOf(item)
  if (type === undefined) return undefined
  return idIn(item, type.outputId) ?? idIn(item, "call_id")
}

/** Whether an output answers a call of a type: local shells take the outputs of functions too, as Codex sends them. */
export const answers = (output: CallType, call: CallType): boolean =>
  output === call || (call.kind === "local_shell" && output.kind === undefined)

/** References to calls, by what their ids begin with; the calls themselves are with the provider. */
const REFERENCES: ReadonlyMap<string, string> = new Map([
  ["fc", "function_reference"],
  ["ctc", "custom_reference"],
])

/** The kind of the call that a reference stands for; undefined when it stands for none, and for another item. */
export const referenceKindOf = (item: ResponsesItem): string | undefined =>
  typeOf(item) === "item_reference" ? REFERENCES.get(stringId(item).split("_", 1)[0] ?? "") : undefined

const stringId = (item: ResponsesItem): string => idIn(item, "id") ?? ""

export const isReferenceKind = (kind: string | undefined): boolean =>
  kind !== undefined && [...REFERENCES.values()].includes(kind)

/** Whose an item is: what a user or the host says, what the client answers, or what the model made. */
export type Side = "user" | "output" | "response"

/** Whose an item is. */
export const sideOf = (item: ResponsesItem): Side => {
  if (typeOf(item) === "message") return item.role === "assistant" ? "response" : "user"
  return outputTypeOf(item) === undefined ? "response" : "output"
}

export const isReasoning = (item: ResponsesItem): boolean => typeOf(item) === "reasoning"

/** Whether a value is an item, as far as the walls of this module need: an object. */
export const isItem = (value: unknown): value is ResponsesItem => isFields(value)
