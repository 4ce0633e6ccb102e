/**
 * The engine for those without Effect: the same steps, as promises.
 *
 * @since 0.1.0
 */
import { Effect, Layer, ManagedRuntime, Option } from "effect"
import type { TokenCounter } from "../count/TokenCounter.ts"
import { repairThread } from "../engine/AuditThread.ts"
import { Engine } from "../engine/Engine.ts"
import { StoreError } from "../engine/Errors.ts"
import type { FactStore } from "../engine/FactStore.ts"
import type { Facts } from "../engine/Facts.ts"
import type { LongTermMemory } from "../engine/Memory.ts"
import { type IndexReport, MemoryIndex } from "../engine/MemoryIndex.ts"
import type { StepOptions } from "../engine/Options.ts"
import type { RecallAnswer } from "../engine/RecallTool.ts"
import { Redactor } from "../engine/Redactor.ts"
import type { StepPrompt } from "../engine/Report.ts"
import { noEditor } from "../engine/RowFaults.ts"
import type { Step as EngineStep } from "../engine/Step.ts"
import type { Input } from "../engine/StepState.ts"
import type { Summariser } from "../engine/Summariser.ts"
import { ThreadEditor } from "../engine/ThreadEditor.ts"
import { type Page, ThreadStore } from "../engine/ThreadStore.ts"
import { Tokens } from "../engine/Tokens.ts"
import { recallTool, type ToolDefinition } from "../recall/Tool.ts"
import type { Redact } from "../summary/SafeRedact.ts"
import type { AuditFault } from "../thread/Audit.ts"
import type { Message } from "../thread/Message.ts"
import type { Mark, MessageRow, ThreadKey } from "../thread/Row.ts"
import type { Thread } from "../thread/Thread.ts"
import { type Known, makeKnown } from "./Known.ts"

export type { Known, Whose } from "./Known.ts"

export { scrubStream } from "./ScrubStream.ts"

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
  /** Where facts live, when it is not the store's own place. */
  readonly factStore?: Layer.Layer<FactStore, unknown>
  readonly memory?: Layer.Layer<LongTermMemory, unknown>
  /** Without one, the recall tool searches its own chat alone, by words. */
  readonly index?: Layer.Layer<MemoryIndex, unknown>
  /** Without one, tokens are counted by o200k. */
  readonly counter?: TokenCounter
  /**
   * Takes secrets out of every text that leaves a thread for a summariser, a summary, a fact, an index or an embedder.
   * It stands instead of `redact` of the core, which is the default: one that adds to it calls it.
   */
  readonly redact?: Redact
}

/**
 * A step on a thread. Rejections are the typed errors of the engine: `CannotFitError`, `RowError`, `StoreError`.
 *
 * @category models
 * @since 0.1.0
 */
export interface Step {
  readonly key: ThreadKey
  /** The thread as this process knows it. Large values are not in it: references stand for them. */
  readonly thread: () => Promise<Thread>
  /** Adds messages to the window, and resolves to their ids. */
  readonly append: (...messages: ReadonlyArray<Message | Input>) => Promise<ReadonlyArray<string>>
  /** Makes the prompt of the next model call; before that it compacts, if it must. */
  readonly prompt: () => Promise<StepPrompt>
  /** Tells that the provider refused the last prompt as too long: the next one is smaller. */
  readonly overflowed: () => Promise<void>
  /** Compacts now, if there is anything to gain, and makes the prompt. */
  readonly compact: (options?: { readonly focus?: string }) => Promise<StepPrompt>
  /** Reads a row in full, by its id, for the host. */
  readonly recall: (row: string) => Promise<MessageRow | null>
  /** The recall tool, to offer to the model. */
  readonly tool: ToolDefinition
  /** Answers a call of the recall tool, with its arguments as the model gave them: text or a value. It never rejects. */
  readonly handle: (given: unknown) => Promise<RecallAnswer>
  /** Starts over. The rows stay. */
  readonly reset: () => Promise<Mark>
  /** Goes back to a message (empty for the start): what follows it is hidden. */
  readonly rewind: (to: string) => Promise<void>
  /** Gives a message other content, at its place. */
  readonly edit: (input: Input & { readonly id: string }) => Promise<MessageRow>
  /** Stores what was appended, in the middle of a long step: as often as nothing may be lost. */
  readonly checkpoint: () => Promise<void>
  /** Stores what was appended: the last checkpoint, before the process dies. */
  readonly end: () => Promise<void>
}

/**
 * The memory of a process.
 *
 * @category models
 * @since 0.1.0
 */
export interface Palimpsest extends Known {
  /** Opens a step: reads the live part of the thread. */
  readonly open: (key: ThreadKey, options: StepOptions) => Promise<Step>
  /** Reads rows from a position on, covered ones too, for a person who scrolls; at most `limit` positions. */
  readonly page: (key: ThreadKey, from: number, limit: number) => Promise<Page>
  /** Makes a new chat that begins with this one up to a message, its newest by default, and copies no rows. */
  readonly fork: (key: ThreadKey, chat: string, at?: string) => Promise<ThreadKey>
  /** Reads the versions of a message that edits replaced, oldest first. */
  readonly versions: (key: ThreadKey, id: string) => Promise<ReadonlyArray<MessageRow>>
  /** Checks each summary of a thread against the rows that it covers, and takes those that are wrong out of force. */
  readonly repair: (key: ThreadKey) => Promise<ReadonlyArray<AuditFault>>
  /** Deletes everything that is kept of a chat, and refuses whatever is written to it later. */
  readonly remove: (key: ThreadKey) => Promise<void>
  /** Deletes everything that is kept of a tenant, and refuses whatever is written to it later. */
  readonly removeTenant: (tenant: string) => Promise<void>
  /** Indexes a batch of what was said in a tenant since the last run: again, while the report says that more is left. */
  readonly index: (tenant: string) => Promise<IndexReport>
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
  tool: recallTool,
  handle: (given) => Effect.runPromise(step.handle(given)),
  reset: () => Effect.runPromise(step.reset),
  rewind: (to) => Effect.runPromise(step.rewind(to)),
  edit: (input) => Effect.runPromise(step.edit(input)),
  checkpoint: () => Effect.runPromise(step.checkpoint),
  end: () => Effect.runPromise(step.end),
})

const editorOr = (operation: string) =>
  Effect.flatMap(
    Effect.serviceOption(ThreadEditor),
    Option.match({
      onNone: () => Effect.fail(noEditor(operation)),
      onSome: (editor) => Effect.succeed(editor),
    }),
  )

const indexOr = Effect.flatMap(
  Effect.serviceOption(MemoryIndex),
  Option.match({
    onNone: () =>
      Effect.fail(
        new StoreError({
          operation: "index",
          reason: "no MemoryIndex is provided",
          isRetryable: false,
          remedy: "Give one as `index`",
        }),
      ),
    onSome: (index) => Effect.succeed(index),
  }),
)

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
    options.factStore ?? Layer.empty,
    options.memory ?? Layer.empty,
    options.index ?? Layer.empty,
  )
  const redactor = options.redact === undefined ? Layer.empty : Layer.succeed(Redactor, options.redact)
  const runtime = ManagedRuntime.make(Layer.provideMerge(Layer.provideMerge(Engine.layer, plugged), redactor))
  const withStore = <A, E>(use: (store: ThreadStore["Service"]) => Effect.Effect<A, E>) =>
    runtime.runPromise(Effect.flatMap(ThreadStore, use))
  const withEditor = <A, E>(
    operation: string,
    use: (editor: ThreadEditor["Service"]) => Effect.Effect<A, E, ThreadStore>,
  ) => runtime.runPromise(Effect.flatMap(editorOr(operation), use))
  return {
    open: (key, stepOptions) =>
      runtime.runPromise(
        Effect.flatMap(Engine, (engine) => Effect.map(engine.open(key, stepOptions), stepOf)),
      ),
    page: (key, from, limit) => withStore((store) => store.page(key, from, limit)),
    fork: (key, chat, at) => withEditor("fork", (editor) => editor.fork(key, chat, at)),
    versions: (key, id) => withEditor("versions", (editor) => editor.versions(key, id)),
    repair: (key) =>
      withEditor("repair", (editor) => Effect.provideService(repairThread(key), ThreadEditor, editor)),
    remove: (key) => withEditor("remove", (editor) => editor.remove(key)),
    removeTenant: (tenant) => withEditor("removeTenant", (editor) => editor.removeTenant(tenant)),
    ...makeKnown((program) => runtime.runPromise(program)),
    index: (tenant) => runtime.runPromise(Effect.flatMap(indexOr, (index) => index.index(tenant))),
    close: () => runtime.dispose(),
  }
}
