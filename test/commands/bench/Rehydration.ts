import { layer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { emptySummary, type MessageRow, markId, type ThreadKey } from "@palimpsest/core"
import { Engine, type NewMessage, type StepOptions, ThreadStore, Tokens } from "@palimpsest/core/engine"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { conversation, rowsOf } from "./Conversation.ts"
import type { Figure } from "./Ratio.ts"

const OLD = 100_000
const YOUNG = 1_000
/** Rows after the cut: the window that a step reads. */
const LIVE = 100

const options: StepOptions = { system: "Be brief.", budget: { window: 200_000 } }

const toNew = ({ id, message, tokens, tokenizer }: MessageRow): NewMessage => ({
  id,
  message,
  tokens,
  tokenizer,
})

/** Copies the first row of a chat until it has as many as asked for. Through the store this takes minutes. */
const fill = Effect.fnUntraced(function* ({ tenant, chat }: ThreadKey, rows: number) {
  const sql = yield* SqlClient
  yield* sql`
    insert into palimpsest_messages (tenant, chat, position, id, payload, tokens, tokenizer)
    select tenant, chat, n, 'old' || n, payload, tokens, tokenizer
    from palimpsest_messages, generate_series(2, ${rows}::int) as n
    where tenant = ${tenant} and chat = ${chat} and position = 1`
  yield* sql`
    update palimpsest_chats set next_position = ${rows + 1}::int where tenant = ${tenant} and chat = ${chat}`
})

/** A chat of so many rows, cut after the last of them, with the same window after the cut. */
const grow = Effect.fnUntraced(function* (key: ThreadKey, rows: number) {
  const store = yield* ThreadStore
  const [first, ...live] = rowsOf(conversation(LIVE + 1), "live").map(toNew)
  if (first === undefined) return
  yield* store.open(key, "Be brief.")
  yield* store.append(key, [{ ...first, id: "old1" }])
  yield* fill(key, rows)
  const anchor = `old${rows}`
  const text = "<context-summary>\n</context-summary>"
  const outcome = yield* store.mark(key, {
    kind: "summary",
    id: markId(key, "summary", anchor, 0),
    anchor,
    revision: 0,
    summary: emptySummary,
    text,
    tokens: 20,
    tokenizer: first.tokenizer,
    head: [],
    carry: [],
    pass: {
      cause: "manual",
      before: 100_000,
      after: 20,
      rows,
      digest: "",
      generation: 1,
      outcome: "host",
      model: "bench",
      policy: "",
      weak: 0,
      fallbacks: 0,
    },
  })
  if (outcome._tag !== "Written") yield* Effect.die(`the cut was not written: ${outcome._tag}`)
  yield* store.append(key, live)
})

const step = Effect.fnUntraced(function* (key: ThreadKey) {
  const engine = yield* Engine
  const opened = yield* engine.open(key, options)
  const { decisions, slots } = yield* opened.prompt
  // The summary and the rows after it, and no pass.
  if (slots.length !== LIVE + 1 || decisions[0]?._tag !== "Keep")
    yield* Effect.die(`the window has ${slots.length} slots after ${decisions[0]?._tag}`)
})

const database = Layer.provideMerge(layer, clientMemory)
const services = Engine.layer.pipe(Layer.provide(Tokens.layerEstimate), Layer.provideMerge(database))

/** A step on a thread that has been going for years beside one on a thread of a week, with equal windows. */
export const rehydrationFigure = async (): Promise<Figure & { readonly close: () => Promise<void> }> => {
  const runtime = ManagedRuntime.make(services)
  const old: ThreadKey = { tenant: "bench", chat: "old" }
  const young: ThreadKey = { tenant: "bench", chat: "young" }
  await runtime.runPromise(
    Effect.gen(function* () {
      yield* grow(old, OLD)
      yield* grow(young, YOUNG)
      const sql = yield* SqlClient
      // A server does this by itself.
      yield* sql.unsafe("analyze")
    }),
  )
  return {
    name: `open and prompt ${LIVE} rows after a cut, in a thread of 100,000 rows / of 1,000 rows`,
    bound: 1.2,
    times: 40,
    measured: () => runtime.runPromise(step(old)),
    yardstick: () => runtime.runPromise(step(young)),
    close: () => runtime.dispose(),
  }
}
