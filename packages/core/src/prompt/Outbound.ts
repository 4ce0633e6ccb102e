/**
 * The thread as it may leave: every text of its rows passed through the host's filter, before anything is decided or
 * written of it. So the prompt, the summariser and the flush read the same.
 *
 * @since 0.1.0
 */
import { isJson } from "../prepass/Json.ts"
import { parseFence, renderFence } from "../text/Fence.ts"
import type {
  AssistantMessage,
  MediaPart,
  Message,
  OpaquePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  ToolResultPart,
} from "../thread/Message.ts"
import type { Cut, MessageRow, Patch, PruneRow, RecallRow, Row, SummaryRow } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import { makeSieve, type OutboundFilter, type Sieve, WITHHELD } from "./OutboundText.ts"

/**
 * A filtered thread, and the ids of the rows of which some text is withheld.
 *
 * @category models
 * @since 0.1.0
 */
export interface Outbound {
  readonly thread: Thread
  readonly withheld: ReadonlyArray<string>
}

/** The name of a count that no counter has: what changed is counted anew. */
const UNCOUNTED = ""

const textPart = (part: TextPart, sieve: Sieve): TextPart => ({ ...part, text: sieve.text(part.text) })

/** A signature is of the text that was written: over another one there is none. */
const reasoningPart = (part: ReasoningPart, sieve: Sieve): ReasoningPart => {
  const text = sieve.text(part.text)
  const { signature: _, ...unsigned } = part
  return text === part.text ? part : { ...unsigned, text }
}

const callPart = (part: ToolCallPart, sieve: Sieve): ToolCallPart => {
  const args = sieve.json(part.arguments)
  const { signature: _, ...unsigned } = part
  return args === part.arguments ? part : { ...unsigned, arguments: args }
}

const mediaPart = (part: MediaPart, sieve: Sieve): MediaPart =>
  part.name === undefined ? part : { ...part, name: sieve.text(part.name) }

/** What only a provider understands stays what it is while it stays JSON. */
const opaquePart = (part: OpaquePart, sieve: Sieve): OpaquePart | TextPart => {
  const json = sieve.json(part.json)
  return json === part.json || isJson(json) ? { ...part, json } : { type: "text", text: WITHHELD }
}

const contentPart = <P extends TextPart | MediaPart | OpaquePart>(part: P, sieve: Sieve) => {
  if (part.type === "text") return textPart(part, sieve)
  return part.type === "media" ? mediaPart(part, sieve) : opaquePart(part, sieve)
}

const responsePart = (part: AssistantMessage["parts"][number], sieve: Sieve) => {
  if (part.type === "reasoning") return reasoningPart(part, sieve)
  return part.type === "tool-call" ? callPart(part, sieve) : contentPart(part, sieve)
}

const resultPart = (part: ToolResultPart, sieve: Sieve): ToolResultPart => ({
  ...part,
  content: part.content.map((item) => contentPart(item, sieve)),
})

const toolPart = (part: ToolMessage["parts"][number], sieve: Sieve) => {
  if (part.type === "tool-result") return resultPart(part, sieve)
  return part.reason === undefined ? part : { ...part, reason: sieve.text(part.reason) }
}

/** Names have an alphabet of their own: one that may not leave as it is does not leave. */
const named = <M extends { readonly name?: string }>(message: M, sieve: Sieve): M => {
  const { name, ...nameless } = message
  return name === undefined || sieve.text(name) === name ? message : (nameless as M)
}

const messageOf = (message: Message, sieve: Sieve): Message => {
  switch (message.role) {
    case "user":
      return { ...named(message, sieve), parts: message.parts.map((part) => contentPart(part, sieve)) }
    case "assistant":
      return { ...named(message, sieve), parts: message.parts.map((part) => responsePart(part, sieve)) }
    case "tool":
      return { ...message, parts: message.parts.map((part) => toolPart(part, sieve)) }
  }
}

const patchesOf = (patches: ReadonlyArray<Patch>, sieve: Sieve): ReadonlyArray<Patch> =>
  patches.map((patch) => ({ ...patch, text: sieve.json(patch.text) }))

/** What came is sent only while all of it may leave. */
const rowOf = (row: MessageRow, sieve: Sieve): MessageRow => {
  const message = messageOf(row.message, sieve)
  const cap = row.cap === undefined ? {} : { cap: patchesOf(row.cap, sieve) }
  if (row.raw !== undefined) sieve.json(row.raw.text)
  const { raw: _, ...rest } = row
  return { ...rest, message, ...cap, tokenizer: UNCOUNTED }
}

/** A fence stays one, whatever the filter makes of what is in it. */
const fenceOf = (name: "memory-context" | "context-summary", text: string, sieve: Sieve): string => {
  const fence = parseFence(name, text)
  return fence === null ? sieve.text(text) : renderFence(name, fence.note, sieve.text(fence.payload))
}

const summaryOf = (row: SummaryRow, sieve: Sieve): SummaryRow => ({
  ...row,
  summary: { items: row.summary.items.map((item) => ({ ...item, text: sieve.text(item.text) })) },
  text: fenceOf("context-summary", row.text, sieve),
  tokenizer: UNCOUNTED,
})

const recallOf = (row: RecallRow, sieve: Sieve): RecallRow => ({
  ...row,
  text: fenceOf("memory-context", row.text, sieve),
  tokenizer: UNCOUNTED,
})

const pruneOf = (row: PruneRow, sieve: Sieve): PruneRow => ({
  ...row,
  reductions: row.reductions.map((reduction) => ({
    ...reduction,
    patches: patchesOf(reduction.patches, sieve),
  })),
})

const PASS: { readonly [K in Row["kind"]]: (row: Extract<Row, { kind: K }>, sieve: Sieve) => Row } = {
  message: rowOf,
  summary: summaryOf,
  recall: recallOf,
  prune: pruneOf,
  reset: (row) => row,
}

/**
 * Filters a message, as it is filtered before it leaves.
 *
 * @category combinators
 * @since 0.1.0
 */
export const filterMessage = (message: Message, filter: OutboundFilter): Message =>
  messageOf(message, makeSieve(filter))

/**
 * Filters the message of a row, as it is filtered before it leaves. A row of which nothing changes is the same row.
 *
 * @category combinators
 * @since 0.1.0
 */
export const filterRow = (row: MessageRow, filter: OutboundFilter): MessageRow => {
  const sieve = makeSieve(filter)
  const passed = rowOf(row, sieve)
  return sieve.hasChanged() ? passed : row
}

/**
 * Filters a thread: all texts of its messages, summaries, recalled blocks and reductions. Rows of which nothing changes
 * are the same rows; the others are counted anew. What a model or a host sends may be made of the result alone.
 *
 * **Gotchas**
 *
 * The system prompt is the host's own and is left alone, and so are ids, names of tools, and the bytes of media.
 *
 * **Example** (An address)
 *
 * ```ts
 * import { advance, emptyThread, filterThread, user } from "@palimpsest/core"
 *
 * const message = user("Write to a@b.c")
 * const row = { kind: "message", id: "m1", position: 1, message, tokens: 6, tokenizer: "x" } as const
 * const thread = advance(emptyThread(""), row)
 * const { thread: sent } = filterThread(thread, (text) => text.replaceAll("a@b.c", "[address]"))
 * JSON.stringify(sent).includes("a@b.c") // => false
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const filterThread = (thread: Thread, filter: OutboundFilter): Outbound => {
  const withheld: Array<string> = []
  const changed = new Set<string>()
  const filtered = <R extends Row>(row: R): R => {
    const sieve = makeSieve(filter)
    const passed = (PASS[row.kind] as (row: R, sieve: Sieve) => Row)(row, sieve)
    if (sieve.hasFailed()) withheld.push(row.id)
    if (!sieve.hasChanged()) return row
    changed.add(row.id)
    return passed as R
  }
  const cut: Cut | null = thread.cut === null ? null : filtered(thread.cut)
  const kept = thread.kept.map(filtered)
  const rows = thread.rows.map(filtered)
  /** A reduction holds the tokens of a whole row: they count no more when any of it changed. */
  const recounted = <R extends Row>(row: R): R =>
    row.kind === "prune" && (changed.has(row.id) || row.reductions.some((one) => changed.has(one.row)))
      ? { ...row, tokenizer: UNCOUNTED }
      : row
  return { thread: { ...thread, cut, kept, rows: rows.map(recounted) }, withheld }
}
