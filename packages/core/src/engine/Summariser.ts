/**
 * The port to what summarises a span.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"
import type { Delta, Summary } from "../summary/Item.ts"
import type { MessageRow } from "../thread/Row.ts"
import type { SummariserError } from "./Errors.ts"

/**
 * One part of a span, ready to be read: the transcript is text, each row opens with its id, and it is data.
 *
 * @category models
 * @since 0.1.0
 */
export interface SummaryRequest {
  /** The items before this span; ids in a delta refer to them. */
  readonly previous: Summary
  /** The rendered transcript of the span, each row as `[row ID role] …`. Redacted, and without media. */
  readonly transcript: string
  /** Ids of the rows in the transcript: sources of items must be among them. */
  readonly rows: ReadonlyArray<string>
  /**
   * The same rows in full, for a summariser that runs in this process. They passed the host's outbound filter and the
   * redactor, and are not bounded: one that sends anything out reads `transcript` instead.
   */
  readonly messages: ReadonlyArray<MessageRow>
  /** What the host wants to be kept above all. */
  readonly focus?: string
  /** Upper bound of the answer, tokens. */
  readonly maxTokens: number
}

/**
 * Turns a span into a delta.
 *
 * @category services
 * @since 0.1.0
 */
export class Summariser extends Context.Service<
  Summariser,
  {
    /** Kept in the mark of each pass. */
    readonly name: string
    /** Tokens of transcript that one request may hold: longer spans are split. */
    readonly window: number
    readonly summarise: (request: SummaryRequest) => Effect.Effect<Delta, SummariserError>
  }
>()("@palimpsest/core/Summariser") {}
