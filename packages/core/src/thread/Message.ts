/**
 * The messages of a thread, in one form that no provider owns.
 *
 * Plain data: every value here survives `structuredClone` and a round trip through JSON.
 *
 * @since 0.1.0
 */

/**
 * Text that the model reads or wrote.
 *
 * @category models
 * @since 0.1.0
 */
export interface TextPart {
  readonly type: "text"
  readonly text: string
}

/**
 * The model's reasoning. With a `signature` it is bound to its provider and is sent unaltered or not at all.
 *
 * @category models
 * @since 0.1.0
 */
export interface ReasoningPart {
  readonly type: "reasoning"
  readonly text: string
  /** What binds it to its provider: a signature, or the encrypted reasoning itself. */
  readonly signature?: string
  /** The text is withheld: the signature holds all there is. */
  readonly redacted?: boolean
  /** Id of the reasoning where its provider gives one. */
  readonly id?: string
}

/**
 * An image or a file: base64, a data URL or an address in `data`, with its size in pixels where it is known.
 *
 * @category models
 * @since 0.1.0
 */
export interface MediaPart {
  readonly type: "media"
  /** The media type, such as `image/png`. */
  readonly mediaType: string
  readonly data: string
  /** Pixels. */
  readonly width?: number
  /** Pixels. */
  readonly height?: number
  readonly detail?: "low" | "high" | "auto"
  /** A file name or caption, kept in the placeholder of a stale image. */
  readonly name?: string
}

/**
 * A call of a tool. `arguments` are the raw bytes of the model, JSON or not, so that big integers survive.
 *
 * @category models
 * @since 0.1.0
 */
export interface ToolCallPart {
  readonly type: "tool-call"
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Kind of the call in the format that it came in, where it is no call of a function: `custom`. */
  readonly kind?: string
  /** Signature of the reasoning that led to it, where the provider puts it on the call. */
  readonly signature?: string
  /** The host says that an answer will come (an approval, a person): such a call is never summarised. */
  readonly pending?: boolean
}

/**
 * The result of a tool call.
 *
 * @category models
 * @since 0.1.0
 */
export interface ToolResultPart {
  readonly type: "tool-result"
  /** The `id` of the call it answers. */
  readonly call: string
  readonly name?: string
  readonly status: "ok" | "error" | "denied"
  readonly content: ReadonlyArray<TextPart | MediaPart | OpaquePart>
}

/**
 * What a person said to a call that had to be approved. It is no result, and leaves the call waiting for one.
 *
 * @category models
 * @since 0.1.0
 */
export interface ApprovalPart {
  readonly type: "approval"
  /** The `id` of the call. */
  readonly call: string
  /** Id of the request for approval, where the format has one. */
  readonly id?: string
  readonly approved: boolean
  readonly reason?: string
}

/**
 * A part that this version does not know, kept as the JSON text it came in.
 *
 * @category models
 * @since 0.1.0
 */
export interface OpaquePart {
  readonly type: "opaque"
  readonly format: string
  readonly json: string
}

/**
 * What a user said. `synthetic` marks text that a program put in the user's role (a heartbeat, a reminder): it is
 * never taken for the user's own words.
 *
 * @category models
 * @since 0.1.0
 */
export interface UserMessage {
  readonly role: "user"
  readonly parts: ReadonlyArray<TextPart | MediaPart | OpaquePart>
  readonly name?: string
  readonly synthetic?: boolean
}

/**
 * One response of the model: its reasoning, its text and all its parallel calls.
 *
 * @category models
 * @since 0.1.0
 */
export interface AssistantMessage {
  readonly role: "assistant"
  readonly parts: ReadonlyArray<TextPart | ReasoningPart | MediaPart | ToolCallPart | OpaquePart>
  readonly name?: string
  /** The model that wrote it, where it is known: reasoning that it signed is sent to its like only. */
  readonly model?: string
  /** The format of the provider that signed something in it. */
  readonly format?: string
}

/**
 * Results of tool calls, and approvals: one or several.
 *
 * @category models
 * @since 0.1.0
 */
export interface ToolMessage {
  readonly role: "tool"
  readonly parts: ReadonlyArray<ToolResultPart | ApprovalPart>
}

/**
 * A message of a thread. The system prompt is none: it is a snapshot kept on the chat.
 *
 * @category models
 * @since 0.1.0
 */
export type Message = UserMessage | AssistantMessage | ToolMessage

/**
 * A part of any message.
 *
 * @category models
 * @since 0.1.0
 */
export type Part = Message["parts"][number]

/**
 * Makes a user message of one text.
 *
 * **Example** (A question)
 *
 * ```ts
 * import { user } from "@palimpsest/core"
 *
 * user("Where is my order?").role // => "user"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const user = (text: string): UserMessage => ({ role: "user", parts: [{ type: "text", text }] })

/**
 * Makes an assistant message of a text and calls.
 *
 * **Example** (A response with one call)
 *
 * ```ts
 * import { assistant } from "@palimpsest/core"
 *
 * const response = assistant("Let me look.", [{ id: "c1", name: "find", arguments: "{\"id\":7}" }])
 * response.parts.length // => 2
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const assistant = (
  text: string,
  calls: ReadonlyArray<Omit<ToolCallPart, "type">> = [],
): AssistantMessage => ({
  role: "assistant",
  parts: [
    ...(text === "" ? [] : [{ type: "text", text } as const]),
    ...calls.map((call) => ({ type: "tool-call", ...call }) as const),
  ],
})

/**
 * Makes a tool message that answers one call with a text.
 *
 * **Example** (A result)
 *
 * ```ts
 * import { toolResult } from "@palimpsest/core"
 *
 * toolResult("c1", "shipped").parts[0]?.call // => "c1"
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const toolResult = (
  call: string,
  text: string,
  options: { readonly name?: string; readonly status?: ToolResultPart["status"] } = {},
): ToolMessage => ({
  role: "tool",
  parts: [
    {
      type: "tool-result",
      call,
      ...(options.name === undefined ? {} : { name: options.name }),
      status: options.status ?? "ok",
      content: [{ type: "text", text }],
    },
  ],
})

/**
 * Tells whether a message is the user's own words: user role, and not put there by a program.
 *
 * @category guards
 * @since 0.1.0
 */
export const isRealUser = (message: Message): message is UserMessage =>
  message.role === "user" && message.synthetic !== true

/**
 * Joins the texts of a message or of a result's content, with a line break between parts.
 *
 * @category getters
 * @since 0.1.0
 */
export const textOf = (parts: ReadonlyArray<Part>): string =>
  parts
    .flatMap((part) =>
      part.type === "text" || part.type === "reasoning"
        ? [part.text]
        : part.type === "tool-result"
          ? [textOf(part.content)]
          : [],
    )
    .join("\n")
