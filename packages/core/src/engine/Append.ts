/**
 * Adds messages to a step, in the process.
 *
 * @since 0.1.0
 */
import { Effect, Ref } from "effect"
import { countSystem } from "../count/Count.ts"
import { canonicalJson } from "../thread/Id.ts"
import { RowError } from "./Errors.ts"
import type { StepContext } from "./StepContext.ts"
import { find, type Input, lastOf, newMessage, push } from "./StepState.ts"

const conflict = (row: string): RowError =>
  new RowError({
    operation: "append",
    row,
    reason: "the thread has this id with other content",
    remedy: "Give the message an id of its own: rows are never rewritten.",
  })

/**
 * Appends. Nothing is added when one of the messages is refused.
 *
 * @category combinators
 * @since 0.1.0
 */
export const appendTo = Effect.fn("Palimpsest.append")(function* (
  { key, settings, state }: StepContext,
  inputs: ReadonlyArray<Input>,
): Effect.fn.Return<ReadonlyArray<string>, RowError> {
  yield* Effect.annotateCurrentSpan({ "append.messages": inputs.length })
  let next = yield* Ref.get(state)
  const system = countSystem(next.thread.system, settings.counter, settings.accounting)
  const ids: Array<string> = []
  for (const input of inputs) {
    const message = newMessage(key, lastOf(next.thread).id, input, system, settings)
    const known = find(next.thread, message.id)
    if (known === undefined) next = push(next, message)
    else if (canonicalJson(known.message) !== canonicalJson(message.message))
      return yield* conflict(message.id)
    ids.push(message.id)
  }
  yield* Ref.set(state, next)
  return ids
})
