/**
 * The shapes of an encoded prompt of `effect/ai`, as far as they are read here.
 *
 * The module is marked unstable: nothing of it is imported here, so that this entry point outlives its changes.
 *
 * @since 0.1.0
 */
import type { Fields } from "../format/Fields.ts"

/**
 * A part of a message: `type`, what belongs to it, and `options` by provider.
 *
 * @category models
 * @since 0.1.0
 */
export interface EffectPart {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * A message of a prompt.
 *
 * @category models
 * @since 0.1.0
 */
export interface EffectMessage {
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly content: string | ReadonlyArray<EffectPart>
  readonly options?: Fields
  readonly [key: string]: unknown
}

/**
 * An encoded prompt. `data` of a file is a text, a `Uint8Array` or a `URL`, as it came.
 *
 * @category models
 * @since 0.1.0
 */
export interface EffectPrompt {
  readonly content: ReadonlyArray<EffectMessage>
  readonly [key: string]: unknown
}

/** The parts of a message; a string is one text. */
export const partsOf = ({ content }: EffectMessage): ReadonlyArray<EffectPart> =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

/** Whether a part is a call that the host runs. */
export const isClientCall = ({ type, providerExecuted }: EffectPart): boolean =>
  type === "tool-call" && providerExecuted !== true

/** Whether a part is the result of a call that the host ran. */
export const isClientResult = ({ type, providerExecuted }: EffectPart): boolean =>
  type === "tool-result" && providerExecuted !== true

/** A field that is a text; empty where it is none. */
export const stringIn = (object: Fields, name: string): string => {
  const value = object[name]
  return typeof value === "string" ? value : ""
}

/** The calls for which a person is asked, by the id of the request. */
export const requestsIn = (messages: ReadonlyArray<EffectMessage>): ReadonlyMap<string, string> =>
  new Map(
    messages
      .flatMap(partsOf)
      .filter(({ type }) => type === "tool-approval-request")
      .map((part) => [stringIn(part, "approvalId"), stringIn(part, "toolCallId")] as const),
  )
