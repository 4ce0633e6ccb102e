/**
 * The shapes of Chat Completions, as far as they are read and written here.
 *
 * @since 0.1.0
 */

/**
 * A part of a message: `type` and what belongs to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiPart {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * The content of a message: a text, or parts.
 *
 * @category models
 * @since 0.1.0
 */
export type OpenAiContent = string | ReadonlyArray<OpenAiPart>

/**
 * A call of a tool, of a function when no type says otherwise; `arguments` are the model's own bytes.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiToolCall {
  readonly id: string
  readonly type?: string | null
  readonly function?: { readonly name: string; readonly arguments?: unknown; readonly [key: string]: unknown }
  readonly custom?: { readonly name: string; readonly input: string; readonly [key: string]: unknown }
  readonly [key: string]: unknown
}

/**
 * What the host tells the model: `developer` is the name of `system` for newer models.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiSystemMessage {
  readonly role: "system" | "developer"
  readonly content: OpenAiContent
  readonly name?: string
  readonly [key: string]: unknown
}

/**
 * A message in the user's role.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiUserMessage {
  readonly role: "user"
  readonly content: OpenAiContent
  readonly name?: string
  readonly [key: string]: unknown
}

/**
 * A response of the model: `content` is null only when something else says what it is.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiAssistantMessage {
  readonly role: "assistant"
  readonly content?: OpenAiContent | null
  readonly name?: string
  readonly tool_calls?: ReadonlyArray<OpenAiToolCall> | null
  readonly [key: string]: unknown
}

/**
 * The result of one call.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiToolMessage {
  readonly role: "tool"
  readonly tool_call_id: string
  readonly content: OpenAiContent
  readonly [key: string]: unknown
}

/**
 * The result of a call of the time before calls had ids.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiFunctionMessage {
  readonly role: "function"
  readonly content?: OpenAiContent | null
  readonly name?: string
  readonly [key: string]: unknown
}

/**
 * A message of a Chat Completions request.
 *
 * @category models
 * @since 0.1.0
 */
export type OpenAiMessage =
  | OpenAiSystemMessage
  | OpenAiUserMessage
  | OpenAiAssistantMessage
  | OpenAiToolMessage
  | OpenAiFunctionMessage

/**
 * A request of Chat Completions, as far as a memory writes it; the other fields pass through.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiChatRequest {
  readonly messages: ReadonlyArray<OpenAiMessage>
  readonly [key: string]: unknown
}

/** The fields in which compatible servers put reasoning; the official API has none. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_details"] as const

/** Fields of a response that are kept whole: what they hold has no other form. */
export const WHOLE_FIELDS = ["audio", "function_call", "reasoning_details"] as const

/** What the kind of a call begins with, when it is neither one of a function nor a custom one. */
export const OTHER_KIND = "chat:"

/** The parts of a content; a text is one, and an empty one is none. */
export const partsOf = (content: OpenAiContent | null | undefined): ReadonlyArray<OpenAiPart> => {
  if (content === null || content === undefined || content === "") return []
  return typeof content === "string" ? [{ type: "text", text: content }] : content
}

/** The calls of a message. */
export const callsOf = (message: OpenAiMessage | undefined): ReadonlyArray<OpenAiToolCall> =>
  message?.role === "assistant" ? (message.tool_calls ?? []) : []

/** The function that a call names; undefined for a call of another kind. */
export const functionIn = ({ type, function: own }: OpenAiToolCall): OpenAiToolCall["function"] =>
  type === undefined || type === null || type === "function" ? own : undefined

/** The custom tool that a call names; undefined for a call of another kind. */
export const customIn = ({ type, custom }: OpenAiToolCall): OpenAiToolCall["custom"] =>
  type === "custom" ? custom : undefined

export const isBlank = (text: string): boolean => text.trim() === ""

export const isText = (part: OpenAiPart): part is OpenAiPart & { readonly text: string } =>
  part.type === "text" && typeof part.text === "string"

/** A name in the alphabet of names: 64 of it, with `_` for what lies outside. */
export const legalName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64)

export const isLegalName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name)
