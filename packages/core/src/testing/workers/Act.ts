/**
 * What one worker does: it opens steps, says things and asks for prompts, and takes up its thread again when it died.
 *
 * @since 0.1.0
 */
import { Effect, Exit, Result } from "effect"
import { defaultAccounting } from "../../count/Accounting.ts"
import { countMessage } from "../../count/Count.ts"
import { Engine } from "../../engine/Engine.ts"
import type { RowError, StoreError } from "../../engine/Errors.ts"
import type { StepOptions } from "../../engine/Options.ts"
import type { Step } from "../../engine/Step.ts"
import type { Input } from "../../engine/StepState.ts"
import type { Message } from "../../thread/Message.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import { testCounter } from "../arbitraries/Rows.ts"
import { editorOf, engineOf, type Life, type Stage } from "./Ports.ts"
import { editedOf, groupOf, sharedOf } from "./Say.ts"
import type { Deed, Script } from "./Script.ts"
import type { Told } from "./Story.ts"

/**
 * A worker: its chat, its process, its step.
 *
 * @category models
 * @since 0.1.0
 */
export interface Worker {
  readonly number: number
  key: ThreadKey
  life: Life
  step: Step | null
  /** What was appended to the step that is open, by id. */
  readonly pending: Map<string, Message>
  said: ReadonlyArray<Input>
  count: number
}

/**
 * What the workers of a process share, and what they leave behind.
 *
 * @category models
 * @since 0.1.0
 */
export interface Run extends Stage {
  readonly options: StepOptions
  readonly tenant: string
  readonly prompts: Array<Told>
  readonly acknowledged: Array<{ readonly id: string; readonly message: Message }>
  readonly failures: Array<string>
  /** Messages of each chat, in the order in which they were appended. */
  readonly known: Map<string, Array<readonly [id: string, message: Message]>>
  lives: number
  isLast: boolean
}

/**
 * The options of every step of a script.
 *
 * @category constructors
 * @since 0.1.0
 */
export const optionsOf = ({ window }: Script): StepOptions => ({
  budget: { window, reserve: 20, margin: 0 },
  system: "Be exact.",
  policy: {
    result: { fraction: 1, tokens: 16_000 },
    minGain: 0.1,
    tailGroups: 1,
    stubAbove: 20,
    recall: { fraction: 1, tokens: 200 },
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

/**
 * The messages of a chat, as far as they are known.
 *
 * @category getters
 * @since 0.1.0
 */
export const knownIn = (run: Run, { chat }: ThreadKey) => {
  const found = run.known.get(chat) ?? []
  run.known.set(chat, found)
  return found
}

/** What was appended to the step is stored by now. */
const acknowledge = (run: Run, { pending }: Worker): void => {
  for (const [id, message] of pending) run.acknowledged.push({ id, message })
  pending.clear()
}

/**
 * Appends messages.
 *
 * @category combinators
 * @since 0.1.0
 */
export const say = Effect.fnUntraced(function* (run: Run, worker: Worker, inputs: ReadonlyArray<Input>) {
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

/**
 * Ends a step.
 *
 * @category combinators
 * @since 0.1.0
 */
export const close = Effect.fnUntraced(function* (run: Run, worker: Worker) {
  const step = yield* open(run, worker)
  yield* step.end
  acknowledge(run, worker)
  worker.step = null
})

/**
 * Asks for a prompt.
 *
 * @category combinators
 * @since 0.1.0
 */
export const tell = Effect.fnUntraced(function* (run: Run, worker: Worker, isManual: boolean) {
  const step = yield* open(run, worker)
  const made = yield* Effect.result(isManual ? step.compact() : step.prompt)
  run.prompts.push({
    worker: worker.number,
    life: worker.life.number,
    chat: worker.key.chat,
    after: run.calls.filter(({ life }) => life === worker.life.number).length,
    prompt: Result.isSuccess(made) ? made.success : { refused: made.failure.message },
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

/**
 * Does the deeds of a worker. After an error that cannot be retried, and after its death, it begins with a new process.
 *
 * @category combinators
 * @since 0.1.0
 */
export const live = Effect.fnUntraced(function* (run: Run, worker: Worker, deeds: ReadonlyArray<Deed>) {
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

/**
 * Makes a worker.
 *
 * @category constructors
 * @since 0.1.0
 */
export const newWorker = (run: Run, number: number, chat: string): Worker => ({
  number,
  key: { tenant: run.tenant, chat },
  life: newLife(run, number),
  step: null,
  pending: new Map(),
  said: [],
  count: 0,
})
