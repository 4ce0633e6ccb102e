/**
 * What every format reads and writes: a system prompt and messages, each with the form in which it came.
 *
 * @since 0.1.0
 */
import type { Message } from "../../thread/Message.ts"
import type { Raw } from "../../thread/Row.ts"

/**
 * The formats that are read and written.
 *
 * @category models
 * @since 0.1.0
 */
export type FormatName =
  | "openai-chat"
  | "openai-responses"
  | "anthropic"
  | "ai-sdk"
  | "ai-sdk-ui"
  | "langchain"
  | "effect-prompt"
  | "gemini"

/**
 * A message, and the form in which it came. `raw` is there only where the message alone would not give that form back;
 * it stands for as many messages as it was read to, this one and those right after it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Item {
  readonly message: Message
  readonly raw?: Raw
}

/**
 * A request without its provider: what an engine keeps, and what each format can be written from.
 *
 * @category models
 * @since 0.1.0
 */
export interface Conversation {
  readonly system: string | null
  /** The form in which the system prompt came, where its text alone would not give it back. */
  readonly systemRaw?: Raw
  readonly items: ReadonlyArray<Item>
  /** The request around it: its other fields, JSON text, with null for the messages. Absent when a list came bare. */
  readonly frame?: Raw
}

/**
 * Something that a format has no place for, or says otherwise.
 *
 * @category models
 * @since 0.1.0
 */
export interface Loss {
  readonly kind: "dropped" | "changed"
  /** Index of the message in the conversation; -1 for the system prompt and the frame. */
  readonly message: number
  /** What it was: a part, a field, an id. */
  readonly what: string
  readonly why: string
}

/**
 * Makes a conversation of messages.
 *
 * **Example** (A request for a provider)
 *
 * ```ts
 * import { user } from "@palimpsest/core"
 * import { conversation } from "@palimpsest/core/formats"
 * import { anthropic } from "@palimpsest/core/formats/anthropic"
 *
 * const { request } = anthropic.encode(conversation([user("Where is it?")], { system: "Be brief." }))
 * request.messages.length // => 1
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const conversation = (
  messages: ReadonlyArray<Message>,
  options: { readonly system?: string | null } = {},
): Conversation => ({ system: options.system ?? null, items: messages.map((message) => ({ message })) })

/**
 * The messages of a conversation.
 *
 * @category getters
 * @since 0.1.0
 */
export const messagesIn = ({ items }: Conversation): ReadonlyArray<Message> =>
  items.map(({ message }) => message)
