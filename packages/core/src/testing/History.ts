/**
 * Runs histories through the real engine over a store in memory, and records what each prompt looked like.
 *
 * @since 0.1.0
 */
import { Effect, Result } from "effect"
import fc from "fast-check"
import type { BudgetInput } from "../decide/Budget.ts"
import type { Settings } from "../decide/Settings.ts"
import { Engine } from "../engine/Engine.ts"
import type { CannotFitError } from "../engine/Errors.ts"
import { readMarks, readMessages } from "../engine/LiveThread.ts"
import { settingsOf } from "../engine/Options.ts"
import type { StepPrompt } from "../engine/Report.ts"
import type { Step } from "../engine/Step.ts"
import type { Message } from "../thread/Message.ts"
import type { Failure, Row, ThreadKey } from "../thread/Row.ts"
import { order } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import { type Action, arbitraryHistory, type History } from "./arbitraries/Histories.ts"
import { emptyTalk, type Move, play, type Talk } from "./arbitraries/Moves.ts"
import { testCounter } from "./arbitraries/Rows.ts"
import { type Property, property } from "./Law.ts"
import { type MemoryState, makeMemoryState } from "./MemoryStore.ts"
import { afflict, engineIn, makeWorld, type World } from "./World.ts"

/**
 * The chat in which histories play.
 *
 * @category constants
 * @since 0.1.0
 */
export const CHAT: ThreadKey = { tenant: "acme", chat: "7" }

/**
 * What a store holds of a chat.
 *
 * @category models
 * @since 0.1.0
 */
export interface Stored {
  readonly rows: ReadonlyArray<Row>
  readonly failures: ReadonlyArray<Failure>
}

/**
 * One prompt of a history, with what was there before and after it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Observation {
  readonly kind: "prompt" | "compact"
  readonly settings: Settings
  readonly result: StepPrompt | CannotFitError
  /** The thread as the process knew it before and after. */
  readonly before: Thread
  readonly after: Thread
  readonly storedBefore: Stored
  readonly stored: Stored
  /** Requests to the summariser while it was made. */
  readonly calls: number
  /** Counts up with each process. */
  readonly process: number
  /** The store may hold more than this process knows: others wrote since it opened, or an answer was lost. */
  readonly isStale: boolean
  /** An operation of the store failed since the prompt before. */
  readonly storeFailed: boolean
  readonly mode: World["mode"]
  readonly isFactsDown: boolean
  /** Counts up with each row or line that prompts before and after do not share: a reset, a loss, another writer. */
  readonly era: number
}

/**
 * What a history left behind.
 *
 * @category models
 * @since 0.1.0
 */
export interface Trace {
  readonly history: History
  readonly prompts: ReadonlyArray<Observation>
  readonly world: World
  /** The process that is still open at the end. */
  readonly step: Step
  readonly budget: BudgetInput
  readonly isStale: boolean
}

/** A history on its way. */
interface Run {
  readonly world: World
  readonly history: History
  readonly prompts: Array<Observation>
  step: Step
  budget: BudgetInput
  talk: Talk
  process: number
  isStale: boolean
  era: number
}

/**
 * Tells a prompt from a refusal.
 *
 * @category guards
 * @since 0.1.0
 */
export const isPrompt = (result: StepPrompt | CannotFitError): result is StepPrompt => "slots" in result

/**
 * Reads everything that a store in memory holds of the chat.
 *
 * @category getters
 * @since 0.1.0
 */
export const storedIn = (memory: MemoryState): Stored => {
  const chat = memory.chat(CHAT)
  return {
    rows: [...readMessages(chat.messages).rows, ...readMarks(chat.marks).rows].sort(order),
    failures: chat.failures.map(({ failure }) => failure),
  }
}

/**
 * Copies a store in memory, so that what is tried on the copy leaves no trace; `change` may alter each text.
 *
 * @category constructors
 * @since 0.1.0
 */
export const copyOf = (
  memory: MemoryState,
  change: (json: string) => string = (json) => json,
): MemoryState => {
  const from = memory.chat(CHAT)
  const copy = makeMemoryState()
  const to = copy.chat(CHAT)
  const { system, owner, seq, next, line, revision, newestRevision } = from
  Object.assign(to, { system, owner, seq, next, line, revision, newestRevision })
  to.messages = from.messages.map((row) => ({ ...row, payload: change(row.payload) }))
  to.marks = from.marks.map((row) => ({ ...row, payload: change(row.payload) }))
  to.failures = [...from.failures]
  for (const [name, text] of from.drafts) to.drafts.set(name, text)
  for (const [id, text] of from.blobs) to.blobs.set(id, text)
  return copy
}

/**
 * Opens the chat of a history in a world.
 *
 * @category constructors
 * @since 0.1.0
 */
export const openIn = (world: World, history: History, budget: BudgetInput): Effect.Effect<Step> =>
  Effect.gen(function* () {
    const engine = yield* Engine
    // Flushes that fail are tried again at once: histories take no time.
    const options = { system: history.system, policy: history.policy, budget, flush: { pause: 1 } }
    return yield* engine.open(CHAT, options)
  }).pipe(Effect.retry({ times: 8 }), Effect.orDie, Effect.provide(engineIn(world)))

const say = Effect.fnUntraced(function* (step: Step, messages: ReadonlyArray<Message>) {
  yield* Effect.orDie(step.append(messages.map((message) => ({ message }))))
})

const observe = Effect.fnUntraced(function* (run: Run, kind: "prompt" | "compact") {
  const { world, step } = run
  const before = yield* step.thread
  const storedBefore = storedIn(world.memory)
  const { calls, mode, isFactsDown } = world
  const isStale = run.isStale || world.lostAnswer
  const made = yield* Effect.result(kind === "prompt" ? step.prompt : step.compact())
  run.prompts.push({
    kind,
    settings: settingsOf({ policy: run.history.policy, budget: run.budget }, testCounter),
    result: Result.isSuccess(made) ? made.success : made.failure,
    before,
    after: yield* step.thread,
    storedBefore,
    stored: storedIn(world.memory),
    calls: world.calls - calls,
    process: run.process,
    isStale,
    storeFailed: world.storeFailed,
    mode,
    isFactsDown,
    era: run.era,
  })
  world.storeFailed = false
})

const open = Effect.fnUntraced(function* (run: Run, budget: BudgetInput) {
  run.step = yield* openIn(run.world, run.history, budget)
  run.budget = budget
  run.process += 1
  run.isStale = false
  run.world.lostFailure = false
  run.world.lostAnswer = false
})

/** Another worker: it does its step from its opening to its end. */
const intrude = Effect.fnUntraced(function* (run: Run, move: Move | null, compact: boolean) {
  const other = yield* openIn(run.world, run.history, run.budget)
  if (move !== null) {
    const played = play(move, { ...run.talk, moves: run.talk.moves + 500 })
    yield* say(other, played.messages)
  }
  yield* Effect.ignore(compact ? other.compact() : other.prompt)
  yield* Effect.ignore(other.checkpoint)
  run.isStale = true
  run.era += 1
})

const act = Effect.fnUntraced(function* (run: Run, action: Action) {
  switch (action.tag) {
    case "move": {
      const { messages, talk } = play(action.move, run.talk)
      run.talk = talk
      return yield* say(run.step, messages)
    }
    case "prompt":
    case "compact":
      return yield* observe(run, action.tag)
    case "checkpoint":
      return yield* Effect.ignore(run.step.checkpoint)
    case "reset":
      run.era += 1
      return yield* Effect.ignore(run.step.reset)
    case "kill":
      run.era += 1
      return yield* open(run, run.budget)
    case "reopen":
      yield* Effect.ignore(run.step.checkpoint)
      if (run.world.storeFailed) run.era += 1
      return yield* open(run, action.budget ?? run.budget)
    case "foreign":
      return yield* intrude(run, action.move, action.compact)
    case "trouble":
      return afflict(run.world, action.trouble)
  }
})

/**
 * Runs a history.
 *
 * @category combinators
 * @since 0.1.0
 */
export const runHistory = (history: History, world: World = makeWorld()): Effect.Effect<Trace> =>
  Effect.gen(function* () {
    const step = yield* openIn(world, history, history.budget)
    const run: Run = {
      world,
      history,
      prompts: [],
      step,
      budget: history.budget,
      talk: emptyTalk,
      process: 0,
      isStale: false,
      era: 0,
    }
    for (const action of history.actions) yield* act(run, action)
    yield* observe(run, "prompt")
    const { budget, isStale, prompts } = run
    return { history, prompts, world, step: run.step, budget, isStale }
  })

/**
 * Makes a property of whole histories.
 *
 * @category constructors
 * @since 0.1.0
 */
export const onHistories = (
  name: string,
  holds: (trace: Trace) => boolean | Effect.Effect<boolean>,
  histories: fc.Arbitrary<History> = arbitraryHistory,
): Property =>
  property(
    name,
    fc.asyncProperty(histories, (history) =>
      Effect.runPromise(
        Effect.flatMap(runHistory(history), (trace) => {
          const held = holds(trace)
          return typeof held === "boolean" ? Effect.succeed(held) : held
        }),
      ),
    ),
  )

/**
 * Makes a property of each prompt of a history.
 *
 * @category constructors
 * @since 0.1.0
 */
export const onPrompts = (name: string, holds: (seen: Observation) => boolean): Property =>
  onHistories(name, (trace) => trace.prompts.every(holds))
