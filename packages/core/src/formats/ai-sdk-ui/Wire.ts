/**
 * The shapes of the AI SDK's UI messages, as they are stored: versions 5 and 6 of `ai`.
 *
 * @since 0.1.0
 */
import { toolNameOf } from "../ai-sdk/FromUi.ts"
import type { Fields } from "../format/Fields.ts"

/**
 * A part of a UI message: `type` and what belongs to it.
 *
 * @category models
 * @since 0.1.0
 */
export interface UiPart {
  readonly type: string
  readonly [key: string]: unknown
}

/**
 * A `UIMessage`. One of the assistant holds all steps of a turn, results included.
 *
 * @category models
 * @since 0.1.0
 */
export interface UiMessage {
  readonly id?: string
  readonly role: "system" | "user" | "assistant"
  readonly metadata?: unknown
  readonly parts: ReadonlyArray<UiPart>
  readonly [key: string]: unknown
}

/**
 * What a client sends or a store holds; other fields pass through.
 *
 * @category models
 * @since 0.1.0
 */
export interface UiRequest {
  readonly messages: ReadonlyArray<UiMessage>
  readonly [key: string]: unknown
}

/** Whether a part is a call of a tool, with its result where there is one. */
export const isTool = (part: Fields): boolean => toolNameOf(part) !== null

/** Whether a part is a call that the host runs, and that is not still being written. */
export const isClientTool = (part: UiPart): boolean =>
  isTool(part) && part.providerExecuted !== true && part.state !== "input-streaming"

/** The parts of a message between the starts of its steps. */
export const stepsOf = ({ parts }: UiMessage): ReadonlyArray<ReadonlyArray<UiPart>> => {
  const steps: Array<Array<UiPart>> = [[]]
  for (const part of parts) {
    if (part.type === "step-start") steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps.filter((step) => step.length > 0)
}
