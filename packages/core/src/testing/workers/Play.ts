/**
 * Plays a script: workers with engines of their own on one thread, whose calls are put in the order that the script
 * names.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Exit, Fiber, Result } from "effect"
import { defaultAccounting } from "../../count/Accounting.ts"
import { countMessage } from "../../count/Count.ts"
import { Engine } from "../../engine/Engine.ts"
import type { CannotFitError, RowError, StoreError } from "../../engine/Errors.ts"
import type { StepOptions } from "../../engine/Options.ts"
import type { StepPrompt } from "../../engine/Report.ts"
import type { Step } from "../../engine/Step.ts"
import type { Input } from "../../engine/StepState.ts"
import type { Message } from "../../thread/Message.ts"
import type { Row, ThreadKey } from "../../thread/Row.ts"
import type { Thread } from "../../thread/Thread.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import type { Call } from "./Calls.ts"
import { editorOf, engineOf, type Life, type Place, type Stage } from "./Ports.ts"
import { TENANT } from "./Predict.ts"
import { editedOf, exchangesOf, groupOf, sharedOf } from "./Say.ts"
import type { Deed, Script } from "./Script.ts"
import { makeTurns } from "./Turns.ts"

/**
 * A prompt that a worker got, and what its process held for true then.
 *
 * @category models
 * @since 0.1.0
 */
export interface Told {
  readonly worker: number
  readonly life: number
  readonly chat: string
  /** Calls that were done by then. */
  readonly at: number
  readonly prompt: StepPrompt | CannotFitError
  readonly thread: Thread
  /** Messages that are not known to be stored. */
  readonly pending: ReadonlyArray<string>
  /** Made when all had ended, one after the other. */
  readonly isLast: boolean
}

/**
 * What a history of several workers left behind.
 *
 * @category models
 * @since 0.1.0
 */
export interface Story {
  readonly script: Script
  readonly calls: ReadonlyArray<Call>
  readonly prompts: ReadonlyArray<Told>
  /** Messages of which a worker was told that they are stored. */
  readonly acknowledged: ReadonlyArray<{
    readonly chat: string
    readonly id: string
    readonly message: Message
  }>
  /** What each chat shows in the end. */
  readonly shown: ReadonlyMap<string, ReadonlyArray<Row>>
  /** How deeds ended that did not succeed. */
  readonly failures: ReadonlyArray<string>
}

interface Worker {
  readonly number: number
  key: ThreadKey
  life: Life
  step: Step | null
  /** What was appended to the step that is open, by id. */
  readonly pending: Map<string, Message>
  said: ReadonlyArray<Input>
  count: number
}

interface Run extends Stage {
  readonly script: Script
  readonly options: StepOptions
  readonly prompts: Array<Told>
  readonly acknowledged: Array<Story["acknowledged"][number]>
  readonly failures: Array<string>
  /** Messages of each chat, in the order in which they were appended. */
  readonly known: Map<string, Array<readonly [id: string, message: Message]>>
  lives: number
  isLast: boolean
}

const optionsOf = ({ window }: Script): StepOptions => ({
  budget: { window, reserve: 20, margin: 0 },
  system: "Be exact.",
  policy: {
    result: { fraction: 1, tokens: 16_000 },
    minGain: 0.1,
    tailGroups: 1,
    stubAbove: 20,
    recall: { fraction: 0.5, tokens: 60 },
  },
  lease: 20,
  summariserTimeout: 100,
})

const newLife = (run: Run, worker: number): Life => ({
  worker,
  number: ++run.lives,
  isDead: false,
  calls: 0,
  trouble: null,
})

const open = Effect.fnUntraced(function* (run: Run, worker: Worker) {
  if (worker.step !== null && !worker.life.isDead) return worker.step
  const { calls, trouble } = worker.life
  worker.life = { ...newLife(run, worker.number), calls, trouble }
  worker.pending.clear()
  const step = yield* Effect.flatMap(Engine, (engine) => engine.open(worker.key, run.options)).pipe(
    Effect.provide(engineOf(run, worker.life)),
    Effect.catchTag("PolicyError", (error) => Effect.die(error)),
  )
  worker.step = step
  return step
})

const knownIn = (run: Run, { chat }: ThreadKey) => {
  const found = run.known.get(chat) ?? []
  run.known.set(chat, found)
  return found
}

/** The steps's unsaved rows are stored by now. */
const acknowledge = (run: Run, { key, pending }: Worker): void => {
  for (const [id, message] of pending) run.acknowledged.push({ chat: key.chat, id, message })
  pending.clear()
}

const say = Effect.fnUntraced(function* (run: Run, worker: Worker, inputs: ReadonlyArray<Input>) {
  const step = yield* open(run, worker)
  const ids = yield* step.append(inputs)
  ids.forEach((id, i) => {
    const message = inputs[i]?.message
    if (message === undefined) return
    worker.pending.set(id, message)
    knownIn(run, worker.key).push([id, message])
  })
})

const stored = Effect.fnUntraced(function* (run: Run, worker: Worker) {
  const step = yield* open(run, worker)
  yield* step.checkpoint
  acknowledge(run, worker)
})

const close = Effect.fnUntraced(function* (run: Run, worker: Worker) {
  const step = yield* open(run, worker)
  yield* step.end
  acknowledge(run, worker)
  worker.step = null
})

const tell = Effect.fnUntraced(function* (run: Run, worker: Worker, isManual: boolean) {
  const step = yield* open(run, worker)
  const made = yield* Effect.result(isManual ? step.compact() : step.prompt)
  run.prompts.push({
    worker: worker.number,
    life: worker.life.number,
    chat: worker.key.chat,
    at: run.calls.length,
    prompt: Result.isSuccess(made) ? made.success : made.failure,
    thread: yield* step.thread,
    pending: [...worker.pending.keys()],
    isLast: run.isLast,
  })
})

const at = <A>(list: ReadonlyArray<A>, n: number): A | undefined => list[n % Math.max(1, list.length)]

const edit = Effect.fnUntraced(function* (run: Run, worker: Worker, deed: Extract<Deed, { tag: "edit" }>) {
  const [id, old] = at(knownIn(run, worker.key), deed.at) ?? ["none", { role: "user", parts: [] } as Message]
  const message = editedOf(old, worker.number, worker.count++)
  if (message === null) return
  if (deed.beside) {
    const tokens = countMessage(message, testCounter, defaultAccounting)
    yield* editorOf(run, worker.life).edit(worker.key, { id, message, tokens, tokenizer: testCounter.name })
    return
  }
  const step = yield* open(run, worker)
  yield* step.edit({ id, message })
  acknowledge(run, worker)
})

const rewind = Effect.fnUntraced(function* (
  run: Run,
  worker: Worker,
  deed: Extract<Deed, { tag: "rewind" }>,
) {
  const ids = ["", ...knownIn(run, worker.key).map(([id]) => id)]
  const to = at(ids.toReversed(), deed.to) ?? ""
  if (deed.beside) return yield* editorOf(run, worker.life).rewind(worker.key, to)
  const step = yield* open(run, worker)
  yield* step.rewind(to)
  acknowledge(run, worker)
})

/** Forks, and goes on in the fork. */
const fork = Effect.fnUntraced(function* (run: Run, worker: Worker, deed: Extract<Deed, { tag: "fork" }>) {
  yield* close(run, worker)
  const chat = `fork ${deed.name}`
  const ids = knownIn(run, worker.key)
  const place = deed.at === null ? undefined : (at(ids, deed.at)?.[0] ?? "")
  worker.life = { ...newLife(run, worker.number), trouble: worker.life.trouble, calls: worker.life.calls }
  const key = yield* editorOf(run, worker.life).fork(worker.key, chat, place)
  knownIn(run, key).push(...ids)
  worker.key = key
})

const act = Effect.fnUntraced(function* (
  run: Run,
  worker: Worker,
  deed: Deed,
): Effect.fn.Return<void, StoreError | RowError> {
  switch (deed.tag) {
    case "say": {
      const inputs = groupOf(deed, worker.number, worker.count++)
      worker.said = inputs
      yield* say(run, worker, inputs.slice(0, deed.split ?? inputs.length))
      if (deed.split === null) return
      yield* stored(run, worker)
      return yield* say(run, worker, inputs.slice(deed.split))
    }
    case "shared":
      return yield* say(run, worker, [sharedOf(deed)])
    case "prompt":
    case "compact":
      return yield* tell(run, worker, deed.tag === "compact")
    case "reset": {
      const step = yield* open(run, worker)
      yield* step.reset
      return acknowledge(run, worker)
    }
    case "checkpoint":
      return yield* stored(run, worker)
    case "reopen":
      return yield* close(run, worker)
    case "again": {
      worker.step = null
      yield* say(run, worker, worker.said.every(({ id }) => id !== undefined) ? worker.said : [])
      return yield* close(run, worker)
    }
    case "rewind":
      return yield* rewind(run, worker, deed)
    case "edit":
      return yield* edit(run, worker, deed)
    case "fork":
      return yield* fork(run, worker, deed)
  }
})

/** After an error that cannot be retried, and after its death, a worker begins with a new process. */
const live = Effect.fnUntraced(function* (run: Run, worker: Worker, deeds: ReadonlyArray<Deed>) {
  for (const deed of deeds) {
    if (worker.life.isDead) {
      worker.life = newLife(run, worker.number)
      worker.step = null
    }
    worker.life.calls = 0
    worker.life.trouble = deed.trouble
    const exit = yield* Effect.exit(Effect.result(act(run, worker, deed)))
    worker.life.trouble = null
    const failure = Exit.isSuccess(exit) && Result.isFailure(exit.value) ? exit.value.failure : null
    if (failure !== null) run.failures.push(`${deed.tag} ${failure._tag} ${failure.message}`)
    if (failure?._tag === "RowError" || worker.life.isDead) worker.step = null
    if (Exit.isFailure(exit) && !worker.life.isDead) return yield* Effect.failCause(exit.cause)
  }
})

const newWorker = (run: Run, number: number, chat: string): Worker => ({
  number,
  key: { tenant: TENANT, chat },
  life: newLife(run, number),
  step: null,
  pending: new Map(),
  said: [],
  count: 0,
})

/** Runs effects at once, in the order of the turns. */
const perform = async (
  run: Run,
  effects: ReadonlyArray<Effect.Effect<void>>,
  settle: Settle | null,
): Promise<void> => {
  const { turns } = run
  const options = settle === null ? { scheduler: turns.scheduler } : {}
  const fibers = effects.map((effect) =>
    Effect.runFork(Effect.provideService(effect, Clock.Clock, turns.clock), options),
  )
  do {
    if (settle === null) turns.flush()
    else
      await settle(
        () => `${turns.waits()} ${run.inFlight}`,
        () => run.inFlight === 0,
      )
  } while (turns.next())
  for (const fiber of fibers) {
    const exit = settle === null ? fiber.pollUnsafe() : await Effect.runPromise(Fiber.await(fiber))
    if (exit === undefined) throw new Error("a worker waits for nothing")
    if (Exit.isFailure(exit)) await Effect.runPromise(Effect.failCause(exit.cause))
  }
}

/**
 * Waits until nothing happens any more, where calls take real time: `mark` changes while something happens.
 *
 * @category models
 * @since 0.1.0
 */
export type Settle = (mark: () => string, isIdle: () => boolean) => Promise<void>

/** The first may have to write; then two ask for what is there. */
const ASKERS = [0, 1, 2]

/** When all have ended, others open each chat and ask for its prompt, one after the other. */
const askAll = Effect.fnUntraced(function* (run: Run, chats: ReadonlyArray<string>) {
  for (const chat of chats)
    for (const number of ASKERS)
      yield* Effect.orDie(tell(run, newWorker(run, number, chat), false))
})

/**
 * Plays a script in a place, in a chat that is new there. Without `settle` all calls are answered at once.
 *
 * @category combinators
 * @since 0.1.0
 */
export const playScript = async (
  script: Script,
  place: Place,
  settle: Settle | null = null,
): Promise<Story> => {
  const turns = makeTurns(script.order)
  const run: Run = {
    script,
    place,
    turns,
    calls: [],
    inFlight: 0,
    options: optionsOf(script),
    prompts: [],
    acknowledged: [],
    failures: [],
    known: new Map(),
    lives: 0,
    isLast: false,
  }
  const first = newWorker(run, 0, "main")
  const prelude = Effect.andThen(say(run, first, exchangesOf(script.before)), close(run, first))
  await perform(run, [Effect.orDie(prelude)], settle)
  const workers = script.workers.map((deeds, i) => live(run, newWorker(run, i, "main"), deeds))
  turns.begin()
  await perform(run, workers, settle)
  turns.rest()
  run.isLast = true
  const chats = [...run.known.keys()]
  await perform(run, [askAll(run, chats)], settle)
  const { calls, prompts, acknowledged, failures } = run
  const shown = new Map<string, ReadonlyArray<Row>>()
  for (const chat of chats) {
    const page = await Effect.runPromise(place.store.page({ tenant: TENANT, chat }, 0, 10_000))
    shown.set(chat, page.rows)
  }
  return { script, calls, prompts, acknowledged, failures, shown }
}
