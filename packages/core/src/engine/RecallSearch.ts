/**
 * The search of the recall tool: over the index of all chats where there is one, else over the rows of the chat.
 *
 * @since 0.1.0
 */
import { Effect, Ref, Result } from "effect"
import { passOutbound, WITHHELD } from "../prompt/OutboundText.ts"
import { documentsOf, type MemoryDocument } from "../recall/Document.ts"
import { rankByWords } from "../recall/Rank.ts"
import { termsOf } from "../recall/Terms.ts"
import { weigh } from "../recall/Weigh.ts"
import type { MessageRow } from "../thread/Row.ts"
import { openWindow } from "../thread/Window.ts"
import { StoreError } from "./Errors.ts"
import type { StepContext } from "./StepContext.ts"
import { lastOf } from "./StepState.ts"

/** Memories that one search finds at most, over all pages. */
const MOST_FOUND = 50

/** Newest positions of a chat that are searched without an index, and how many are read at a time. */
const SCANNED = 1_000
const READ = 250

/** What was found, and what did not work. */
export interface Search {
  readonly found: ReadonlyArray<MemoryDocument>
  /** Lines for the model that say what was not searched. */
  readonly notes: ReadonlyArray<string>
  readonly degraded: ReadonlyArray<string>
}

/** Rows that the model reads in full as it is. */
const visibleRows = Effect.fnUntraced(function* ({ state, settings }: StepContext) {
  const { entries } = openWindow((yield* Ref.get(state)).thread, settings)
  return new Set(entries.filter(({ form }) => form === "verbatim").map(({ row }) => row.id))
})

/** The newest stored rows of the chat, a bounded number. */
const newestRows = Effect.fnUntraced(function* ({ key, store, state }: StepContext) {
  const last = lastOf((yield* Ref.get(state)).thread).position
  const start = Math.max(0, last - SCANNED)
  const rows: Array<MessageRow> = []
  let next: number | null = start
  for (let read = 0; next !== null && read < SCANNED; read += READ) {
    const page: Effect.Success<ReturnType<typeof store.page>> = yield* store.page(key, next, READ)
    rows.push(...page.rows.filter((row) => row.kind === "message"))
    next = page.next
  }
  return { rows, isPart: start > 0 || next !== null }
})

const byWords = Effect.fnUntraced(function* (
  context: StepContext,
  query: string,
  owner: string,
  visible: ReadonlySet<string>,
): Effect.fn.Return<Pick<Search, "found" | "notes">, StoreError> {
  const { rows, isPart } = yield* newestRows(context)
  const { redact } = context.settings
  const documents = documentsOf(rows, { owner, chat: context.key.chat, clean: redact })
  const weighed = weigh(documents)
  const extent = { documents: weighed.length, length: weighed.reduce((sum, { length }) => sum + length, 0) }
  const ranked = rankByWords(weighed, termsOf(query), extent)
  const what = isPart ? "the newest part of this conversation" : "this conversation"
  return {
    found: ranked.map(({ document }) => document).filter(({ row }) => !visible.has(row)),
    notes: [`(only ${what} was searched, by words)`],
  }
})

const byIndex = Effect.fnUntraced(function* (
  { key, index }: StepContext,
  query: string,
  owner: string,
  visible: ReadonlySet<string>,
): Effect.fn.Return<Search, StoreError> {
  if (index === null)
    return yield* new StoreError({ operation: "search", reason: "no index", isRetryable: false })
  const { found, degraded } = yield* index.search({
    tenant: key.tenant,
    owner,
    query,
    limit: MOST_FOUND,
    except: { chat: key.chat, rows: [...visible] },
  })
  // The index is a port: what it gives of others is not believed.
  const documents = found
    .map(({ document }) => document)
    .filter(
      (document) => document.owner === owner && !(document.chat === key.chat && visible.has(document.row)),
    )
  return { found: documents, notes: [], degraded }
})

const filtered = ({ outbound, settings }: StepContext, document: MemoryDocument): MemoryDocument => {
  const text = settings.redact(document.text)
  return { ...document, text: outbound === null ? text : (passOutbound(outbound, text) ?? WITHHELD) }
}

/**
 * Searches what is not before the model's eyes. Without an index, or with one that fails, the rows of the chat are
 * searched by words.
 */
export const recallSearch = Effect.fnUntraced(function* (
  context: StepContext,
  given: string,
): Effect.fn.Return<Search, StoreError> {
  const { index, outbound, settings, state } = context
  const passed = outbound === null ? given : passOutbound(outbound, given)
  if (passed === null) {
    const reason = "the filter of texts failed on the query"
    return yield* new StoreError({ operation: "search", reason, isRetryable: false })
  }
  const query = settings.redact(passed)
  const { owner = "" } = (yield* Ref.get(state)).thread
  const visible = yield* visibleRows(context)
  const indexed =
    index === null ? null : yield* Effect.result(defectless(byIndex(context, query, owner, visible)))
  const answer =
    indexed !== null && Result.isSuccess(indexed)
      ? indexed.success
      : { ...(yield* byWords(context, query, owner, visible)), degraded: [] }
  const failure = indexed !== null && Result.isFailure(indexed) ? [indexed.failure.message] : []
  return {
    ...answer,
    found: answer.found.slice(0, MOST_FOUND).map((document) => filtered(context, document)),
    degraded: [...failure, ...answer.degraded],
  }
})

/** A port that dies of a fault of its own is one that fails. */
const defectless = <A>(run: Effect.Effect<A, StoreError>): Effect.Effect<A, StoreError> =>
  Effect.catchDefect(run, () =>
    Effect.fail(
      new StoreError({ operation: "search", reason: "it died, or found no documents", isRetryable: false }),
    ),
  )
