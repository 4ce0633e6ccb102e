/** What the tests of large values share: images of a size, stores that count what they are asked, and processes. */
import type { MediaPart, Message, ThreadKey } from "@palimpsest/core"
import {
  type Blob,
  BlobStore,
  Engine,
  type Step,
  type StepOptions,
  StoreError,
  ThreadStore,
  Tokens,
} from "@palimpsest/core/engine"
import { type MemoryState, makeMemoryState } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"

export const KEY: ThreadKey = { tenant: "acme", chat: "images" }

/** An image whose base64 has so many units, and which no other number makes. */
export const image = (n: number, units: number): MediaPart => ({
  type: "media",
  mediaType: "image/png",
  data: `iVBORw0KGgo${n}x`.padEnd(units, "ABCD"),
  width: 640,
  height: 480,
  name: `screen ${n}`,
})

export const shown = (n: number, units: number): Message => ({
  role: "user",
  parts: [{ type: "text", text: `Look at ${n}.` }, image(n, units)],
})

/** What a store of large values was asked, and how it fails. */
export interface Asked {
  /** Ids of each request for values. */
  readonly got: Array<ReadonlyArray<string>>
  /** Values of each request to keep some. */
  readonly kept: Array<ReadonlyArray<Blob>>
  getFails: boolean
  /** The store dies after it kept values, and before it keeps rows. */
  appendFails: boolean
}

export const nothingAsked = (): Asked => ({ got: [], kept: [], getFails: false, appendFails: false })

const broken = (operation: string) =>
  Effect.fail(new StoreError({ operation, reason: "the connection broke", isRetryable: true }))

/** A store that counts. */
export const watched = (memory: MemoryState, asked: Asked) => {
  const over = Layer.effectContext(
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const rows = yield* ThreadStore
      const context = yield* Layer.build(
        Layer.merge(
          Layer.succeed(
            BlobStore,
            BlobStore.of({
              put: (key, values) => {
                asked.kept.push(values)
                return blobs.put(key, values)
              },
              get: (key, ids) => {
                asked.got.push(ids)
                return asked.getFails ? broken("get blobs") : blobs.get(key, ids)
              },
            }),
          ),
          Layer.succeed(
            ThreadStore,
            ThreadStore.of({
              ...rows,
              append: (...given) => (asked.appendFails ? broken("append") : rows.append(...given)),
            }),
          ),
        ),
      )
      return context
    }),
  )
  return Layer.provideMerge(over, memory.layer)
}

/** The rows alone: a host that keeps large values in them. */
export const rowsOnly = (memory: MemoryState) =>
  Layer.effect(ThreadStore, ThreadStore).pipe(Layer.provide(memory.layer))

/** What one process does on the chat. */
export const inProcess = <A, E>(
  store: Layer.Layer<ThreadStore>,
  work: (step: Step) => Effect.Effect<A, E>,
  options: Partial<StepOptions> = {},
): Promise<A> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const engine = yield* Engine
      return yield* work(yield* engine.open(KEY, { budget: { window: 100_000 }, ...options }))
    }).pipe(
      Effect.provide(Layer.fresh(Engine.layer).pipe(Layer.provide(Layer.merge(store, Tokens.layerEstimate)))),
    ),
  )

export const inputs = (messages: ReadonlyArray<Message>) =>
  messages.map((message, i) => ({ id: `m${i}`, message }))

export const loaded = (memory: MemoryState) =>
  Effect.runPromise(
    Effect.gen(function* () {
      return yield* (yield* ThreadStore).load(KEY)
    }).pipe(Effect.provide(memory.layer)),
  )

/** A chat of some images, stored. */
export const chatOf = async (images: number, units: number) => {
  const memory = makeMemoryState()
  const asked = nothingAsked()
  const store = watched(memory, asked)
  const said = Array.from({ length: images }, (_, n) => shown(n, units))
  await inProcess(store, (step) => Effect.andThen(step.append(inputs(said)), step.end))
  return { memory, asked, store, said }
}
