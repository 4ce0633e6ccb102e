/**
 * The engine: opens a step on a thread.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Metric, Option, Random, Ref, Semaphore } from "effect"
import { checkAccounting } from "../count/Accounting.ts"
import { checkPolicy } from "../decide/Policy.ts"
import { failClosed } from "../summary/SafeRedact.ts"
import type { ThreadKey } from "../thread/Row.ts"
import { BlobStore } from "./BlobStore.ts"
import { PolicyError, type StoreError } from "./Errors.ts"
import { extractiveSummariser } from "./Extractive.ts"
import { Facts } from "./Facts.ts"
import { flushPatienceOf } from "./Flush.ts"
import type { LeaseHolder } from "./Leased.ts"
import { Leases } from "./Leases.ts"
import { LongTermMemory } from "./Memory.ts"
import { MemoryIndex } from "./MemoryIndex.ts"
import { stepsOpened } from "./Metrics.ts"
import { checkTimes, type StepOptions, settingsOf } from "./Options.ts"
import { Redactor } from "./Redactor.ts"
import { makeStep, type Step } from "./Step.ts"
import { stateOf } from "./StepState.ts"
import { answering, TIMEOUT } from "./Summarise.ts"
import { Summariser } from "./Summariser.ts"
import { ThreadEditor } from "./ThreadEditor.ts"
import { ThreadStore } from "./ThreadStore.ts"
import { Tokens } from "./Tokens.ts"
import { watchCounter } from "./WatchCounter.ts"
import { watchRedactor } from "./WatchRedactor.ts"

/** Milliseconds: a summary is waited for so long after the last sign of life of the process that makes it. */
const LEASE = 15_000

/** Two requests and more, of the longest sort, after a flush: who has not ended by then is not waited for. */
const PATIENCE = 3

const holderOf = (
  leases: (typeof Leases)["Service"] | null,
  holder: string,
  { lease = LEASE, summariserTimeout = TIMEOUT, flush }: StepOptions,
): LeaseHolder | null =>
  leases === null
    ? null
    : {
        leases,
        holder,
        millis: lease,
        patience: Math.max(lease, PATIENCE * summariserTimeout + flushPatienceOf(flush).timeout),
      }

/**
 * Opens steps. A step is what one ephemeral process does on one thread: it rehydrates, builds prompts, takes what the
 * model and the tools say, and stores it.
 *
 * **Example** (One step)
 *
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { user } from "@palimpsest/core"
 * import { Engine, Tokens } from "@palimpsest/core/engine"
 * import { memoryStore } from "@palimpsest/core/testing"
 *
 * const program = Effect.gen(function* () {
 *   const engine = yield* Engine
 *   const step = yield* engine.open({ tenant: "acme", chat: "7" }, { system: "Be kind.", budget: { window: 32_000 } })
 *   yield* step.append([{ message: user("Where is my order?") }])
 *   const prompt = yield* step.prompt
 *   yield* step.end
 *   return prompt.slots.length
 * })
 * const layer = Engine.layer.pipe(Layer.provide([memoryStore, Tokens.layerEstimate]))
 * await Effect.runPromise(Effect.provide(program, layer)) // => 1
 * ```
 *
 * @category services
 * @since 0.1.0
 */
export class Engine extends Context.Service<
  Engine,
  {
    readonly open: (key: ThreadKey, options: StepOptions) => Effect.Effect<Step, StoreError | PolicyError>
  }
>()("@palimpsest/core/Engine") {
  /**
   * Needs a store and a counter. A summariser, durable facts and long-term memory are used when they are provided:
   * without them summaries are extractive, nothing is flushed and nothing is recalled. So are an index, without which the
   * recall tool searches its chat alone, and an editor of threads, leases and a place for large values, which the stores
   * of the adapters bring along.
   */
  static readonly layer: Layer.Layer<Engine, never, ThreadStore | Tokens> = Layer.effect(
    Engine,
    Effect.gen(function* () {
      const store = yield* ThreadStore
      const counter = yield* Tokens
      const given = yield* Redactor
      const offered = Option.getOrElse(yield* Effect.serviceOption(Summariser), () =>
        extractiveSummariser(counter, failClosed(given)),
      )
      const facts = Option.getOrNull(yield* Effect.serviceOption(Facts))
      const memory = Option.getOrNull(yield* Effect.serviceOption(LongTermMemory))
      const index = Option.getOrNull(yield* Effect.serviceOption(MemoryIndex))
      const editor = Option.getOrNull(yield* Effect.serviceOption(ThreadEditor))
      const blobs = Option.getOrNull(yield* Effect.serviceOption(BlobStore))
      const lent = Option.getOrNull(yield* Effect.serviceOption(Leases))
      const holder = `${yield* Random.nextInt}.${yield* Random.nextInt}`
      let opened = 0
      const open = Effect.fn("Palimpsest.open")(function* (
        key: ThreadKey,
        options: StepOptions,
      ): Effect.fn.Return<Step, StoreError | PolicyError> {
        yield* Metric.update(stepsOpened, 1)
        const watched = watchCounter(counter)
        const redactor = watchRedactor(given)
        const settings = settingsOf(options, watched.counter, redactor.redact)
        const faults = [
          ...checkPolicy(settings.policy).map((fault) => ({ ...fault, field: `policy.${fault.field}` })),
          ...checkAccounting(settings.accounting).map((fault) => ({
            ...fault,
            field: `accounting.${fault.field}`,
          })),
          ...checkTimes(options),
        ]
        if (faults.length > 0) return yield* new PolicyError({ faults })
        yield* store.open(key, options.system ?? "", {
          replace: options.replaceSystem === true,
          ...(options.owner === undefined ? {} : { owner: options.owner }),
        })
        const thread = yield* store.load(key)
        yield* Effect.annotateCurrentSpan({
          "thread.rows": thread.rows.length + thread.kept.length,
          "thread.faults": thread.faults.length,
        })
        const state = yield* Ref.make(stateOf(thread))
        const gate = yield* Semaphore.make(1)
        const summariser = answering(offered, options.summariserTimeout)
        const model = options.model ?? null
        const leases = holderOf(lent, `${holder}.${++opened}`, options)
        const flushPatience = flushPatienceOf(options.flush)
        const ports = { store, summariser, facts, memory, index, leases, editor, blobs }
        const outbound = options.outbound ?? null
        return makeStep(
          { key, ...ports, flushPatience, settings, model, outbound, watched, redactor, state },
          gate,
        )
      })
      return Engine.of({ open })
    }),
  )
}
