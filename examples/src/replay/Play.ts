/**
 * Plays a recorded chat as if the agent were living it now: for each response, a fresh engine rehydrates the thread,
 * takes what was said since, builds the prompt, stores the response, and dies.
 */
import { isRealUser, type Message, makeBudget, type Row, type ThreadKey } from "@palimpsest/core"
import {
  type CannotFitError,
  Engine,
  type PolicyError,
  type RowError,
  type StepOptions,
  type StepPrompt,
  type StoreError,
  settingsOf,
  ThreadStore,
  Tokens,
} from "@palimpsest/core/engine"
import type { Item } from "@palimpsest/core/formats"
import { Effect, Layer, Result } from "effect"
import type { Transcript } from "../transcripts/Transcript.ts"
import { audit, noMemory, rehydrates, type Violation } from "./Audit.ts"
import { chatCompletions, type Judge } from "./Judge.ts"

/** One model call: its prompt, or why there is none. */
export interface PlayedCall {
  readonly number: number
  readonly prompt: StepPrompt | null
  readonly cannotFit: CannotFitError | null
  /** Rows that the step read when it opened. */
  readonly rowsRead: number
  readonly limit: number
}

/** What came of a chat. */
export interface Played {
  readonly key: ThreadKey
  readonly calls: ReadonlyArray<PlayedCall>
  readonly violations: ReadonlyArray<Violation>
  /** The whole thread as it is stored in the end. */
  readonly rows: ReadonlyArray<Row>
}

/** A message, and the form in which it came where that is another one. */
type Input = Item

interface Turn {
  /** What was said since the last call. */
  readonly input: ReadonlyArray<Input>
  readonly response: Input
}

/** Splits a chat at its responses. A greeting before the first user message was not asked of the model. */
export const turnsOf = ({
  messages,
  origins,
}: Pick<Transcript, "messages" | "origins">): {
  readonly turns: ReadonlyArray<Turn>
  readonly rest: ReadonlyArray<Input>
} => {
  const turns: Array<Turn> = []
  let input: Array<Input> = []
  let asked = false
  for (const [i, message] of messages.entries()) {
    const raw = origins[i]?.raw
    const said = { message, ...(raw === undefined ? {} : { raw }) }
    asked ||= isRealUser(message)
    if (message.role === "assistant" && asked) {
      turns.push({ input, response: said })
      input = []
    } else input.push(said)
  }
  return { turns, rest: input }
}

const step = Effect.fnUntraced(
  function* (key: ThreadKey, turn: Turn, options: StepOptions) {
    const engine = yield* Engine
    const store = yield* ThreadStore
    const opened = yield* engine.open(key, options)
    const read = yield* opened.thread
    const rowsRead = read.rows.length + read.kept.length + (read.cut === null ? 0 : 1)
    const ids = yield* opened.append(turn.input)
    const prompt = yield* Effect.result(opened.prompt)
    const thread = yield* opened.thread
    const [response] = yield* opened.append([turn.response])
    yield* opened.checkpoint
    const stored = yield* store.load(key)
    return { ids, response, prompt, thread, rowsRead, inProcess: yield* opened.thread, stored }
  },
  Effect.provide(Layer.fresh(Engine.layer)),
)

/** Reads a whole thread, page by page. */
export const wholeThread = Effect.fnUntraced(function* (key: ThreadKey) {
  const store = yield* ThreadStore
  const rows: Array<Row> = []
  for (let from: number | null = 0; from !== null; ) {
    const page: { rows: ReadonlyArray<Row>; next: number | null } = yield* store.page(key, from, 500)
    rows.push(...page.rows)
    from = page.next
  }
  return rows
})

/** Plays one chat. `onCall` hears of each call as it ends. */
export const play = Effect.fn("replay.play")(function* <E = never>(
  key: ThreadKey,
  transcript: Transcript,
  options: StepOptions,
  onCall: (call: PlayedCall) => Effect.Effect<void, E>,
  judge: Judge = chatCompletions,
): Effect.fn.Return<Played, StoreError | RowError | PolicyError | E, ThreadStore | Tokens> {
  const settings = settingsOf(options, yield* Tokens)
  const { limit } = makeBudget(settings.budget)
  const { turns, rest } = turnsOf(transcript)
  const calls: Array<PlayedCall> = []
  const violations: Array<Violation> = []
  const said: Array<{ id: string; message: Message }> = []
  let memory = noMemory
  for (const turn of turns) {
    const done = yield* step(key, turn, options)
    said.push(...turn.input.map(({ message }, i) => ({ id: done.ids[i] ?? "", message })))
    const number = calls.length + 1
    if (Result.isSuccess(done.prompt)) {
      const call = {
        prompt: done.prompt.success,
        thread: done.thread,
        system: options.system ?? "",
        said,
        limit,
        judge,
      }
      const checked = audit(call, memory, settings)
      memory = checked.memory
      violations.push(...checked.violations)
    } else memory = { ...memory, call: number, sent: [] }
    violations.push(...rehydrates(done.inProcess, done.stored, number))
    said.push({ id: done.response ?? "", message: turn.response.message })
    const call: PlayedCall = {
      number,
      prompt: Result.isSuccess(done.prompt) ? done.prompt.success : null,
      cannotFit: Result.isFailure(done.prompt) ? done.prompt.failure : null,
      rowsRead: done.rowsRead,
      limit,
    }
    calls.push(call)
    yield* onCall(call)
  }
  if (rest.length > 0) yield* finish(key, rest, options)
  return { key, calls, violations, rows: yield* wholeThread(key) }
})

/** What was said after the last call is stored too. */
const finish = Effect.fnUntraced(
  function* (key: ThreadKey, rest: ReadonlyArray<Input>, options: StepOptions) {
    const engine = yield* Engine
    const opened = yield* engine.open(key, options)
    yield* opened.append(rest)
    yield* opened.checkpoint
  },
  Effect.provide(Layer.fresh(Engine.layer)),
)
