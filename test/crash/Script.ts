/** The chat that is played, and killed, and what its outside services remember of it. */
import {
  assistant,
  estimateCounter,
  type Message,
  messagesOf,
  type ThreadKey,
  toolResult,
  user,
} from "@palimpsest/core"
import {
  Engine,
  extractiveSummariser,
  Facts,
  LongTermMemory,
  Summariser,
  ThreadStore,
  Tokens,
} from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"

/** Services outside the process: what they did stays done. */
export interface World {
  /** Facts by the row that proves them, with how often each was stored. */
  readonly facts: Map<string, number>
  summariserCalls: number
}

export const newWorld = (): World => ({ facts: new Map(), summariserCalls: 0 })

const outside = (world: World) => {
  const model = extractiveSummariser(estimateCounter)
  return Layer.mergeAll(
    Tokens.layerEstimate,
    Layer.succeed(
      Summariser,
      Summariser.of({
        ...model,
        name: "counted",
        summarise: (request) =>
          Effect.suspend(() => {
            world.summariserCalls += 1
            return model.summarise(request)
          }),
      }),
    ),
    Layer.succeed(
      Facts,
      Facts.of({
        flush: ({ rows }) =>
          Effect.sync(() => {
            const fresh = rows.filter((row) => !world.facts.has(row.id))
            for (const { id } of fresh) world.facts.set(id, (world.facts.get(id) ?? 0) + 1)
            return fresh.length
          }),
      }),
    ),
    Layer.succeed(
      LongTermMemory,
      LongTermMemory.of({
        retrieve: ({ query }) =>
          Effect.succeed([{ id: `memory of ${query}`, text: `Asked before: ${query}`, origin: "chat 3" }]),
      }),
    ),
  )
}

interface Turn {
  readonly input: ReadonlyArray<{ readonly id: string; readonly message: Message }>
  readonly response: { readonly id: string; readonly message: Message }
}

const words = (n: number): string => Array.from({ length: n }, (_, i) => `word${i}`).join(" ")

/** Model calls, each with what was said since the one before. Ids are the host's. */
export const turns = (count: number): ReadonlyArray<Turn> =>
  Array.from({ length: count }, (_, i) => {
    const calls = ["a", "b"].map((name) => ({
      id: `${i}${name}`,
      name: "look",
      arguments: `{"at":"${i}${name}"}`,
    }))
    const results = ["a", "b"].map((name) => ({
      id: `r${i}${name}`,
      message: toolResult(`${i - 1}${name}`, `${name} ${i}: ${words(i < 4 ? 90 : 25)}`),
    }))
    const asks = i % 4 === 0
    return {
      input: asks ? [{ id: `u${i}`, message: user(`Question ${i}? Never forget rule ${i}.`) }] : results,
      response: {
        id: `a${i}`,
        message: i % 4 === 3 ? assistant(`Answer ${i}: ${words(10)}.`) : assistant("", calls),
      },
    }
  })

const options = {
  budget: { window: 1_800, reserve: 100, margin: 0 },
  system: "Be exact.",
  policy: { result: { fraction: 1, tokens: 16_000 }, minGain: 0.1 },
}

/** Plays a chat until its end, and returns the prompt of each call. A step whose response is stored is over. */
export const playOn = (key: ThreadKey, world: World, all: ReadonlyArray<Turn>) =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    const prompts = new Map<number, string>()
    for (const [i, { input, response }] of all.entries()) {
      if ((yield* store.row(key, response.id)) !== null) continue
      const engine = yield* Engine
      const step = yield* engine.open(key, options)
      yield* step.append(input)
      const prompt = yield* step.prompt
      prompts.set(i, JSON.stringify([prompt.system, messagesOf(prompt)]))
      yield* step.append([response])
      yield* step.end
    }
    return prompts
  }).pipe(Effect.provide(Layer.fresh(Engine.layer).pipe(Layer.provide(outside(world)))))

/** Everything that the store holds of a chat, as text; ids of marks hold the chat's own key, so only their rest counts. */
export const everything = (key: ThreadKey) =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    const page = yield* store.page(key, 0, 1_000)
    return page.rows.map((row) => (row.kind === "message" ? row : { ...row, id: row.kind }))
  })
