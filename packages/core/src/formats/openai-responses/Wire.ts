/**
 * The shapes of the Responses API, as far as they are read and written here.
 *
 * @since 0.1.0
 */

/**
 * An item of the input: a message, a call, an output, reasoning, or one that is passed on as it is. A message and a
 * reference may leave out their type.
 *
 * @category models
 * @since 0.1.0
 */
export interface ResponsesItem {
  readonly type?: string | null
  readonly [key: string]: unknown
}

/**
 * A part of a message or of an output: `type` and what belongs to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface ResponsesPart {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * A request of the Responses API, as far as a memory writes it; the other fields pass through.
 *
 * @category models
 * @since 0.1.0
 */
export interface ResponsesRequest {
  readonly instructions?: unknown
  readonly input: string | ReadonlyArray<ResponsesItem>
  readonly [key: string]: unknown
}

/** The items of a request; a text is one message. */
export const itemsOf = ({ input }: ResponsesRequest): ReadonlyArray<ResponsesItem> =>
  typeof input === "string" ? [{ role: "user", content: input }] : input

/** The parts of the content of a message, or of an output; a text is one part, and an empty one is none. */
export const partsOf = (content: unknown, type: string): ReadonlyArray<ResponsesPart> => {
  if (typeof content === "string") return content === "" ? [] : [{ type, text: content }]
  return Array.isArray(content) ? content : []
}

/** Whether the server knows what came before: it has the response that the request goes on from. */
export const isContinued = ({ previous_response_id: id, conversation }: ResponsesRequest): boolean =>
  typeof id === "string" || (conversation !== undefined && conversation !== null)

export const isBlank = (text: string): boolean => text.trim() === ""

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")
