/**
 * Writes what a step has to keep, and follows the store where it knows better.
 *
 * @since 0.1.0
 */
import { Effect, Ref } from "effect"
import { advance } from "../thread/Advance.ts"
import type { Mark } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import type { RowError, StoreError } from "./Errors.ts"
import { storeValues } from "./PutAway.ts"
import type { StepContext } from "./StepContext.ts"
import { agrees, datedAs, lastOf } from "./StepState.ts"
import type { NewMessage } from "./ThreadStore.ts"

/**
 * Reads the thread again. While that fails, the state stays stale.
 *
 * @category combinators
 * @since 0.1.0
 */
export const reload = Effect.fnUntraced(function* ({ key, store, state }: StepContext) {
  yield* Ref.update(state, (now) => ({ ...now, isStale: true }))
  const thread = yield* store.load(key)
  yield* Ref.update(state, (now) => ({ ...now, thread, isStale: false }))
})

/** Id of the newest row that is stored: what is appended follows it, and goes where it went. */
const lastStored = (thread: Thread, unsaved: ReadonlyArray<NewMessage>): string => {
  const fresh = new Set(unsaved.map((message) => message.id))
  return lastOf({ ...thread, rows: thread.rows.filter((row) => !fresh.has(row.id)) }).id
}

/**
 * Stores the unsaved rows. Returns false when somebody else had written to the thread: it was read again, and what
 * was decided before no longer counts.
 *
 * @category combinators
 * @since 0.1.0
 */
export const checkpoint = Effect.fn("Palimpsest.checkpoint")(function* (
  context: StepContext,
): Effect.fn.Return<boolean, StoreError | RowError> {
  const { thread, unsaved, isStale } = yield* Ref.get(context.state)
  if (unsaved.length > 0) {
    const after = lastStored(thread, unsaved)
    yield* storeValues(context, unsaved)
    const rows = yield* context.store.append(context.key, unsaved, { after })
    yield* Effect.annotateCurrentSpan({ "checkpoint.rows": rows.length })
    yield* Ref.update(context.state, (now) => ({
      ...now,
      thread: datedAs(now.thread, rows),
      unsaved: [],
      unsure: null,
      isStale: isStale || !agrees(thread, rows),
    }))
  }
  if (!(yield* Ref.get(context.state)).isStale) return true
  yield* reload(context)
  return false
})

/**
 * Puts a mark, and adds it to the thread in the process. When another process won, its rows are read and used: its
 * mark is returned, or null when a later cut has overtaken this one. Whether a mark was written whose answer was
 * lost is not known: the thread is read again before the next pass.
 *
 * @category combinators
 * @since 0.1.0
 */
export const putMark = Effect.fn("Palimpsest.mark")(function* (
  context: StepContext,
  mark: Mark,
): Effect.fn.Return<{ readonly row: Mark | null; readonly written: boolean }, StoreError | RowError> {
  const { position: _, ...fields } = mark
  const outcome = yield* context.store
    .mark(context.key, fields)
    .pipe(Effect.onError(() => Ref.update(context.state, (now) => ({ ...now, isStale: true }))))
  yield* Effect.annotateCurrentSpan({ "mark.kind": mark.kind, "mark.outcome": outcome._tag })
  if (outcome._tag === "Written") {
    yield* Ref.update(context.state, (now) => ({ ...now, thread: advance(now.thread, outcome.row) }))
    return { row: outcome.row, written: true }
  }
  yield* reload(context)
  return { row: outcome._tag === "Adopted" ? outcome.row : null, written: false }
})
