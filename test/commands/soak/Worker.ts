/**
 * One life of a worker, until it is killed: `Worker.js URL FOLDER WORKER LIFE CHATS`. It takes real steps on chats that
 * others work on too. What the life before it tried, and was not told of, it tries again.
 */
import { layerUrl } from "@palimpsest/adapter-pg"
import { estimateCounter, messagesOf } from "@palimpsest/core"
import {
  Engine,
  extractiveSummariser,
  LongTermMemory,
  type Step,
  type StepPrompt,
  type StoreError,
  Summariser,
  Tokens,
} from "@palimpsest/core/engine"
import { toOpenAiChat, validateOpenAiChat } from "@palimpsest/core/formats/openai-chat"
import { Effect, Layer } from "effect"
import { rngOf } from "../fuzz/Rng.ts"
import { type Note, notesOf, openNotebook } from "./Notes.ts"
import { type Batch, batchesOf, batchOf } from "./Script.ts"

const [url = "", folder = "", worker = "", life = "", chats = ""] = process.argv.slice(2)

export const OPTIONS = {
  budget: { window: 3_000, reserve: 200, margin: 0 },
  system: "Be exact.",
  policy: { result: { fraction: 1, tokens: 16_000 }, minGain: 0.1, tailGroups: 1 },
  lease: 1_000,
}
const LIMIT = OPTIONS.budget.window - OPTIONS.budget.reserve

const notebook = openNotebook(folder, Number(worker), Number(life))
const note = (one: Note) => Effect.sync(() => notebook.write(one))
const rng = rngOf(Number(worker) * 100_003 + Number(life))

/** It takes a while, so that deaths and other workers come in between, and now and then it fails. */
const summariser = (() => {
  const model = extractiveSummariser(estimateCounter)
  return Summariser.of({
    ...model,
    name: "slow",
    summarise: (request) =>
      Effect.delay(
        Effect.map(model.summarise(request), (delta) =>
          rng.chance(0.2)
            ? { add: [], resolve: [], drop: [] }
            : {
                ...delta,
                add: [
                  ...delta.add,
                  { kind: "fact" as const, text: "The agent looked.", sources: request.rows.slice(-1) },
                ],
              },
        ),
        rng.int(60),
      ),
  })
})()

const memory = LongTermMemory.of({
  retrieve: ({ query }) =>
    Effect.succeed({
      memories: [{ id: `about ${query.slice(0, 20)}`, text: "Asked before.", origin: "another chat" }],
    }),
})

const services = Layer.fresh(
  Engine.layer.pipe(
    Layer.provideMerge(layerUrl({ url, maxConnections: 2 })),
    Layer.provide([
      Tokens.layerEstimate,
      Layer.succeed(Summariser, summariser),
      Layer.succeed(LongTermMemory, memory),
    ]),
  ),
)

/** The server may be away: whatever may be tried again is tried until it works. */
const patiently = <A, E, R>(run: Effect.Effect<A, E | StoreError, R>) =>
  Effect.retry(
    Effect.tapError(run, (error) =>
      note({ _tag: "Waited", reason: error instanceof Error ? error.message : String(error) }),
    ),
    {
      while: (error) =>
        typeof error === "object" && error !== null && "isRetryable" in error && error.isRetryable === true
          ? Effect.as(Effect.sleep("100 millis"), true)
          : false,
    },
  )

const noteMarks = (chat: string, prompt: StepPrompt) =>
  Effect.forEach(prompt.passes, ({ mark }) => note({ _tag: "Marked", chat, id: mark.id, kind: mark.kind }))

const look = Effect.fnUntraced(function* (chat: string, prompt: StepPrompt) {
  yield* noteMarks(chat, prompt)
  yield* note({ _tag: "Prompted", chat, tokens: prompt.tokens.total, limit: LIMIT })
  const refused = validateOpenAiChat(toOpenAiChat(messagesOf(prompt), { system: prompt.system }))
  if (refused.length > 0)
    yield* note({ _tag: "Wrong", chat, what: `a provider refuses a prompt: ${JSON.stringify(refused[0])}` })
})

/** The batches of one turn in one step, with a prompt after each, stored at the latest at its end. */
const takeTurn = Effect.fnUntraced(function* (step: Step, batches: ReadonlyArray<Batch>) {
  const { chat } = step.key
  let open: Array<string> = []
  for (const { name, inputs } of batches) {
    yield* note({ _tag: "Tried", chat, batch: name })
    open.push(name)
    yield* step.append(inputs)
    if (rng.chance(0.5)) {
      yield* patiently(step.checkpoint)
      yield* note({ _tag: "Stored", chat, batches: open })
      open = []
    }
    if (rng.chance(0.8)) yield* look(chat, yield* step.prompt)
  }
  yield* patiently(step.end)
  if (open.length > 0) yield* note({ _tag: "Stored", chat, batches: open })
})

const openStep = Effect.fnUntraced(function* (chat: string) {
  const engine = yield* Engine
  return yield* patiently(engine.open({ tenant: "soak", chat }, OPTIONS))
})

const whatElse = Effect.fnUntraced(function* (step: Step) {
  const { chat } = step.key
  if (rng.chance(0.02)) {
    const mark = yield* patiently(step.reset)
    yield* note({ _tag: "Marked", chat, id: mark.id, kind: mark.kind })
  }
  if (rng.chance(0.04)) yield* look(chat, yield* step.compact({ focus: "what was asked" }))
})

/** Batches that the life before this one tried without being told that they are stored. */
const leftOver = (): ReadonlyArray<readonly [string, Batch]> => {
  const notes = notesOf(folder, Number(worker), Number(life) - 1)
  const stored = new Set(notes.flatMap((one) => (one._tag === "Stored" ? one.batches : [])))
  return notes.flatMap((one) => {
    const batch = one._tag === "Tried" && !stored.has(one.batch) ? batchOf(one.batch) : undefined
    return batch === undefined || one._tag !== "Tried" ? [] : [[one.chat, batch] as const]
  })
}

/** A chat may refuse nothing that is said here: a refusal is a fault of its own. */
const withFaults = <A, E, R>(chat: string, run: Effect.Effect<A, E, R>) =>
  Effect.catchCause(run, (cause) => note({ _tag: "Wrong", chat, what: String(cause).slice(0, 500) }))

const work = Effect.gen(function* () {
  for (const [chat, batch] of leftOver())
    yield* withFaults(
      chat,
      Effect.flatMap(openStep(chat), (step) => takeTurn(step, [batch])),
    )
  for (let turn = 0; ; turn++) {
    const chat = `chat${rng.int(Number(chats))}`
    const one = Effect.gen(function* () {
      const step = yield* openStep(chat)
      yield* takeTurn(step, batchesOf(`w${worker}l${life}t${turn}`))
      yield* whatElse(step)
    })
    yield* withFaults(chat, one)
    yield* note({ _tag: "Step" })
  }
})

await Effect.runPromise(patiently(Effect.provide(work, services)))
