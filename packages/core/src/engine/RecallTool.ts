/**
 * Answers calls of the recall tool.
 *
 * @since 0.1.0
 */
import { Effect, Ref } from "effect"
import { countSystem } from "../count/Count.ts"
import { limitsOf } from "../decide/Policy.ts"
import { renderFound } from "../recall/Answer.ts"
import { type AnswerRoom, LEAST_ANSWER } from "../recall/Envelope.ts"
import { renderRows } from "../recall/Page.ts"
import { type RecallRequest, recallRequest } from "../recall/Request.ts"
import { fitTokens } from "../text/Unicode.ts"
import { type RowError, StoreError } from "./Errors.ts"
import { recalledRows } from "./RecallRows.ts"
import { recallSearch } from "./RecallSearch.ts"
import type { Degradation } from "./Report.ts"
import type { StepContext } from "./StepContext.ts"

/**
 * An answer of the recall tool.
 *
 * @category models
 * @since 0.1.0
 */
export interface RecallAnswer {
  /** What the model is given as the result of its call. */
  readonly text: string
  /** Tokens of that text. */
  readonly tokens: number
  /** Nothing could be read, or the arguments could not be understood: the text says why, in one line. */
  readonly isError: boolean
  readonly degraded: ReadonlyArray<Degradation>
}

/** Tokens of an answer. */
const TOKENS = 2_000

/** Memories on one page. */
const MOST = 10

/** An answer that is sent whole: above the cap of results a part of it would be left out. */
const roomOf = Effect.fnUntraced(function* ({ state, settings }: StepContext) {
  const { thread } = yield* Ref.get(state)
  const { policy, budget, counter, accounting } = settings
  const system = accounting.priming + countSystem(thread.system, counter, accounting)
  return { maxTokens: Math.min(TOKENS, limitsOf(policy, budget, system).result), counter }
})

const degradation = (reason: string, instead: string): Degradation => ({ stage: "recall", reason, instead })

type Said = Omit<RecallAnswer, "tokens">

const failed = (say: string, { maxTokens, counter }: AnswerRoom, degraded: Said["degraded"] = []): Said => ({
  text: fitTokens(say, maxTokens, counter),
  isError: true,
  degraded,
})

const readRows = Effect.fnUntraced(function* (
  context: StepContext,
  { ids, from }: Extract<RecallRequest, { _tag: "Rows" }>,
  room: AnswerRoom,
): Effect.fn.Return<Said> {
  const { rows, notes, failures } = yield* recalledRows(context, ids)
  yield* Effect.annotateCurrentSpan({ "recall.asked": ids.length, "recall.rows": rows.length })
  const degraded = failures.map(({ message }) => degradation(message, "an answer without the row"))
  return rows.length === 0
    ? failed(notes.join("\n"), room, degraded)
    : { text: renderRows(rows, { from, notes, ...room }), isError: false, degraded }
})

const search = Effect.fnUntraced(function* (
  context: StepContext,
  { query, skip }: Extract<RecallRequest, { _tag: "Search" }>,
  room: AnswerRoom,
): Effect.fn.Return<Said, StoreError> {
  const { found, notes, degraded } = yield* recallSearch(context, query)
  yield* Effect.annotateCurrentSpan({ "recall.found": found.length })
  return {
    text: renderFound(found, { chat: context.key.chat, skip, most: MOST, notes, ...room }),
    isError: false,
    degraded: degraded.map((reason) => degradation(reason, "a search without it")),
  }
})

const answerOf = (
  context: StepContext,
  given: unknown,
  room: AnswerRoom,
): Effect.Effect<Said, StoreError> => {
  const request = recallRequest(given)
  switch (request._tag) {
    case "Rows":
      return readRows(context, request, room)
    case "Search":
      return search(context, request, room)
    case "Unclear":
      return Effect.succeed(failed(request.say, room))
  }
}

const down = (room: AnswerRoom, error: StoreError | RowError): Said =>
  failed("The record could not be read now. Go on without it, or try again later.", room, [
    degradation(error.message, "an answer that says so"),
  ])

/** What is told of a budget or a policy that leaves answers too little. */
const narrow = ({ maxTokens }: AnswerRoom): Said["degraded"] =>
  maxTokens < LEAST_ANSWER
    ? [
        degradation(
          `a result may take ${maxTokens} tokens here, and an answer needs ${LEAST_ANSWER}`,
          "less of it, or none",
        ),
      ]
    : []

/**
 * Answers a call of the recall tool: its arguments as the model gave them, as text or as a value. It fails never; what
 * went wrong is told to the model, in the answer's `degraded`, and by number in the span.
 *
 * @category combinators
 * @since 0.1.0
 */
export const answerRecall = Effect.fn("Palimpsest.recallTool")(function* (
  context: StepContext,
  given: unknown,
): Effect.fn.Return<RecallAnswer> {
  const room = yield* roomOf(context)
  const died = new StoreError({ operation: "recall", reason: "a port died", isRetryable: false })
  const said = yield* answerOf(context, given, room).pipe(
    Effect.catchDefect(() => Effect.fail(died)),
    Effect.catch((error) => Effect.succeed(down(room, error))),
  )
  const tokens = room.counter.count(said.text)
  const degraded = [...said.degraded, ...narrow(room)]
  yield* Effect.annotateCurrentSpan({
    "recall.tokens": tokens,
    "recall.isError": said.isError,
    "recall.degraded": degraded.length,
  })
  return { ...said, tokens, degraded }
})
