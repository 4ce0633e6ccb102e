/**
 * The engine for those without Effect: the same steps, as promises.
 *
 * @since 0.1.0
 */
import { Effect, Layer, ManagedRuntime } from "effect"
import type { TokenCounter } from "../count/TokenCounter.ts"
import { Engine } from "../engine/Engine.ts"
import type { Facts } from "../engine/Facts.ts"
import type { LongTermMemory } from "../engine/Memory.ts"
import type { StepOptions } from "../engine/Options.ts"
import type { StepPrompt } from "../engine/Report.ts"
import type { Step as EngineStep } from "../engine/Step.ts"
import type { Input } from "../engine/StepState.ts"
import type { Summariser } from "../engine/Summariser.ts"
import type { ThreadStore } from "../engine/ThreadStore.ts"
import { Tokens } from "../engine/Tokens.ts"
import type { Message } from "../thread/Message.ts"
import type { Mark, MessageRow, ThreadKey } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"

/**
 * What a host plugs in. A store is all that is needed; adapters export each of these ready to be passed.
 *
 * @category models
 * @since 0.1.0
 */
export interface PalimpsestOptions {
  readonly store: Layer.Layer<ThreadStore, unknown>
  /** Without one, summaries are extractive. */
  readonly summariser?: Layer.Layer<Summariser, unknown>
  readonly facts?: Layer.Layer<Facts, unknown>
  readonly memory?: Layer.Layer<LongTermMemory, unknown>
  /** Without one, tokens are counted by o200k. */
  readonly counter?: TokenCounter
}

/**
 * A step on a thread. Rejections are the typed errors of the engine: `CannotFitError`, `RowError`, `StoreError`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Step {
  readonly key: ThreadKey
  /** The thread as this process knows it. */
  readonly thread: () => Promise<Thread>
  /** Adds messages to the window, and resolves to their ids. */
  readonly append: (...messages: ReadonlyArray<Message | Input>) => Promise<ReadonlyArray<string>>
  /** Makes the prompt of the next model call; before that it compacts, if it must. */
  readonly prompt: () => Promise<StepPrompt>
  /** Tells that the provider refused the last prompt as too long: the next one is smaller. */
  readonly overflowed: () => Promise<void>
  /** Compacts now, if there is anything to gain, and makes the prompt. */
  readonly compact: (options?: { readonly focus?: string }) => Promise<StepPrompt>
  /** Reads a row in full, by the id that one-liners, caps and summaries name. */
  readonly recall: (row: string) => Promise<MessageRow | null>
  /** Starts over. The rows stay. */
  readonly reset: () => Promise<Mark>
  /** Stores what was appended, in the middle of a long step: as often as nothing may be lost. */
  readonly checkpoint: () => Promise<void>
  /** Stores what was appended: the last checkpoint, before the process dies. */
  readonly end: () => Promise<void>
}

/**
 * The short-term memory of a process.
 *
 * @category models
 * @since 0.1.0
 */
export interface Palimpsest {
  /** Opens a step: reads the live part of the thread. */
  readonly open: (key: ThreadKey, options: StepOptions) => Promise<Step>
  /** Closes the store and whatever else was plugged in. */
  readonly close: () => Promise<void>
}

/** Whatever is no input is taken for a message, so that plain JavaScript gets the typed error for it as well. */
const isInput = (given: Message | Input): given is Input =>
  typeof given === "object" && given !== null && "message" in given

const inputOf = (given: Message | Input): Input => (isInput(given) ? given : { message: given })

const stepOf = (step: EngineStep): Step => ({
  key: step.key,
  thread: () => Effect.runPromise(step.thread),
  append: (...messages) => Effect.runPromise(step.append(messages.map(inputOf))),
  prompt: () => Effect.runPromise(step.prompt),
  overflowed: () => Effect.runPromise(step.overflowed),
  compact: (options) => Effect.runPromise(step.compact(options)),
  recall: (row) => Effect.runPromise(step.recall(row)),
  reset: () => Effect.runPromise(step.reset),
  checkpoint: () => Effect.runPromise(step.checkpoint),
  end: () => Effect.runPromise(step.end),
})

/**
 * Makes a short-term memory over a store.
 *
 * **Example** (A step without Effect)
 *
 * ```ts
 * import { user } from "@palimpsest/core"
 * import { makePalimpsest } from "@palimpsest/core/promise"
 * import { memoryStore } from "@palimpsest/core/memory"
 *
 * const palimpsest = makePalimpsest({ store: memoryStore })
 * const step = await palimpsest.open({ tenant: "acme", chat: "7" }, { budget: { window: 32_000 }, system: "Be kind." })
 * await step.append(user("Where is my order?"))
 * const prompt = await step.prompt()
 * await step.end()
 * await palimpsest.close()
 * prompt.slots.length // => 1
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const makePalimpsest = (options: PalimpsestOptions): Palimpsest => {
  const tokens = options.counter === undefined ? Tokens.layer : Tokens.layerFrom(options.counter)
  const plugged = Layer.mergeAll(
    options.store,
    tokens,
    options.summariser ?? Layer.empty,
    options.facts ?? Layer.empty,
    options.memory ?? Layer.empty,
  )
  const runtime = ManagedRuntime.make(Layer.provide(Engine.layer, plugged))
  return {
    open: (key, stepOptions) =>
      runtime.runPromise(
        Effect.flatMap(Engine, (engine) => Effect.map(engine.open(key, stepOptions), stepOf)),
      ),
    close: () => runtime.dispose(),
  }
}
