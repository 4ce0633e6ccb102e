/**
 * Contract: any number of workers at once.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { holds, ids, message, messages, type StoreCase, same, storeCase, summary } from "./Case.ts"

const all = { concurrency: "unbounded" } as const
const workers = Array.from({ length: 8 }, (_, i) => i)

/** Concurrency. */
export const concurrentCases: ReadonlyArray<StoreCase> = [
  storeCase(
    "STORE-06 writers at once: no position twice, no batch torn",
    (store, key) =>
      Effect.gen(function* () {
        const batch = (w: number, b: number) => [0, 1, 2].map((i) => message(`w${w}b${b}i${i}`))
        const write = (w: number) => Effect.forEach([0, 1, 2, 3], (b) => store.append(key, batch(w, b)))
        yield* Effect.forEach(workers, write, all)
        const { rows } = yield* store.load(key)
        yield* same("rows", rows.length, workers.length * 12)
        yield* holds("distinct", new Set(rows.map((row) => row.position)).size === rows.length)
        for (let i = 0; i < rows.length; i += 3) {
          const stem = rows[i]?.id.slice(0, -1)
          yield* same("batch", ids(rows.slice(i, i + 3)), [`${stem}0`, `${stem}1`, `${stem}2`])
        }
      }),
    { concurrent: true },
  ),
  storeCase(
    "the same batch from all at once is written once",
    (store, key) =>
      Effect.gen(function* () {
        const results = yield* Effect.forEach(workers, () => store.append(key, messages(1, 5)), all)
        for (const result of results) yield* same("rows", result, results[0])
        yield* same("loaded", (yield* store.load(key)).rows, results[0])
      }),
    { concurrent: true },
  ),
  storeCase(
    "one id with other content from all at once: one wins, the rest are refused",
    (store, key) =>
      Effect.gen(function* () {
        const write = (w: number) => Effect.result(store.append(key, [message("m1", `by ${w}`)]))
        const results = yield* Effect.forEach(workers, write, all)
        yield* same("won", results.filter((result) => result._tag === "Success").length, 1)
        yield* same("rows", (yield* store.load(key)).rows.length, 1)
      }),
    { concurrent: true },
  ),
  storeCase(
    "RACE-03 the same mark from all at once: one row, and all get its text",
    (store, key) =>
      Effect.gen(function* () {
        yield* store.append(key, messages(1, 4))
        const put = (w: number) => store.mark(key, summary("m3", { text: `by ${w}` }))
        const outcomes = yield* Effect.forEach(workers, put, all)
        yield* same("written", outcomes.filter((one) => one._tag === "Written").length, 1)
        const { cut } = yield* store.load(key)
        for (const one of outcomes) yield* same("text", one._tag === "Superseded" ? null : one.row, cut)
      }),
    { concurrent: true },
  ),
  storeCase(
    "cuts from all at once, with appends between: the latest is live, and nothing is lost",
    (store, key) =>
      Effect.gen(function* () {
        yield* store.append(key, messages(1, 10))
        const work = (w: number) =>
          Effect.andThen(store.mark(key, summary(`m${w + 1}`)), store.append(key, [message(`late${w}`)]))
        yield* Effect.forEach(workers, work, all)
        const thread = yield* store.load(key)
        yield* same("cut", thread.cut?.anchor, "m8")
        yield* same("rows", ids(thread.rows).slice(0, 2), ["m9", "m10"])
        yield* same("late", thread.rows.length, 2 + workers.length)
      }),
    { concurrent: true },
  ),
  storeCase(
    "all open a chat at once: all get one prompt",
    (store, key) =>
      Effect.gen(function* () {
        const prompts = yield* Effect.forEach(workers, (w) => store.open(key, `by ${w}`), all)
        yield* same("prompts", new Set(prompts).size, 1)
        yield* same("kept", (yield* store.load(key)).system, prompts[0])
      }),
    { concurrent: true },
  ),
  storeCase(
    "readers meanwhile see whole batches only",
    (store, key) =>
      Effect.gen(function* () {
        const write = (b: number) =>
          store.append(
            key,
            [0, 1, 2, 3].map((i) => message(`b${b}i${i}`)),
          )
        const read = Effect.map(store.load(key), (thread) => thread.rows.length % 4)
        const seen = yield* Effect.forEach(
          [...workers, ...workers.map((w) => w + 100)],
          (b) => Effect.andThen(write(b), Effect.all([read, read])),
          all,
        )
        yield* same(
          "torn",
          seen.flat().filter((rest) => rest !== 0),
          [],
        )
      }),
    { concurrent: true },
  ),
]
