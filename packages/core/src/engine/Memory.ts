/**
 * The port to long-term memory: search over everything outside the window.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { ThreadKey } from "../thread/Row.ts"
import type { MemoryError } from "./Errors.ts"

/**
 * One thing recalled.
 *
 * @category models
 * @since 0.1.0
 */
export interface Memory {
  readonly id: string
  readonly text: string
  /** Where it comes from, such as `chat 7, row m12`. */
  readonly origin: string
  /** When it was said, as the store has it. */
  readonly date?: string
}

/**
 * What was found for a step.
 *
 * @category models
 * @since 0.1.0
 */
export interface Recollection {
  /** Best first. As many of them are shown as the tokens allow. */
  readonly memories: ReadonlyArray<Memory>
  /** What did not work though something was found, such as an embedder that is down: the prompt tells it. */
  readonly degraded?: ReadonlyArray<string>
}

/**
 * Finds memories for a step.
 *
 * @category services
 * @since 0.1.0
 */
export class LongTermMemory extends Context.Service<
  LongTermMemory,
  {
    readonly retrieve: (request: {
      readonly key: ThreadKey
      /** Whose memory the chat belongs to; empty for the one that the tenant shares. Nothing of another owner is found. */
      readonly owner: string
      /** The text of the new user message. */
      readonly query: string
      /** Ids of the rows in the window: they are visible already. */
      readonly visible: ReadonlySet<string>
      /** Tokens that the block may take. */
      readonly tokens: number
    }) => Effect.Effect<Recollection, MemoryError>
  }
>()("@palimpsest/core/LongTermMemory") {}
