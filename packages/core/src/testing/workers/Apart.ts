/**
 * Plays a script with workers that run freely, each in a process of its own: their order is found from what they were
 * answered.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { Message } from "../../thread/Message.ts"
import { live, newWorker } from "./Act.ts"
import { linearise } from "./Linearise.ts"
import { begin, end, type Ground, newRun } from "./Play.ts"
import type { Script } from "./Script.ts"
import type { Story } from "./Story.ts"
import { makeTurns } from "./Turns.ts"

/**
 * The messages of each chat that are known: what rewinds, edits and forks choose from.
 *
 * @category models
 * @since 0.1.0
 */
export type KnownMessages = ReadonlyArray<
  readonly [chat: string, messages: ReadonlyArray<readonly [id: string, message: Message]>]
>

/**
 * What one worker leaves behind: plain data, which goes from process to process.
 *
 * @category models
 * @since 0.1.0
 */
export interface WorkerStory extends Omit<Story, "shown"> {
  readonly known: KnownMessages
}

/** Lives of different processes have different numbers. */
const LIVES = 10_000

const knownOf = (known: ReadonlyMap<string, KnownMessages[number][1]>): KnownMessages => [...known]

/**
 * Does the deeds of one worker of a script, as fast as they go. `now` is a clock that all processes share.
 *
 * @category combinators
 * @since 0.1.0
 */
export const playWorker = async (
  script: Script,
  number: number,
  ground: Ground & { readonly now: () => number },
  known: KnownMessages,
): Promise<WorkerStory> => {
  const run = newRun(script, ground, { wait: () => Effect.void }, ground.now)
  for (const [chat, messages] of known) run.known.set(chat, [...messages])
  run.lives = (number + 1) * LIVES
  await Effect.runPromise(live(run, newWorker(run, number, "main"), script.workers[number] ?? []))
  const { calls, prompts, acknowledged, failures } = run
  return { calls, prompts, acknowledged, failures, known: knownOf(run.known) }
}

/**
 * Plays a script whose workers are somewhere else: `work` runs them all, and brings back what they left.
 *
 * @category combinators
 * @since 0.1.0
 */
export const playApart = async (
  script: Script,
  ground: Ground,
  work: (known: KnownMessages) => Promise<ReadonlyArray<WorkerStory>>,
): Promise<Story> => {
  const turns = makeTurns([])
  const run = newRun(script, ground, turns)
  await begin(run, turns, script, ground.settle)
  const stories = await work(knownOf(run.known))
  run.calls.push(
    ...linearise(
      stories.flatMap(({ calls }) => calls),
      run.calls,
    ),
  )
  for (const story of stories) {
    run.prompts.push(...story.prompts)
    run.acknowledged.push(...story.acknowledged)
    run.failures.push(...story.failures)
    for (const [chat, messages] of story.known) if (!run.known.has(chat)) run.known.set(chat, [...messages])
  }
  return end(run, turns, ground.settle)
}
