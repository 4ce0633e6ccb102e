/** Workers on one chat, each a process of its own: its own connections, its own summariser. */
import { layerUrl } from "@palimpsest/adapter-pg"
import { estimateCounter, messagesOf, type ThreadKey } from "@palimpsest/core"
import {
  Engine,
  extractiveSummariser,
  type StepPrompt,
  Summariser,
  type ThreadStore,
  Tokens,
} from "@palimpsest/core/engine"
import { toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { Effect, Layer } from "effect"

export const WORKERS = 8
export const OPTIONS = { budget: { window: 1_200 }, system: "Be exact." }

export const words = (n: number, w: number) => Array.from({ length: n }, (_, i) => `w${w}n${i}`).join(" ")

/** A chat of its own for each test. */
export const newChat = (name: string): ThreadKey => ({
  tenant: "race",
  chat: `${name} ${new Date().toISOString()}`,
})

/** A summariser that no two workers have alike, and none is faster than another for long. */
const summariserOf = (w: number) => {
  const model = extractiveSummariser(estimateCounter)
  return Summariser.of({
    ...model,
    name: `worker ${w}`,
    summarise: (request) =>
      Effect.delay(
        Effect.map(model.summarise(request), (delta) => ({
          ...delta,
          add: [
            ...delta.add,
            { kind: "decision" as const, text: `Seen by worker ${w}`, sources: request.rows.slice(0, 1) },
          ],
        })),
        `${w % 3} millis`,
      ),
  })
}

/** Everything that one worker has, made anew. */
export const processOf = (url: string, w: number): Layer.Layer<Engine | ThreadStore, unknown> =>
  Layer.fresh(
    Engine.layer.pipe(
      Layer.provideMerge(layerUrl({ url, maxConnections: 2 })),
      Layer.provide([Tokens.layerEstimate, Layer.succeed(Summariser, summariserOf(w))]),
    ),
  )

/** Runs one effect in each worker, all at once. */
export const inEach = <A, E>(url: string, run: (w: number) => Effect.Effect<A, E, Engine | ThreadStore>) =>
  Effect.all(
    Array.from({ length: WORKERS }, (_, w) => Effect.provide(run(w), processOf(url, w))),
    { concurrency: "unbounded" },
  )

export const textOfPrompt = (prompt: StepPrompt): string => JSON.stringify(messagesOf(prompt))

/** What a provider would refuse. */
export const faultsOf = (prompt: StepPrompt): ReadonlyArray<unknown> =>
  validateOpenAiChat(toOpenAiChat(messagesOf(prompt), { system: prompt.system }))
