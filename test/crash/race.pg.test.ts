/** Eight workers with connections of their own on one chat: one summary a boundary, and all send its text. */
import { layerUrl } from "@palimpsest/adapter-pg"
import { assistant, estimateCounter, messagesOf, toolResult, user } from "@palimpsest/core"
import { Engine, extractiveSummariser, Summariser, ThreadStore, Tokens } from "@palimpsest/core/engine"
import { toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"

const url = process.env.DATABASE_URL
if (url === undefined) console.log("DATABASE_URL is not set: no workers race on a server")

const WORKERS = 8
const options = { budget: { window: 1_200 }, system: "Be exact." }
const words = (n: number, w: number) => Array.from({ length: n }, (_, i) => `w${w}n${i}`).join(" ")

/** A summariser that no two workers have alike. */
const named = (w: number) => {
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

/** One worker's life: it says something with a tool call of its own, prompts, and ends, some times over. */
const worker = (chat: string, w: number) =>
  Effect.gen(function* () {
    const engine = yield* Engine
    const faults: Array<unknown> = []
    for (let i = 0; i < 6; i++) {
      const step = yield* engine.open({ tenant: "race", chat }, options)
      const call = { id: `c${w}-${i}`, name: "look", arguments: "{}" }
      yield* step.append([
        { id: `u${w}-${i}`, message: user(`Worker ${w} asks ${i}. ${words(20, w)}`) },
        { id: `a${w}-${i}`, message: assistant("", [call]) },
      ])
      yield* step.checkpoint
      yield* step.append([{ id: `r${w}-${i}`, message: toolResult(call.id, words(30, w)) }])
      const prompt = yield* step.prompt
      faults.push(...validateOpenAiChat(toOpenAiChat(messagesOf(prompt), { system: prompt.system })))
      yield* step.end
    }
    return faults
  }).pipe(
    Effect.provide(
      Layer.fresh(Engine.layer).pipe(
        Layer.provide([
          layerUrl({ url: url ?? "", maxConnections: 2 }),
          Tokens.layerEstimate,
          Layer.succeed(Summariser, named(w)),
        ]),
      ),
    ),
  )

const look = (chat: string) =>
  Effect.gen(function* () {
    const engine = yield* Engine
    const store = yield* ThreadStore
    const key = { tenant: "race", chat }
    const { rows } = yield* store.page(key, 0, 10_000)
    const open = () => Effect.flatMap(engine.open(key, options), (step) => step.prompt)
    const prompts = yield* Effect.all(Array.from({ length: WORKERS }, open), { concurrency: "unbounded" })
    return { rows, sent: new Set(prompts.map((prompt) => JSON.stringify(messagesOf(prompt)))) }
  }).pipe(
    Effect.provide(
      Engine.layer.pipe(
        Layer.provideMerge(Layer.mergeAll(layerUrl({ url: url ?? "" }), Tokens.layerEstimate)),
      ),
    ),
  )

describe.skipIf(url === undefined)("eight workers on one chat", () => {
  it("leave each row once, one summary a boundary, and send the same", async () => {
    const chat = `race ${new Date().toISOString()}`
    const lives = Array.from({ length: WORKERS }, (_, w) => worker(chat, w))
    const faults = await Effect.runPromise(Effect.all(lives, { concurrency: "unbounded" }))
    assert.deepStrictEqual(faults.flat(), [])
    const { rows, sent } = await Effect.runPromise(look(chat))
    const messages = rows.filter((row) => row.kind === "message")
    assert.strictEqual(messages.length, WORKERS * 6 * 3)
    assert.strictEqual(new Set(messages.map((row) => row.id)).size, messages.length)
    const cuts = rows.filter((row) => row.kind === "summary")
    assert.isAbove(cuts.length, 1)
    assert.strictEqual(new Set(cuts.map((row) => row.anchor)).size, cuts.length)
    assert.isTrue(cuts.every((row, i) => i === 0 || row.position > (cuts[i - 1]?.position ?? 0)))
    assert.strictEqual(sent.size, 1)
  }, 120_000)
})
