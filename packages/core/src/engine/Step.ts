/**
 * A step: what one process does on one thread.
 *
 * @since 0.1.0
 */
import { Effect, Ref, type Semaphore } from "effect"
import { markId } from "../thread/Id.ts"
import type { Mark, MessageRow, ThreadKey } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import { appendTo } from "./Append.ts"
import { edit, rewind } from "./EditThread.ts"
import { type CannotFitError, type RowError, StoreError } from "./Errors.ts"
import { makePrompt } from "./MakePrompt.ts"
import { checkpoint, putMark } from "./Persist.ts"
import { refusedReading } from "./PromptUsage.ts"
import { recallRow } from "./ReadValues.ts"
import { answerRecall, type RecallAnswer } from "./RecallTool.ts"
import type { StepPrompt } from "./Report.ts"
import type { StepContext } from "./StepContext.ts"
import type { Input } from "./StepState.ts"
import { lastOf } from "./StepState.ts"

/**
 * A step. Its methods run one after the other, whoever calls them.
 *
 * @category models
 * @since 0.1.0
 */
export interface Step {
  readonly key: ThreadKey
  /** The thread as this process knows it. Large values are not in it: references stand for them. */
  readonly thread: Effect.Effect<Thread>
  /**
   * Adds messages to the window, and returns their ids. They are stored at the next checkpoint, or by the first pass.
   * A message that is there already is left alone, also when a step that died is tried again without ids of the host;
   * the same id with other content is a `RowError`.
   */
  readonly append: (messages: ReadonlyArray<Input>) => Effect.Effect<ReadonlyArray<string>, RowError>
  /** Makes the prompt of the next model call; before that it compacts, if it must. */
  readonly prompt: Effect.Effect<StepPrompt, CannotFitError>
  /**
   * Tells that the provider refused the last prompt as longer than its window. The estimate was too low: the next
   * prompt is smaller, if need be by a pass.
   */
  readonly overflowed: Effect.Effect<void>
  /** Compacts now, whatever the trigger says, and makes the prompt. Does nothing when there is nothing to gain. */
  readonly compact: (options?: { readonly focus?: string }) => Effect.Effect<StepPrompt, CannotFitError>
  /**
   * Reads a row in full, by its id, for the host. For the model there is `handle`.
   * Null when the thread has no such row. Large values are read with it; a text stands for one that is gone.
   */
  readonly recall: (row: string) => Effect.Effect<MessageRow | null, StoreError | RowError>
  /**
   * Answers a call of the recall tool (`recallTool` of the core), with its arguments as the model gave them. It never
   * fails: the answer says what went wrong.
   */
  readonly handle: (given: unknown) => Effect.Effect<RecallAnswer>
  /** Starts over: the window is cut after the last message, with nothing before it. The rows stay. */
  readonly reset: Effect.Effect<Mark, StoreError | RowError>
  /**
   * Goes back to a message (its id, or empty for the start): what follows it is hidden, and the view that was live
   * there comes back. What another process still adds to the hidden part is refused there.
   */
  readonly rewind: (to: string) => Effect.Effect<void, StoreError | RowError>
  /** Gives a message other content, at its place. Summaries and prunes that rest on it are out of force. */
  readonly edit: (input: Input & { readonly id: string }) => Effect.Effect<MessageRow, StoreError | RowError>
  /** Stores what was appended, in the middle of a long step: as often as nothing may be lost. */
  readonly checkpoint: Effect.Effect<void, StoreError | RowError>
  /** Stores what was appended: the last checkpoint, before the process dies. */
  readonly end: Effect.Effect<void, StoreError | RowError>
}

const overflowed = ({ state, settings, model }: StepContext): Effect.Effect<void> =>
  Ref.update(state, (now) =>
    now.asked === null
      ? now
      : {
          ...now,
          asked: null,
          refused: [...now.refused, refusedReading(now.asked, { name: model, settings })],
        },
  )

/** Times that a reset is tried against other processes. */
const RESETS = 3

/** Resets after the last message. When another process was faster, after the last one of the thread as it is now. */
const reset = Effect.fn("Palimpsest.reset")(function* (
  context: StepContext,
): Effect.fn.Return<Mark, StoreError | RowError> {
  for (let tries = 0; tries < RESETS; tries++) {
    yield* checkpoint(context)
    const { thread } = yield* Ref.get(context.state)
    const anchor = lastOf(thread).id
    const { revision } = thread
    const id = markId(context.key, "reset", anchor, revision)
    const { row } = yield* putMark(context, { kind: "reset", id, anchor, revision, position: 0 })
    if (row !== null) return row
  }
  const reason = "others keep cutting the thread"
  return yield* new StoreError({ operation: "reset", reason, isRetryable: true })
})

/**
 * Makes a step.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeStep = (context: StepContext, gate: Semaphore.Semaphore): Step => ({
  key: context.key,
  thread: Effect.map(Ref.get(context.state), (state) => state.thread),
  append: (messages) => gate.withPermit(appendTo(context, messages)),
  prompt: gate.withPermit(makePrompt(context, {})),
  overflowed: gate.withPermit(overflowed(context)),
  compact: (options = {}) => gate.withPermit(makePrompt(context, { manual: true, ...options })),
  recall: (row) => recallRow(context, row),
  handle: (given) => answerRecall(context, given),
  reset: gate.withPermit(reset(context)),
  rewind: (to) => gate.withPermit(rewind(context, to)),
  edit: (input) => gate.withPermit(edit(context, input)),
  checkpoint: gate.withPermit(Effect.asVoid(checkpoint(context))),
  end: gate.withPermit(Effect.asVoid(checkpoint(context))),
})
