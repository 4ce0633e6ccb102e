/**
 * Contract: how the index of long-term memory follows what is written, put away and removed.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { holds, message, type StoreCase, same } from "./Case.ts"
import { type MemoryPorts, memoryCase, places } from "./MemoryCase.ts"

/** Keeping. */
export const memoryKeepCases: ReadonlyArray<StoreCase<MemoryPorts>> = [
  memoryCase("indexes what is new, and nothing twice", ({ say, indexAll, index, search, key }) =>
    Effect.gen(function* () {
      yield* say("c1", ["The ladder is blue.", "The ladder is long."])
      yield* same("rows", (yield* indexAll()).rows, 2)
      const again = yield* index.index(key.tenant)
      yield* same("nothing new", [again.rows, again.documents, again.vectors, again.left], [0, 0, 0, false])
      yield* say("c1", ["The ladder is old."], { from: 3 })
      yield* say("c2", ["A ladder again."])
      yield* same("only new", (yield* indexAll()).rows, 2)
      const found = places(yield* search("ladder"))
      yield* same("each once", [...found].sort(), ["c1/m1", "c1/m2", "c1/m3", "c2/m1"])
    }),
  ),
  memoryCase("goes through chats of any length in batches of any size", ({ say, indexAll, search }) =>
    Effect.gen(function* () {
      const texts = Array.from({ length: 7 }, (_, i) => `Stone number ${i}.`)
      for (const chat of ["a", "b", "c"]) yield* say(chat, texts)
      const report = yield* indexAll(2)
      yield* same("rows", report.rows, 21)
      yield* same("found", (yield* search("stone", { limit: 50 })).found.length, 21)
    }),
  ),
  memoryCase("finds a long message by its pieces", ({ say, indexAll, search }) =>
    Effect.gen(function* () {
      const filler = Array.from({ length: 300 }, (_, i) => `Sentence ${i} is of no use.`).join(" ")
      yield* say("c1", [`${filler} The violin is in the attic. ${filler}`])
      yield* indexAll()
      const [first] = (yield* search("violin attic")).found
      yield* holds("piece", first?.document.text.includes("violin") === true)
      yield* holds("short", (first?.document.text.length ?? 0) < 2000)
    }),
  ),
  memoryCase("a secret is neither kept nor found", ({ say, indexAll, search }) =>
    Effect.gen(function* () {
      const secret = `sk-proj-${"Ab3dEf6hIj9kLm2n".repeat(3)}`
      yield* say("c1", [`The violet key is ${secret}.`])
      yield* indexAll()
      const { found } = yield* search("violet key")
      yield* same("found", found.length, 1)
      yield* holds("redacted", !JSON.stringify(found).includes(secret))
    }),
  ),
  memoryCase(
    "what a rewind hid is not found, indexed before or not",
    ({ key, editor, say, indexAll, search }) =>
      Effect.gen(function* () {
        yield* say("c1", ["The harbour is north.", "The harbour is south."])
        yield* indexAll()
        yield* say("c1", ["The harbour is west."], { from: 3 })
        yield* editor.rewind({ ...key, chat: "c1" }, "m1")
        yield* same("before a run", places(yield* search("harbour")), ["c1/m1"])
        yield* say("c1", ["The harbour is east."], { from: 4 })
        yield* indexAll()
        const found = places(yield* search("harbour"))
        yield* same("after", [...found].sort(), ["c1/m1", "c1/m4"])
      }),
  ),
  memoryCase(
    "what a fork still shows is found after its source was rewound",
    ({ key, editor, say, indexAll, search }) =>
      Effect.gen(function* () {
        yield* say("a", ["The bridge is red.", "The bridge is closed."])
        yield* indexAll()
        yield* editor.fork({ ...key, chat: "a" }, "fork")
        yield* editor.rewind({ ...key, chat: "a" }, "m1")
        yield* indexAll()
        const found = places(yield* search("bridge"))
        yield* same("found", [...found].sort(), ["a/m1", "a/m2"])
        yield* editor.rewind({ ...key, chat: "fork" }, "m1")
        yield* same("of nobody", places(yield* search("bridge")), ["a/m1"])
      }),
  ),
  memoryCase(
    "an edit is found by its new words, and by the old ones no more",
    ({ key, editor, say, indexAll, search }) =>
      Effect.gen(function* () {
        yield* say("c1", ["The piano is for sale.", "Call me tomorrow.", "The flute too."])
        yield* indexAll()
        yield* editor.edit({ ...key, chat: "c1" }, message("m1", "The organ is for sale."))
        const old = (yield* search("piano")).found
        yield* holds(
          "old words",
          old.every(({ document }) => !document.text.includes("piano")),
        )
        yield* indexAll()
        yield* same("new words", places(yield* search("organ"))[0], "c1/m1")
        yield* same("others", places(yield* search("flute"))[0], "c1/m3")
        const { found } = yield* search("piano organ flute sale tomorrow", { limit: 50 })
        yield* same("each once", places({ found, scan: "none", degraded: [] }).length, 3)
      }),
  ),
  memoryCase(
    "nothing of a removed chat or tenant is found, and forks keep what they show",
    ({ key, editor, say, indexAll, search }) =>
      Effect.gen(function* () {
        yield* say("a", ["The tower is high.", "The tower is old."])
        yield* say("b", ["The tower is far."])
        yield* indexAll()
        yield* editor.fork({ ...key, chat: "a" }, "fork", "m1")
        yield* editor.remove({ ...key, chat: "a" })
        yield* indexAll()
        const found = places(yield* search("tower"))
        yield* same("after a chat", [...found].sort(), ["b/m1", "fork/m1"])
        yield* editor.removeTenant(key.tenant)
        const left = yield* Effect.orElseSucceed(search("tower"), () => null)
        yield* same("after the tenant", left === null ? [] : places(left), [])
      }),
  ),
  memoryCase(
    "any number of workers index each document once",
    ({ key, say, indexAll, index, search }) =>
      Effect.gen(function* () {
        for (let chat = 0; chat < 8; chat++)
          yield* say(
            `c${chat}`,
            Array.from({ length: 6 }, (_, i) => `Pebble ${chat} ${i}.`),
          )
        const worker = Effect.forEach(Array.from({ length: 4 }), () => index.index(key.tenant, { rows: 7 }))
        yield* Effect.all([worker, worker, worker, worker], { concurrency: "unbounded" })
        yield* indexAll()
        const found = places(yield* search("pebble", { limit: 99 }))
        yield* same("all", found.length, 48)
        yield* same("once", new Set(found).size, 48)
      }),
    { concurrent: true },
  ),
]
