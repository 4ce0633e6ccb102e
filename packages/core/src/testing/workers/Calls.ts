/**
 * The calls of a history: what each worker asked of the store and of the editor, and what it was answered.
 *
 * @since 0.1.0
 */

import type { NewMark, NewMessage } from "../../engine/ThreadStore.ts"
import type { Failure } from "../../thread/Row.ts"

/**
 * What is asked of a chat.
 *
 * @category models
 * @since 0.1.0
 */
export type Asked =
  | { readonly of: "open"; readonly system: string }
  | { readonly of: "load" }
  | { readonly of: "append"; readonly messages: ReadonlyArray<NewMessage>; readonly after: string }
  | { readonly of: "mark"; readonly mark: NewMark }
  | { readonly of: "fail"; readonly failure: Failure }
  | { readonly of: "row"; readonly id: string }
  | { readonly of: "page"; readonly from: number; readonly limit: number }
  | { readonly of: "draft"; readonly name: string }
  | { readonly of: "saveDraft"; readonly name: string; readonly text: string }
  | { readonly of: "rewind"; readonly to: string }
  | { readonly of: "edit"; readonly message: NewMessage }
  | { readonly of: "fork"; readonly chat: string; readonly at: string | undefined }

/**
 * The answer of a store: a value (of a fork, the name of the chat), or the name of a typed error.
 *
 * @category models
 * @since 0.1.0
 */
export type Answer = { readonly value: unknown } | { readonly error: string }

/**
 * A call, in the order in which calls took effect.
 *
 * @category models
 * @since 0.1.0
 */
export interface Call {
  readonly worker: number
  /** Counts up with each process. */
  readonly life: number
  readonly chat: string
  readonly asked: Asked
  readonly answer: Answer
  /** Whether the process that asked got the answer, and did not die before. */
  readonly isHeard: boolean
  /** When it began and ended, by a clock that all processes share; 0 where calls are made one by one. */
  readonly began: number
  readonly ended: number
}
