/**
 * Adds messages to a step, in the process.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Ref, Result } from "effect"
import { countSystem } from "../count/Count.ts"
import { sameContent } from "../thread/References.ts"
import type { ThreadKey } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import { RowError } from "./Errors.ts"
import { readingFrom } from "./PromptUsage.ts"
import { hold, putAway } from "./PutAway.ts"
import type { Degradation } from "./Report.ts"
import { checkMessage } from "./RowFaults.ts"
import { toldAgain, unknownId } from "./SaidBefore.ts"
import type { StepContext } from "./StepContext.ts"
import { alreadySaid, find, type Input, lastOf, newMessage, push, type StepState } from "./StepState.ts"
import type { NewMessage } from "./ThreadStore.ts"

const conflict = (row: string): RowError =>
  new RowError({
    operation: "append",
    row,
    reason: "the thread has this id with other content",
    remedy: "Give the message an id of its own: rows are never rewritten.",
  })

const lastIds = (thread: Thread, count: number): ReadonlyArray<string> =>
  thread.rows.flatMap((row) => (row.kind === "message" ? [row.id] : [])).slice(-count)

/** Ids of the first inputs that are in the thread already, though the host gives them none. */
const knownIds = (
  key: ThreadKey,
  { thread, isFresh }: StepState,
  inputs: ReadonlyArray<Input>,
): Array<string> => {
  if (!isFresh) return []
  const count = alreadySaid(key, thread, inputs)
  return [...(count === 0 ? toldAgain(key, thread, inputs) : lastIds(thread, count))]
}

/** A message that no store would keep would take every later one of the step with it: it is refused at once. */
const checkInput = (input: Input, context: StepContext) =>
  Result.gen(function* () {
    const put = yield* putAway("append", input, context)
    const { id = "derived", at } = input
    yield* checkMessage({ id, tokens: 0, tokenizer: "", ...(at === undefined ? {} : { at }), ...put.content })
    return { input, put }
  })

/** A message with the reading of the prompt that it answers; without one, the reason is told by the next prompt. */
const withReading = (
  state: StepState,
  message: NewMessage,
  { usage }: Input,
  { settings, model }: StepContext,
): { readonly state: StepState; readonly message: NewMessage } => {
  if (usage === undefined || usage === null) return { state, message }
  const { asked, noted } = state
  const reading = readingFrom(usage, message.message, asked, { name: model, settings })
  return Result.isSuccess(reading)
    ? { state, message: { ...message, usage: reading.success } }
    : { state: { ...state, noted: [...noted, noReading(reading.failure)] }, message }
}

const noReading = (reason: string): Degradation => ({
  stage: "usage",
  reason: `the usage that was reported is no reading: ${reason}`,
  instead: "the estimate as it was",
})

/**
 * Appends. Nothing is added when one of the messages is refused.
 *
 * @category combinators
 * @since 0.1.0
 */
export const appendTo = Effect.fn("Palimpsest.append")(function* (
  context: StepContext,
  inputs: ReadonlyArray<Input>,
): Effect.fn.Return<ReadonlyArray<string>, RowError> {
  const { key, settings, state, outbound } = context
  yield* Effect.annotateCurrentSpan({ "append.messages": inputs.length })
  const checked = yield* Effect.forEach(inputs, (input) => Effect.fromResult(checkInput(input, context)))
  let next = yield* Ref.get(state)
  const system = countSystem(next.thread.system, settings.counter, settings.accounting)
  const before = next.thread
  const ids = knownIds(key, next, inputs)
  const now = yield* Clock.currentTimeMillis
  for (const { input, put } of checked.slice(ids.length)) {
    const message = newMessage(
      key,
      lastOf(next.thread).id,
      { ...input, at: input.at ?? now },
      system,
      settings,
      outbound,
    )
    const there = find(next.thread, message.id)
    if (there === undefined) {
      const paired = withReading(next, message, input, context)
      next = { ...push(hold(paired.state, put.values), { ...paired.message, ...put.content }), asked: null }
    } else if (!sameContent(there.message, message.message)) return yield* conflict(message.id)
    ids.push(message.id)
  }
  const unsure = next.isFresh ? unknownId(before, inputs) : next.unsure
  yield* Ref.set(state, { ...next, unsure, isFresh: false })
  return ids
})
