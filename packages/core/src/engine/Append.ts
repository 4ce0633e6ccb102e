/**
 * Adds messages to a step, in the process.
 *
 * @since 0.1.0
 */
import { Effect, Ref } from "effect"
import { countSystem } from "../count/Count.ts"
import { canonicalJson } from "../thread/Id.ts"
import type { Thread } from "../thread/Thread.ts"
import { RowError } from "./Errors.ts"
import { checkMessage } from "./RowFaults.ts"
import type { StepContext } from "./StepContext.ts"
import { alreadySaid, find, type Input, lastOf, newMessage, push } from "./StepState.ts"

const conflict = (row: string): RowError =>
  new RowError({
    operation: "append",
    row,
    reason: "the thread has this id with other content",
    remedy: "Give the message an id of its own: rows are never rewritten.",
  })

const lastIds = (thread: Thread, count: number): Array<string> =>
  thread.rows.flatMap((row) => (row.kind === "message" ? [row.id] : [])).slice(-count)

/** A message that no store would keep would take every later one of the step with it: it is refused at once. */
const checkInput = ({ id, message, raw }: Input) =>
  checkMessage({
    id: id ?? "derived",
    message,
    tokens: 0,
    tokenizer: "",
    ...(raw === undefined ? {} : { raw }),
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
  for (const input of inputs) yield* Effect.fromResult(checkInput(input))
  let next = yield* Ref.get(state)
  const system = countSystem(next.thread.system, settings.counter, settings.accounting)
  const known = next.isFresh ? alreadySaid(key, next.thread, inputs) : 0
  const ids = known === 0 ? [] : lastIds(next.thread, known)
  for (const input of inputs.slice(known)) {
    const message = newMessage(key, lastOf(next.thread).id, input, system, settings)
    const there = find(next.thread, message.id)
    if (there === undefined) next = push(next, message)
    else if (canonicalJson(there.message) !== canonicalJson(message.message))
      return yield* conflict(message.id)
    ids.push(message.id)
  }
  yield* Ref.set(state, { ...next, isFresh: false })
  return ids
})
