/**
 * Recalls long-term memory for a new user message: once, and then frozen in a row before it.
 *
 * @since 0.1.0
 */
import { Effect, Ref, Result } from "effect"
import { countMessage } from "../count/Count.ts"
import { countingName } from "../count/CountingName.ts"
import { limitsOf } from "../decide/Policy.ts"
import { passOutbound } from "../prompt/OutboundText.ts"
import { renderRecall } from "../prompt/Recall.ts"
import { markId } from "../thread/Id.ts"
import { isRealUser, textOf } from "../thread/Message.ts"
import type { RecallRow } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import { libraryMessage, openWindow } from "../thread/Window.ts"
import { MemoryError } from "./Errors.ts"
import { checkpoint, putMark } from "./Persist.ts"
import type { Degradation } from "./Report.ts"
import type { StepContext } from "./StepContext.ts"

/** The newest row, when it is the user's and nothing was recalled for it; and the row before it. */
const waitingUser = (thread: Thread) => {
  const messages = thread.rows.filter((row) => row.kind === "message")
  const last = messages.at(-1)
  if (last === undefined || !isRealUser(last.message)) return null
  const anchor = messages.at(-2)?.id ?? thread.cut?.anchor ?? ""
  const done = thread.rows.some((row) => row.kind === "recall" && row.anchor === anchor)
  return done ? null : { last, anchor }
}

const degradation = (reason: string): Degradation => ({ stage: "recall", reason, instead: "no recall block" })

const lessFound = (reason: string): Degradation => ({
  stage: "recall",
  reason,
  instead: "what was found without it",
})

const NONE: ReadonlyArray<Degradation> = []

const retrieve = Effect.fn("Palimpsest.recall")(function* (context: StepContext) {
  const { memory, key, settings, state, outbound } = context
  const before = yield* Ref.get(state)
  const waiting = waitingUser(before.thread)
  if (memory === null || waiting === null || before.recalledFor === waiting.last.id) return NONE
  yield* Ref.update(state, (now) => ({ ...now, recalledFor: waiting.last.id }))
  yield* checkpoint(context)
  const { thread } = yield* Ref.get(state)
  const again = waitingUser(thread)
  if (again?.last.id !== waiting.last.id) return NONE
  const window = openWindow(thread, settings)
  const { recall } = limitsOf(settings.policy, settings.budget, window.systemTokens)
  const asked = textOf(again.last.message.parts)
  const passed = outbound === null ? asked : passOutbound(outbound, asked)
  if (passed === null)
    return yield* new MemoryError({ reason: "the outbound filter failed on the query", isRetryable: false })
  const { memories, degraded = [] } = yield* memory.retrieve({
    key,
    owner: thread.owner ?? "",
    query: settings.redact(passed),
    visible: new Set(window.entries.map((entry) => entry.row.id)),
    tokens: recall,
  })
  const told = degraded.map(lessFound)
  const block = renderRecall(memories, recall, settings.counter)
  yield* Effect.annotateCurrentSpan({ "recall.found": memories.length, "recall.degraded": degraded })
  if (block === null) return told
  const mark: RecallRow = {
    kind: "recall",
    id: markId(key, "recall", again.anchor, thread.revision),
    position: 0,
    anchor: again.anchor,
    revision: thread.revision,
    text: block.text,
    tokens: countMessage(libraryMessage(block.text), settings.counter, settings.accounting),
    tokenizer: countingName(settings),
    sources: block.sources,
  }
  yield* Effect.annotateCurrentSpan({ "recall.tokens": mark.tokens, "recall.memories": block.sources.length })
  yield* putMark(context, mark)
  return told
})

/**
 * Recalls, if a user message waits for it. A failure costs the block and is told, never the step.
 *
 * @category combinators
 * @since 0.1.0
 */
export const recallOnce = Effect.fnUntraced(function* (
  context: StepContext,
): Effect.fn.Return<ReadonlyArray<Degradation>> {
  // A memory that dies of a fault of its own, or gives what is none, costs the block like one that fails.
  const total = Effect.catchDefect(retrieve(context), () =>
    Effect.fail(new MemoryError({ reason: "it died, or gave no memories", isRetryable: false })),
  )
  const result = yield* Effect.result(total)
  return Result.isFailure(result) ? [degradation(result.failure.message)] : result.success
})
