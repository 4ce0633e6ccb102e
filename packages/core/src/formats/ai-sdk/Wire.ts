/**
 * The shapes of the AI SDK's model messages, as far as they are read here: versions 5 and 6 of `ai`.
 *
 * @since 0.1.0
 */
import { type Fields, isFields } from "../format/Fields.ts"

/**
 * A part of a message: `type` and what belongs to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface AiSdkPart {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * A `ModelMessage`. The data of files may be what JSON cannot hold: bytes or a `URL`.
 *
 * @category models
 * @since 0.1.0
 */
export interface AiSdkMessage {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly content: string | ReadonlyArray<AiSdkPart>
  readonly [key: string]: unknown
}

/**
 * What `generateText` and `streamText` are given of a conversation; other fields that are JSON pass through.
 *
 * @category models
 * @since 0.1.0
 */
export interface AiSdkRequest {
  /** A text, a system message, or several. */
  readonly system?: unknown
  readonly messages: ReadonlyArray<AiSdkMessage>
  readonly [key: string]: unknown
}

/** The name of the format, in opaque parts that both formats of the AI SDK read. */
export const NAME = "ai-sdk"

/** The parts of a message; a string is one text. */
export const partsOf = ({ content }: AiSdkMessage): ReadonlyArray<AiSdkPart> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

/** A field that is a text; empty where it is none. */
export const stringIn = (object: Fields, name: string): string => {
  const value = object[name]
  return typeof value === "string" ? value : ""
}

/** A field that is an object; one without fields where it is none. */
export const fieldsIn = (object: Fields, name: string): Fields => {
  const value = object[name]
  return isFields(value) ? value : {}
}

/** Whether a part is a call that the host runs. */
export const isClientCall = ({ type, providerExecuted }: AiSdkPart): boolean =>
  type === "tool-call" && providerExecuted !== true

/** The calls for which a person is asked, by the id of the request: the last one of an id counts. */
export const requestsIn = (messages: ReadonlyArray<AiSdkMessage>): ReadonlyMap<string, string> =>
  new Map(
    messages
      .filter(({ role }) => role === "assistant")
      .flatMap(partsOf)
      .filter(({ type }) => type === "tool-approval-request")
      .map((part) => [stringIn(part, "approvalId"), stringIn(part, "toolCallId")] as const),
  )

/** The id of the approval that a denied result belongs to, where the call is one that the provider runs. */
export const approvalIn = (part: AiSdkPart): string => {
  const output = fieldsIn(part, "output")
  const options = fieldsIn(fieldsIn(output, "providerOptions"), "openai")
  return output.type === "execution-denied" ? stringIn(options, "approvalId") : ""
}

/** Whether a part of a tool message answers the host's own call, and not one that the provider runs. */
export const isClientAnswer = (part: AiSdkPart): boolean =>
  part.type === "tool-approval-response"
    ? part.providerExecuted !== true
    : part.type === "tool-result" && approvalIn(part) === ""
