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
import type { StepContext } from "./StepContext.ts"
import { agrees } from "./StepState.ts"

/** Reads the thread again. While that fails, the state stays stale. */
const reload = Effect.fnUntraced(function* ({ key, store, state }: StepContext) {
  yield* Ref.update(state, (now) => ({ ...now, isStale: true }))
  const thread = yield* store.load(key)
  yield* Ref.update(state, (now) => ({ ...now, thread, isStale: false }))
})

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
    const rows = yield* context.store.append(context.key, unsaved)
    yield* Effect.annotateCurrentSpan({ "checkpoint.rows": rows.length })
    yield* Ref.update(context.state, (now) => ({
      ...now,
      unsaved: [],
      isStale: isStale || !agrees(thread, rows),
    }))
  }
  if (!(yield* Ref.get(context.state)).isStale) return true
  yield* reload(context)
  return false
})

/**
 * Tells whether another process has cut the thread since `before` was read; then the thread is read again. A summary
 * made without knowing of a "start over" would bring back what was put away.
 *
 * @category combinators
 * @since 0.1.0
 */
export const isCutElsewhere = Effect.fnUntraced(function* (
  { key, store, state }: StepContext,
  before: Thread,
): Effect.fn.Return<boolean, StoreError> {
  const thread = yield* store.load(key)
  if (thread.cut?.id === before.cut?.id) return false
  yield* Ref.update(state, (now) => ({ ...now, thread, isStale: false }))
  return true
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
