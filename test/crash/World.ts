/** What is outside of the process that dies: services that remember what was done, and the host's own notes. */
import { FactExtractor, factsLayer } from "@palimpsest/adapter-llm"
import { estimateCounter, isRealUser, textOf } from "@palimpsest/core"
import {
  extractiveSummariser,
  type Fact,
  FactStore,
  LongTermMemory,
  type StoreError,
  Summariser,
  Tokens,
} from "@palimpsest/core/engine"
import { memoryFacts } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { event, type Life } from "./Life.ts"
import { TENANT } from "./Script.ts"

/** It outlives each process. */
export interface World {
  /** Every fact that is stored, of all chats. */
  readonly facts: Effect.Effect<ReadonlyArray<Fact>, StoreError>
  readonly shelf: (typeof FactStore)["Service"]
  /** How often each service was asked. */
  readonly asked: { summariser: number; extractor: number; memory: number }
  /** Ids of rows that a process was told are stored. */
  readonly acknowledged: Array<string>
  /** Each prompt that was made, with its turn. */
  readonly prompts: Array<readonly [turn: number, text: string]>
  /** The turn that the host gave out last: it is given out again when its process dies. */
  turn: number
  /** What the summariser says now is of no use. */
  rejects: boolean
}

export const newWorld = (): World => {
  const shelf = Effect.runSync(Effect.provide(FactStore, memoryFacts))
  return {
    facts: shelf.history({ tenant: TENANT, owner: "", limit: 10_000 }),
    shelf,
    asked: { summariser: 0, extractor: 0, memory: 0 },
    acknowledged: [],
    prompts: [],
    turn: 0,
    rejects: false,
  }
}

const counted = <A, E>(
  world: World,
  life: Life,
  name: keyof World["asked"],
  run: (times: number) => Effect.Effect<A, E>,
) =>
  event(
    life,
    name,
    Effect.suspend(() => {
      world.asked[name] += 1
      return run(world.asked[name])
    }),
  )

/** It says something about each span, so that every answer of it can be used, or nothing, so that none can. */
const summariser = (world: World, life: Life) => {
  const model = extractiveSummariser(estimateCounter)
  return Layer.succeed(
    Summariser,
    Summariser.of({
      ...model,
      name: "counted",
      summarise: (request) =>
        counted(world, life, "summariser", () =>
          world.rejects
            ? Effect.succeed({ add: [], resolve: [], drop: [] })
            : Effect.map(model.summarise(request), (delta) => ({
                ...delta,
                add: [
                  ...delta.add,
                  { kind: "fact" as const, text: "The agent looked.", sources: request.rows.slice(-1) },
                ],
              })),
        ),
    }),
  )
}

/** It never answers twice alike: facts that were taken from its second answer would show. */
const extractor = (world: World, life: Life) =>
  Layer.succeed(
    FactExtractor,
    FactExtractor.of({
      name: "moody",
      extract: ({ rows }) =>
        counted(world, life, "extractor", (times) =>
          Effect.succeed(
            rows
              .filter((row) => isRealUser(row.message))
              .map((row) => {
                const text = textOf(row.message.parts)
                return { subject: "user", attribute: `wish ${times}`, value: text, quote: text, row: row.id }
              }),
          ),
        ),
    }),
  )

const shelf = ({ shelf: store }: World, life: Life) =>
  Layer.succeed(FactStore, {
    ...store,
    put: (key, facts) => event(life, "put facts", store.put(key, facts)),
    list: (key) => event(life, "list facts", store.list(key)),
  })

const memory = (world: World, life: Life) =>
  Layer.succeed(
    LongTermMemory,
    LongTermMemory.of({
      retrieve: ({ query }) =>
        counted(world, life, "memory", () =>
          Effect.succeed({
            memories: [{ id: `memory of ${query}`, text: `Asked before: ${query}`, origin: "chat 3" }],
          }),
        ),
    }),
  )

/** All services outside, as one process reaches them. It needs the store, where drafts of facts are kept. */
export const servicesOf = (world: World, life: Life) =>
  Layer.mergeAll(
    Tokens.layerEstimate,
    summariser(world, life),
    memory(world, life),
    factsLayer().pipe(Layer.provide([extractor(world, life), shelf(world, life)])),
  )
