/**
 * Writing to chats in memory: messages, marks and failures.
 *
 * @since 0.1.0
 */
import { Result } from "effect"
import type { RowError } from "../../engine/Errors.ts"
import { isCut, readMessages } from "../../engine/LiveThread.ts"
import {
  adopt,
  checkNewFailure,
  conflict,
  encodeBatch,
  encodeNewMark,
  hidden,
  unknownAnchor,
} from "../../engine/RowFaults.ts"
import { samePayload } from "../../engine/StoredRow.ts"
import type { AppendOptions, MarkOutcome, NewMark, NewMessage } from "../../engine/ThreadStore.ts"
import { type Failure, type MessageRow, order, rank } from "../../thread/Row.ts"
import { timeOf, type View } from "./Chat.ts"
import { byPlace, findCut, positionOf } from "./Read.ts"

/** Appends in one piece. */
export const append = (
  view: View,
  messages: ReadonlyArray<NewMessage>,
  { after = "" }: AppendOptions = {},
): Result.Result<ReadonlyArray<MessageRow>, RowError> =>
  Result.gen(function* () {
    const { chat } = view
    const batch = yield* encodeBatch(messages)
    if (positionOf(view, after) === undefined) return yield* Result.fail(hidden("append", after))
    const stored = new Map(view.messages.map((row) => [row.id, row]))
    for (const row of batch) {
      const other = stored.get(row.id)
      if (other !== undefined && !samePayload(other.payload, row.payload)) {
        return yield* Result.fail(conflict(row.id))
      }
    }
    const fresh = batch
      .filter((row) => !stored.has(row.id))
      .map((row, i) => ({ ...row, position: chat.next + i }))
    chat.next += fresh.length
    chat.messages.push(...fresh)
    const all = new Map([...stored, ...fresh.map((row) => [row.id, row] as const)])
    return batch.flatMap((row) => {
      const placed = all.get(row.id)
      return placed === undefined ? [] : readMessages([placed]).rows
    })
  })

/** A mark that was made of another thread than there is now. */
const isStale = ({ chat }: View, mark: NewMark, live: string | null): boolean =>
  mark.revision < chat.revision ||
  (mark.kind === "summary" && mark.previous !== undefined && mark.previous !== live)

/** Puts a mark. */
export const putMark = (view: View, mark: NewMark): Result.Result<MarkOutcome, RowError> =>
  Result.gen(function* () {
    const { chat } = view
    const stored = yield* encodeNewMark(mark)
    const position = positionOf(view, mark.anchor)
    if (position === undefined) return yield* Result.fail(unknownAnchor("mark", mark.anchor))
    const placed = {
      ...stored,
      position,
      rank: rank(mark.kind),
      seq: chat.seq + 1,
      time: timeOf(chat),
      isWithdrawn: false,
    }
    const row = yield* adopt(placed)
    const live = isCut(row) ? findCut(view).cut : null
    if (live !== null && live.id !== row.id && order(row, live) < 0)
      return { _tag: "Superseded", id: live.id }
    const other =
      view.marks.find((one) => one.id === row.id) ?? view.marks.find((one) => byPlace(one, placed) === 0)
    if (other !== undefined) return { _tag: "Adopted", row: yield* adopt(other) }
    if (isStale(view, mark, live?.id ?? null)) return { _tag: "Superseded", id: live?.id ?? "" }
    chat.seq += 1
    chat.newestRevision = Math.max(chat.newestRevision, mark.revision)
    chat.marks.push(placed)
    return { _tag: "Written", row }
  })

const sameFailure = (a: Failure, b: Failure): boolean =>
  a.anchor === b.anchor && a.stage === b.stage && a.reason === b.reason && a.tokens === b.tokens

/** Records a failure, once. */
export const putFailure = (view: View, failure: Failure): Result.Result<void, RowError> =>
  Result.gen(function* () {
    const { chat } = view
    const { anchor, stage, reason, tokens } = yield* checkNewFailure(failure)
    const position = positionOf(view, anchor)
    if (position === undefined) return yield* Result.fail(unknownAnchor("fail", anchor))
    if (view.failures.some((row) => sameFailure(row.failure, failure))) return
    chat.failures.push({
      failure: { anchor, stage, reason, tokens },
      position,
      seq: ++chat.seq,
      time: timeOf(chat),
    })
  })
