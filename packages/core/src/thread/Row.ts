/**
 * The rows of a thread: messages, and the marks that this library puts between them.
 *
 * A thread is an append-only log. Messages have increasing positions; a mark shares the position of the message
 * that it follows (its anchor), with a rank after it. See `order`.
 *
 * @since 0.1.0
 */
import type { Reading } from "../count/Calibrate.ts"
import type { Summary } from "../summary/Item.ts"
import type { Message } from "./Message.ts"

/**
 * Names a thread: a chat of a tenant. Every key of every table starts with these two.
 *
 * @category models
 * @since 0.1.0
 */
export interface ThreadKey {
  readonly tenant: string
  readonly chat: string
}

/**
 * A replacement of one part's content by a shorter text: the arguments of a call, the content of a result (or one
 * item of it), an image, a text. Everything else of the part stays.
 *
 * @category models
 * @since 0.1.0
 */
export interface Patch {
  /** Index of the part in its message. */
  readonly part: number
  /** Index in a result's content; without it, the whole content is replaced. */
  readonly item?: number
  readonly text: string
}

/**
 * The reduced form in which a row is sent, as patches over its original, with the tokens of the result.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reduction {
  /** Id of the message row. */
  readonly row: string
  readonly patches: ReadonlyArray<Patch>
  /** Tokens of the row as reduced, by the tokenizer of its mark. */
  readonly tokens: number
}

/**
 * A provider's own bytes of a message, kept so that the same format gets them back unaltered.
 *
 * @category models
 * @since 0.1.0
 */
export interface Raw {
  readonly format: string
  readonly text: string
}

/**
 * A message of the thread as it is stored: counted once, in the form in which it is first sent.
 *
 * @category models
 * @since 0.1.0
 */
export interface MessageRow {
  readonly kind: "message"
  readonly id: string
  /** Order in the thread: strictly increasing from 1, given by the store, with gaps allowed. */
  readonly position: number
  /**
   * When it was said, in milliseconds since 1970: by the host's word, or else when the step got it. No decision and no
   * text of a prompt depends on it; memories and facts are dated by it. Without one the time is not known.
   */
  readonly at?: number
  readonly message: Message
  /** Tokens as sent (with `cap` applied, message overhead included), by `tokenizer`. */
  readonly tokens: number
  readonly tokenizer: string
  /** What was shortened or left out when the row came in. The original stays in `message`. */
  readonly cap?: ReadonlyArray<Patch>
  readonly raw?: Raw
  /** Of a response: the prompt that it answered, as it was counted here and by the provider. Nothing of it is sent. */
  readonly usage?: Reading
}

/**
 * What a pass did, kept in its mark: anti-thrash is a pure function of these.
 *
 * @category models
 * @since 0.1.0
 */
export interface Pass {
  /** Why it ran: over the soft trigger, over the hard limit, or asked for. */
  readonly cause: "trigger" | "limit" | "manual"
  /** Tokens of the whole prompt before the pass. */
  readonly before: number
  /** Tokens of the whole prompt after it, measured with the same function over the same parts. */
  readonly after: number
  /** Number of message rows that this pass newly covers (summary) or reduces (prune). */
  readonly rows: number
  /** SHA-256 over ids and contents of those rows, in order: an edit underneath shows. */
  readonly digest: string
  /** How many summaries this one builds on, plus one; 0 for a prune or a reset. */
  readonly generation: number
  /** Who wrote the summary: the model, the extractive fallback, the host; `none` for other marks. */
  readonly outcome: "model" | "extractive" | "host" | "none"
  /** Name of the summariser. */
  readonly model: string
  /** Digest of the policy under which it ran. */
  readonly policy: string
  /**
   * Weak passes in a row, this one included: they gained less than the policy's minimum, or ended above the soft
   * trigger, so that the next prompt would ask for one again.
   */
  readonly weak: number
  /** Extractive fallbacks in a row, this one included. */
  readonly fallbacks: number
  /** Id of the newest message row when it ran: responses up to it were written under another prompt. */
  readonly newest?: string
}

/** Fields that each mark has. */
interface MarkBase {
  readonly id: string
  /** Position of the anchor; 0 when the mark stands before the first message. */
  readonly position: number
  /** Id of the message row that the mark follows; empty when it stands before the first message. */
  readonly anchor: string
  /**
   * The revision of the thread (0, and more after each rewind or edit), and one more for each replacement on purpose
   * at the same anchor.
   */
  readonly revision: number
}

/**
 * The running summary. Everything up to and including its anchor is covered by it; the window is cut here.
 *
 * @category models
 * @since 0.1.0
 */
export interface SummaryRow extends MarkBase {
  readonly kind: "summary"
  readonly summary: Summary
  /** The rendered fence, frozen: all workers send these bytes. */
  readonly text: string
  readonly tokens: number
  readonly tokenizer: string
  /** Ids of covered rows that are still sent verbatim before the summary. */
  readonly head: ReadonlyArray<string>
  /** Ids of covered rows that are still sent verbatim after it: the newest real user message, pending calls. */
  readonly carry: ReadonlyArray<string>
  readonly pass: Pass
  /**
   * Id of the cut that was live when this summary was made, null for none: it is written only while that one still
   * is. So summaries form one chain, and nothing that was put away meanwhile comes back.
   */
  readonly previous?: string | null
}

/**
 * "Start over": the same line as a summary's, put on purpose, with nothing before it in the window.
 *
 * @category models
 * @since 0.1.0
 */
export interface ResetRow extends MarkBase {
  readonly kind: "reset"
}

/**
 * A watermark of the pre-pass: from here on the named rows are sent reduced, always in the same bytes.
 *
 * @category models
 * @since 0.1.0
 */
export interface PruneRow extends MarkBase {
  readonly kind: "prune"
  readonly reductions: ReadonlyArray<Reduction>
  readonly tokenizer: string
  readonly pass: Pass
}

/**
 * The block of retrieved memory for the step that follows, rendered once and then frozen.
 *
 * @category models
 * @since 0.1.0
 */
export interface RecallRow extends MarkBase {
  readonly kind: "recall"
  /** The rendered fence. */
  readonly text: string
  readonly tokens: number
  readonly tokenizer: string
  /** Ids of what was recalled. */
  readonly sources: ReadonlyArray<string>
}

/**
 * A mark: a row that this library adds to a thread.
 *
 * @category models
 * @since 0.1.0
 */
export type Mark = SummaryRow | ResetRow | PruneRow | RecallRow

/**
 * A mark at which the window is cut.
 *
 * @category models
 * @since 0.1.0
 */
export type Cut = SummaryRow | ResetRow

/**
 * A row of a thread.
 *
 * @category models
 * @since 0.1.0
 */
export type Row = MessageRow | Mark

/**
 * A failed attempt at a pass, kept apart from the rows: it changes nothing of what is sent, but anti-thrash
 * must know it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Failure {
  /** Id of the message row at which the mark would have stood. */
  readonly anchor: string
  readonly stage: "summarise" | "flush" | "check"
  readonly reason: string
  /** Tokens of the prompt at that time: the next attempt waits until it has grown. */
  readonly tokens: number
}

/** Rank of each kind among the rows of one position. */
const RANK: Record<Row["kind"], number> = { message: 0, prune: 1, summary: 2, reset: 3, recall: 4 }

/**
 * Rank of a kind among the rows that share a position: a message, then its marks.
 *
 * @category ordering
 * @since 0.1.0
 */
export const rank = (kind: Row["kind"]): number => RANK[kind]

/**
 * Compares two rows by position, rank and revision: the order of a thread.
 *
 * @category ordering
 * @since 0.1.0
 */
export const order = (a: Row, b: Row): number =>
  a.position - b.position ||
  rank(a.kind) - rank(b.kind) ||
  (a.kind === "message" ? 0 : a.revision) - (b.kind === "message" ? 0 : b.revision)
