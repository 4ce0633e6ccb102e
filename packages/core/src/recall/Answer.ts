/**
 * Memories that were found, as the recall tool answers them: a line for each, with its row.
 *
 * @since 0.1.0
 */
import { recallHint } from "../prepass/StubRule.ts"
import { clip, oneLine } from "../summary/ItemText.ts"
import { dayOf } from "./Day.ts"
import type { MemoryDocument } from "./Document.ts"
import { type AnswerRoom, enveloped, fits, noRoom } from "./Envelope.ts"

/**
 * What is asked of an answer to a search.
 *
 * @category models
 * @since 0.1.0
 */
export interface FoundOptions extends AnswerRoom {
  /** The chat that asks: rows of others are named with their chat. */
  readonly chat: string
  /** Memories to pass over: those of the pages before. */
  readonly skip: number
  /** Most memories of one answer. */
  readonly most: number
  /** Lines that say what was not searched. */
  readonly notes: ReadonlyArray<string>
}

/** Lengths that the text of a memory is cut down to, in UTF-16 units: the shorter ones where there is little room. */
const LENGTHS = [600, 150, 40]

const lineOf = (document: MemoryDocument, chat: string, units: number): string => {
  const { row, role, at } = document
  const hint = recallHint(row, document.chat === chat ? null : document.chat)
  const origin = [role, at === 0 ? null : dayOf(at), hint].filter((piece) => piece !== null)
  return `- ${clip(oneLine(document.text), units)} [${origin.join(", ")}]`
}

/** Each text once: the first of it. */
const distinct = (documents: ReadonlyArray<MemoryDocument>): ReadonlyArray<MemoryDocument> => {
  const seen = new Set<string>()
  return documents.filter((document) => {
    const text = oneLine(document.text)
    const isNew = text !== "" && !seen.has(text)
    seen.add(text)
    return isNew
  })
}

const render = (lines: ReadonlyArray<string>, skip: number, left: boolean, notes: ReadonlyArray<string>) => {
  const what = skip === 0 ? "Nothing was found for it." : "Nothing more was found for it."
  const more = left
    ? [`(there is more: call recall with the same query, and page "${skip + lines.length}")`]
    : []
  return enveloped([...(lines.length === 0 ? [what] : lines), ...more, ...notes])
}

/** As many of the documents as fit, each cut down to a length; null when not even one does. */
const atLength = (
  documents: ReadonlyArray<MemoryDocument>,
  units: number,
  { chat, skip, most, notes, ...room }: FoundOptions,
): string | null => {
  const lines = documents.map((document) => lineOf(document, chat, units))
  for (let shown = Math.min(most, lines.length); shown > 0; shown--) {
    const text = render(lines.slice(0, shown), skip, shown < lines.length, notes)
    if (fits(text, room)) return text
  }
  return null
}

/**
 * Shows memories in the order given, each text once, as many as fit, with how to read the row of each in full.
 *
 * **Example** (A memory of another chat)
 *
 * ```ts
 * import { estimateCounter, parseFence, renderFound } from "@palimpsest/core"
 *
 * const tea = { owner: "", chat: "3", row: "m2", position: 2, piece: 0, role: "user", text: "I take tea.", at: 0 } as const
 * const options = { chat: "7", skip: 0, most: 10, notes: [], maxTokens: 500, counter: estimateCounter }
 * const answer = renderFound([tea], options)
 * parseFence("memory-context", answer)?.payload // => '- I take tea. [user, recall("chat:3/m2")]'
 * ```
 *
 * @category rendering
 * @since 0.1.0
 */
export const renderFound = (found: ReadonlyArray<MemoryDocument>, options: FoundOptions): string => {
  const documents = distinct(found).slice(options.skip)
  for (const units of LENGTHS) {
    const text = documents.length === 0 ? null : atLength(documents, units, options)
    if (text !== null) return text
  }
  const none = render([], options.skip, false, options.notes)
  return documents.length === 0 && fits(none, options) ? none : noRoom(options)
}
