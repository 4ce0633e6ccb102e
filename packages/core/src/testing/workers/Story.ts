/**
 * What a history of several workers leaves behind.
 *
 * @since 0.1.0
 */
import type { StepPrompt } from "../../engine/Report.ts"
import type { Message } from "../../thread/Message.ts"
import type { Row } from "../../thread/Row.ts"
import type { Thread } from "../../thread/Thread.ts"
import type { Call } from "./Calls.ts"

/**
 * A prompt that a worker got, and what its process held for true then. Plain data, for it may come from another process.
 *
 * @category models
 * @since 0.1.0
 */
export interface Told {
  readonly worker: number
  readonly life: number
  readonly chat: string
  /** Calls of this process that were done by then. */
  readonly after: number
  readonly prompt: StepPrompt | { readonly refused: string }
  readonly thread: Thread
  /** Messages that are not known to be stored. */
  readonly pending: ReadonlyArray<string>
  /** Made when all had ended, one after the other. */
  readonly isLast: boolean
}

/**
 * The story of a script.
 *
 * @category models
 * @since 0.1.0
 */
export interface Story {
  /** In the order in which they took effect. */
  readonly calls: ReadonlyArray<Call>
  readonly prompts: ReadonlyArray<Told>
  /** Messages of which a worker was told that they are stored. */
  readonly acknowledged: ReadonlyArray<{ readonly id: string; readonly message: Message }>
  /** What each chat shows in the end. */
  readonly shown: ReadonlyMap<string, ReadonlyArray<Row>>
  /** How deeds ended that did not succeed. */
  readonly failures: ReadonlyArray<string>
}
