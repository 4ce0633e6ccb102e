/**
 * Rows for the recall tool: of the chat, or of another one of the same tenant and owner.
 *
 * @since 0.1.0
 */
import { Effect, Ref, Result } from "effect"
import { filterMessage } from "../prompt/Outbound.ts"
import { dayOf } from "../recall/Day.ts"
import { quoted } from "../recall/Envelope.ts"
import { fullTextOf } from "../recall/FullText.ts"
import type { ShownRow } from "../recall/Page.ts"
import { MOST_ROWS, spellingsOf } from "../recall/Request.ts"
import { readAddress, rowAddress } from "../thread/Address.ts"
import type { MessageRow } from "../thread/Row.ts"
import type { RowError, StoreError } from "./Errors.ts"
import type { StepContext } from "./StepContext.ts"
import { find } from "./StepState.ts"

/** Ids of which it is told that they gave nothing: more would leave no room for those that did. */
const NOTES = 3

/** A row that was found, and its chat: null for the one that asks. */
interface FoundRow {
  readonly row: MessageRow
  readonly chat: string | null
}

type Failed = StoreError | RowError

const ofChat = Effect.fnUntraced(function* (context: StepContext, id: string) {
  const known = find((yield* Ref.get(context.state)).thread, id)
  return known ?? (yield* context.store.row(context.key, id))
})

/** A row of another chat, where that is of the same owner: for any other one there is no such row. */
const ofOther = Effect.fnUntraced(function* ({ key, store, state }: StepContext, chat: string, id: string) {
  const other = { tenant: key.tenant, chat }
  const { thread } = yield* Ref.get(state)
  const row = yield* store.row(other, id)
  if (row === null) return null
  const { owner = "" } = yield* store.load(other)
  return owner === (thread.owner ?? "") ? row : null
})

/** The row at an address. What has the form of an address and leads nowhere may still be the id of a row. */
const lookUp = Effect.fnUntraced(function* (
  context: StepContext,
  text: string,
): Effect.fn.Return<FoundRow | null, Failed> {
  const { chat, row: id } = readAddress(text)
  const isOther = chat !== null && chat !== context.key.chat
  const addressed = isOther ? yield* ofOther(context, chat, id) : yield* ofChat(context, id)
  if (addressed !== null) return { row: addressed, chat: isOther ? chat : null }
  const own = id === text ? null : yield* ofChat(context, text)
  return own === null ? null : { row: own, chat: null }
})

/** The rows that an id means, as a model gave it: those of the first spelling that are there. */
const meant = Effect.fnUntraced(function* (
  context: StepContext,
  id: string,
): Effect.fn.Return<ReadonlyArray<FoundRow>, Failed> {
  for (const spelling of spellingsOf(id)) {
    const found = yield* Effect.forEach(spelling, (text) => lookUp(context, text))
    const rows = found.filter((row) => row !== null)
    if (rows.length > 0) return rows
  }
  return []
})

/**
 * A row as it may leave: its texts pass the host's filter, as in a prompt; those of another chat are redacted as well, as
 * what is remembered of it was.
 */
const shown = ({ outbound, settings }: StepContext, { row, chat }: FoundRow): ShownRow => {
  const text = fullTextOf(outbound === null ? row.message : filterMessage(row.message, outbound))
  const day = row.at === undefined ? null : dayOf(row.at)
  return {
    address: rowAddress(row.id, chat),
    origin: day === null ? row.message.role : `${row.message.role}, ${day}`,
    text: chat === null ? text : settings.redact(text),
  }
}

/** What was found of some ids: rows, and a line for each id that gave none. */
export interface RecalledRows {
  readonly rows: ReadonlyArray<ShownRow>
  readonly notes: ReadonlyArray<string>
  /** Failures of the store. */
  readonly failures: ReadonlyArray<Failed>
}

const noteOf = (id: string, found: Result.Result<ReadonlyArray<FoundRow>, Failed>): ReadonlyArray<string> => {
  if (Result.isFailure(found)) return [`(row ${quoted(id)} could not be read)`]
  return found.success.length === 0 ? [`(there is no row ${quoted(id)})`] : []
}

/** Reads the rows of ids that a model gave. What cannot be read costs itself alone. */
export const recalledRows = Effect.fnUntraced(function* (
  context: StepContext,
  ids: ReadonlyArray<string>,
): Effect.fn.Return<RecalledRows> {
  const asked = ids.slice(0, MOST_ROWS)
  const answers = yield* Effect.forEach(asked, (id) => Effect.result(meant(context, id)))
  const found = answers.flatMap((answer) => (Result.isSuccess(answer) ? answer.success : []))
  const rows = new Map(found.map((one) => [rowAddress(one.row.id, one.chat), one]))
  const all = [...rows.values()]
  const over = all.length > MOST_ROWS || ids.length > MOST_ROWS
  const notes = asked.flatMap((id, i) => noteOf(id, answers[i] ?? Result.succeed([])))
  return {
    rows: all.slice(0, MOST_ROWS).map((one) => shown(context, one)),
    notes: [...notes.slice(0, NOTES), ...(over ? [`(one call reads ${MOST_ROWS} rows at most)`] : [])],
    failures: answers.flatMap((answer) => (Result.isFailure(answer) ? [answer.failure] : [])),
  }
})
