/**
 * The shapes of Chat Completions messages that this library sends.
 *
 * @since 0.1.0
 */

/**
 * A text of a message that has several parts.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiTextPart {
  readonly type: "text"
  readonly text: string
}

/**
 * An image: an address, or a data URL.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiImagePart {
  readonly type: "image_url"
  readonly image_url: { readonly url: string; readonly detail?: "low" | "high" | "auto" }
}

/**
 * A sound, as base64.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiAudioPart {
  readonly type: "input_audio"
  readonly input_audio: { readonly data: string; readonly format: "wav" | "mp3" }
}

/**
 * A file, as a data URL.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiFilePart {
  readonly type: "file"
  readonly file: { readonly file_data: string; readonly filename?: string }
}

/**
 * A part of a user message.
 *
 * @category models
 * @since 0.1.0
 */
export type OpenAiUserPart = OpenAiTextPart | OpenAiImagePart | OpenAiAudioPart | OpenAiFilePart

/**
 * A call of a function tool; `arguments` are the model's own bytes.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiToolCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

/**
 * The system prompt.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiSystemMessage {
  readonly role: "system"
  readonly content: string
}

/**
 * A message in the user's role.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiUserMessage {
  readonly role: "user"
  readonly content: string | ReadonlyArray<OpenAiUserPart>
  readonly name?: string
}

/**
 * A response of the model: `content` is null only when it is all calls.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpenAiAssistantMessage {
  readonly role: "assistant"
  readonly content: string | null
  readonly name?: string
  readonly tool_calls?: ReadonlyArray<OpenAiToolCall>
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
  readonly content: string
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
