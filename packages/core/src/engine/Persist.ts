/**
 * Writes what a step has to keep, and follows the store where it knows better.
 *
 * @since 0.1.0
 */
import { Effect, Ref } from "effect"
import { advance } from "../thread/Advance.ts"
import type { Mark } from "../thread/Row.ts"
import type { RowError, StoreError } from "./Errors.ts"
import type { StepContext } from "./StepContext.ts"
import { agrees } from "./StepState.ts"

const reload = Effect.fnUntraced(function* ({ key, store, state }: StepContext) {
  const thread = yield* store.load(key)
  yield* Ref.update(state, (now) => ({ ...now, thread }))
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
  const { thread, unsaved } = yield* Ref.get(context.state)
  if (unsaved.length === 0) return true
  const rows = yield* context.store.append(context.key, unsaved)
  yield* Effect.annotateCurrentSpan({ "checkpoint.rows": rows.length })
  yield* Ref.set(context.state, { thread, unsaved: [] })
  if (agrees(thread, rows)) return true
  yield* reload(context)
  return false
})

/**
 * Puts a mark, and adds it to the thread in the process. When another process won, its rows are read and used.
 *
 * @category combinators
 * @since 0.1.0
 */
export const putMark = Effect.fn("Palimpsest.mark")(function* (
  context: StepContext,
  mark: Mark,
): Effect.fn.Return<{ readonly row: Mark; readonly written: boolean }, StoreError | RowError> {
  const { position: _, ...fields } = mark
  const outcome = yield* context.store.mark(context.key, fields)
  yield* Effect.annotateCurrentSpan({ "mark.kind": mark.kind, "mark.outcome": outcome._tag })
  if (outcome._tag === "Written") {
    yield* Ref.update(context.state, (now) => ({ ...now, thread: advance(now.thread, outcome.row) }))
    return { row: outcome.row, written: true }
  }
  yield* reload(context)
  return { row: outcome._tag === "Adopted" ? outcome.row : mark, written: false }
})
