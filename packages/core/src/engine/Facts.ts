/**
 * The port to durable facts: what the agent decided to remember.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { MessageRow, ThreadKey } from "../thread/Row.ts"
import type { FlushError } from "./Errors.ts"

/**
 * A span about to be covered.
 *
 * @category models
 * @since 0.1.0
 */
export interface FlushRequest {
  readonly key: ThreadKey
  /** Whose memory the chat belongs to; empty for the one that the tenant shares. */
  readonly owner: string
  /** Id of the summary row that will cover it: a retry of the same pass has the same one. */
  readonly boundary: string
  /**
   * The messages, in full, as the host's outbound filter lets them pass. Recall blocks and library text are not among
   * them.
   */
  readonly rows: ReadonlyArray<MessageRow>
}

/**
 * Keeps the durable facts of a span before it is summarised. It may be called again with the same boundary
 * after a crash, and must then store no fact twice.
 *
 * @category services
 * @since 0.1.0
 */
export class Facts extends Context.Service<
  Facts,
  {
    /** Returns how many facts were new. */
    readonly flush: (request: FlushRequest) => Effect.Effect<number, FlushError>
  }
>()("@palimpsest/core/Facts") {}
