/**
 * Plays a script: workers with engines of their own on one thread, whose calls are put in the order that the script
 * names.
 *
 * @since 0.1.0
 */
import { Clock, Effect, Exit, Fiber } from "effect"
import type { Row } from "../../thread/Row.ts"
import { close, live, newWorker, optionsOf, type Run, say, tell } from "./Act.ts"
import type { Place } from "./Ports.ts"
import { exchangesOf } from "./Say.ts"
import type { Script } from "./Script.ts"
import type { Story } from "./Story.ts"
import { makeTurns, type Turns } from "./Turns.ts"

/**
 * Where a script is played. Without `settle` all calls are answered at once, as in memory.
 *
 * @category models
 * @since 0.1.0
 */
export interface Ground {
  readonly place: Place
  readonly tenant: string
  readonly settle?: Settle
}

/**
 * Waits until nothing happens any more, where calls take real time: `mark` changes while something happens.
 *
 * @category models
 * @since 0.1.0
 */
export type Settle = (mark: () => string, isIdle: () => boolean) => Promise<void>

/**
 * Makes what the workers of one process share.
 *
 * @category constructors
 * @since 0.1.0
 */
export const newRun = (
  script: Script,
  { place, tenant }: Ground,
  turns: Pick<Turns, "wait">,
  now: () => number = () => 0,
): Run => ({
  place,
  tenant,
  turns,
  now,
  calls: [],
  inFlight: 0,
  options: optionsOf(script),
  prompts: [],
  acknowledged: [],
  failures: [],
  known: new Map(),
  lives: 0,
  isLast: false,
})

/** Runs effects at once, in the order of the turns. */
const perform = async (
  run: Run,
  turns: Turns,
  effects: ReadonlyArray<Effect.Effect<void>>,
  settle: Settle | undefined,
): Promise<void> => {
  const options = settle === undefined ? { scheduler: turns.scheduler } : {}
  const fibers = effects.map((effect) =>
    Effect.runFork(Effect.provideService(effect, Clock.Clock, turns.clock), options),
  )
  do {
    if (settle === undefined) turns.flush()
    else
      await settle(
        () => `${turns.waits()} ${run.inFlight}`,
        () => run.inFlight === 0,
      )
  } while (turns.next())
  for (const fiber of fibers) {
    const exit = settle === undefined ? fiber.pollUnsafe() : await Effect.runPromise(Fiber.await(fiber))
    if (exit === undefined) throw new Error("a worker waits for nothing")
    if (Exit.isFailure(exit)) await Effect.runPromise(Effect.failCause(exit.cause))
  }
}

/** The first may have to write; then two ask for what is there. */
const ASKERS = [0, 1, 2]

/** When all have ended, others open each chat and ask for its prompt, one after the other. */
const askAll = Effect.fnUntraced(function* (run: Run, chats: ReadonlyArray<string>) {
  for (const chat of chats)
    for (const number of ASKERS) yield* Effect.orDie(tell(run, newWorker(run, number, chat), false))
})

/**
 * Says what is there before the workers come.
 *
 * @category combinators
 * @since 0.1.0
 */
export const begin = (run: Run, turns: Turns, script: Script, settle?: Settle): Promise<void> => {
  const first = newWorker(run, 0, "main")
  const prelude = Effect.andThen(say(run, first, exchangesOf(script.before)), close(run, first))
  return perform(run, turns, [Effect.orDie(prelude)], settle)
}

/**
 * Asks for the last prompts, and tells the story.
 *
 * @category combinators
 * @since 0.1.0
 */
export const end = async (run: Run, turns: Turns, settle?: Settle): Promise<Story> => {
  turns.rest()
  run.isLast = true
  const chats = [...run.known.keys()]
  await perform(run, turns, [askAll(run, chats)], settle)
  const { calls, prompts, acknowledged, failures, place, tenant } = run
  const shown = new Map<string, ReadonlyArray<Row>>()
  for (const chat of chats) {
    const page = await Effect.runPromise(place.store.page({ tenant, chat }, 0, 10_000))
    shown.set(chat, page.rows)
  }
  return { calls, prompts, acknowledged, failures, shown }
}

/**
 * Plays a script, in a chat that is new.
 *
 * @category combinators
 * @since 0.1.0
 */
export const playScript = async (script: Script, ground: Ground): Promise<Story> => {
  const { settle } = ground
  const turns = makeTurns(script.order)
  const run = newRun(script, ground, turns)
  await begin(run, turns, script, settle)
  turns.begin()
  const workers = script.workers.map((deeds, i) => live(run, newWorker(run, i, "main"), deeds))
  await perform(run, turns, workers, settle)
  return end(run, turns, settle)
}
