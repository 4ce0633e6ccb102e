/**
 * What people do to the thread of a step: they go back in it, and change what was said.
 *
 * @since 0.1.0
 */
import { Effect, Ref } from "effect"
import { countSystem } from "../count/Count.ts"
import type { MessageRow } from "../thread/Row.ts"
import type { RowError, StoreError } from "./Errors.ts"
import { checkpoint, reload } from "./Persist.ts"
import { noEditor } from "./RowFaults.ts"
import type { StepContext } from "./StepContext.ts"
import { type Input, newMessage } from "./StepState.ts"

const editorOf = (operation: string, { editor }: StepContext) =>
  editor === null ? Effect.fail(noEditor(operation)) : Effect.succeed(editor)

/** What was asked before is no longer what will be answered. */
const forget = ({ state }: StepContext) =>
  Ref.update(state, (now) => ({ ...now, asked: null, recalledFor: null, isFresh: true }))

/**
 * Rewinds the thread of a step to a message.
 *
 * @category combinators
 * @since 0.1.0
 */
export const rewind = Effect.fn("Palimpsest.rewind")(function* (
  context: StepContext,
  to: string,
): Effect.fn.Return<void, StoreError | RowError> {
  const editor = yield* editorOf("rewind", context)
  yield* checkpoint(context)
  yield* editor.rewind(context.key, to)
  yield* reload(context)
  yield* forget(context)
})

/**
 * Gives a message of the thread of a step other content.
 *
 * @category combinators
 * @since 0.1.0
 */
export const edit = Effect.fn("Palimpsest.edit")(function* (
  context: StepContext,
  input: Input & { readonly id: string },
): Effect.fn.Return<MessageRow, StoreError | RowError> {
  const editor = yield* editorOf("edit", context)
  const { key, settings, state } = context
  yield* checkpoint(context)
  const { thread } = yield* Ref.get(state)
  const system = countSystem(thread.system, settings.counter, settings.accounting)
  const row = yield* editor.edit(key, newMessage(key, "", input, system, settings))
  yield* reload(context)
  yield* forget(context)
  return row
})
