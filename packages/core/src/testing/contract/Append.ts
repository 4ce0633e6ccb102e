/**
 * Contract: messages are appended once, in order, all or none.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { assistant, toolResult, user } from "../../thread/Message.ts"
import { failsWith, holds, ids, message, messages, type StoreCase, same, storeCase, summary } from "./Case.ts"

const increases = (positions: ReadonlyArray<number>): boolean =>
  positions.every((position, i) => position > (positions[i - 1] ?? 0))

/** Appending. */
export const appendCases: ReadonlyArray<StoreCase> = [
  storeCase("an unknown chat is an empty thread", (store, key) =>
    Effect.flatMap(store.load(key), (thread) =>
      same("thread", thread, {
        system: "",
        cut: null,
        kept: [],
        rows: [],
        failures: [],
        faults: [],
        revision: 0,
      }),
    ),
  ),
  storeCase("STORE-06 the order of reading is the order of appending", (store, key) =>
    Effect.gen(function* () {
      const turn = [
        message("u", user("find it")),
        message("a", assistant("", [{ id: "c1", name: "find", arguments: "{}" }])),
        message("t", toolResult("c1", "found")),
        message("z", assistant("done")),
      ]
      const rows = yield* store.append(key, turn)
      const more = yield* store.append(key, [message("b"), message("0")])
      const loaded = yield* store.load(key)
      yield* same("loaded", loaded.rows, [...rows, ...more])
      yield* same("order", ids(loaded.rows), ["u", "a", "t", "z", "b", "0"])
    }),
  ),
  storeCase("STORE-08 positions strictly increase from 1 on, whatever the clock does", (store, key) =>
    Effect.gen(function* () {
      for (const i of [1, 2, 3, 4]) yield* store.append(key, messages(3 * i, 3 * i + 2))
      const { rows } = yield* store.load(key)
      yield* holds("increasing", rows.length === 12 && increases(rows.map((row) => row.position)))
    }),
  ),
  storeCase("nothing appended is nothing written", (store, key) =>
    Effect.gen(function* () {
      yield* same("rows", yield* store.append(key, []), [])
      yield* same("loaded", (yield* store.load(key)).rows, [])
    }),
  ),
  storeCase("STORE-09 saving a longer list again adds only what is new", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 2))
      const again = yield* store.append(key, messages(1, 3))
      yield* same("returned", ids(again), ["m1", "m2", "m3"])
      yield* same("loaded", (yield* store.load(key)).rows, again)
    }),
  ),
  storeCase("what is there is returned as stored, in the order asked", (store, key) =>
    Effect.gen(function* () {
      const [first] = yield* store.append(key, messages(1, 2))
      const recounted = { ...message("m1"), tokens: 99, tokenizer: "another" }
      const again = yield* store.append(key, [message("m3"), recounted])
      yield* same("returned", ids(again), ["m3", "m1"])
      yield* same("as stored", again[1], first)
    }),
  ),
  storeCase("TOK-14 the reading on a response comes back, and is no part of its content", (store, key) =>
    Effect.gen(function* () {
      const usage = { model: "m", counter: "c", boundary: null, estimated: 1200, real: 1500 }
      const [row] = yield* store.append(key, [{ ...message("m1", assistant("done")), usage }])
      yield* same("reading", row?.usage, usage)
      const [again] = yield* store.append(key, [message("m1", assistant("done"))])
      yield* same("as stored", again, row)
      yield* same("loaded", (yield* store.load(key)).rows, [row])
      yield* same("single", yield* store.row(key, "m1"), row)
      yield* same("page", (yield* store.page(key, 0, 9)).rows, [row])
      const broken = { ...message("m2", assistant("done")), usage: { ...usage, real: Number.NaN } }
      yield* failsWith("RowError", store.append(key, [broken]))
      yield* store.mark(key, summary("m1", { head: ["m1"] }))
      yield* same("kept", (yield* store.load(key)).kept, [row])
    }),
  ),
  storeCase(
    "when a message was said comes back, is no part of its content, and must be a time",
    (store, key) =>
      Effect.gen(function* () {
        const [row] = yield* store.append(key, [{ ...message("m1"), at: 1_700_000_000_123 }])
        yield* same("appended", row?.at, 1_700_000_000_123)
        const [again, none] = yield* store.append(key, [{ ...message("m1"), at: 5 }, message("m2")])
        yield* same("as stored", [again, none?.at], [row, undefined])
        yield* same("loaded", (yield* store.load(key)).rows[0], row)
        yield* same("single", yield* store.row(key, "m1"), row)
        yield* same("page", (yield* store.page(key, 0, 9)).rows[0], row)
        for (const at of [Number.NaN, 1.5, 9e15])
          yield* failsWith("RowError", store.append(key, [{ ...message("m3"), at }]))
        yield* store.mark(key, summary("m1", { head: ["m1"] }))
        yield* same("kept", (yield* store.load(key)).kept, [row])
      }),
  ),
  storeCase("whose memory a chat belongs to is kept when it is opened first", (store, key) =>
    Effect.gen(function* () {
      yield* store.open(key, "Be exact.", { owner: "ana \ud800" })
      yield* store.open(key, "Be kind.", { owner: "eva", replace: true })
      yield* same("owner", (yield* store.load(key)).owner, "ana \ud800")
      const shared = { ...key, chat: `${key.chat} shared` }
      yield* store.open(shared, "Be exact.")
      yield* store.open(shared, "Be kind.", { owner: "eva", replace: true })
      yield* same("shared", (yield* store.load(shared)).owner, undefined)
    }),
  ),
  storeCase("the same id with other content is refused, and nothing of its batch is written", (store, key) =>
    Effect.gen(function* () {
      const before = yield* store.append(key, messages(1, 2))
      const error = yield* failsWith(
        "RowError",
        store.append(key, [message("m3"), message("m2", "changed"), message("m4")]),
      )
      yield* holds("names the row", error._tag === "RowError" && error.row === "m2" && error.remedy !== "")
      yield* same("loaded", (yield* store.load(key)).rows, before)
      const [next] = yield* store.append(key, [message("m3")])
      yield* holds("goes on", next !== undefined && next.position > (before[1]?.position ?? 0))
    }),
  ),
  storeCase("content is the same whatever the order of its keys", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, [
        message("m1", { role: "user", name: "n", parts: [{ type: "text", text: "x" }] }),
      ])
      yield* store.append(key, [
        message("m1", { parts: [{ text: "x", type: "text" }], name: "n", role: "user" }),
      ])
      yield* same("loaded", ids((yield* store.load(key)).rows), ["m1"])
    }),
  ),
  storeCase("an id repeated in one batch is written once; with other content it is refused", (store, key) =>
    Effect.gen(function* () {
      yield* same("returned", ids(yield* store.append(key, [message("m1"), message("m1")])), ["m1"])
      yield* failsWith("RowError", store.append(key, [message("m2"), message("m2", "changed")]))
      yield* same("loaded", ids((yield* store.load(key)).rows), ["m1"])
    }),
  ),
  storeCase("RACE-05 a reply is stored by its id, whatever the length of the caller's list", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 100))
      yield* store.append(key, [...messages(90, 100), message("m101")])
      yield* same("last", (yield* store.load(key)).rows.at(-1)?.id, "m101")
    }),
  ),
  storeCase(
    "a message that cannot be kept is refused by name, and the rest of its batch with it",
    (store, key) =>
      Effect.gen(function* () {
        const bad = {
          ...message("bad"),
          message: { role: "user", parts: [{ type: "text", text: 5 }] } as never,
        }
        const error = yield* failsWith("RowError", store.append(key, [message("m1"), bad]))
        yield* holds("names the row", error._tag === "RowError" && error.row === "bad")
        yield* failsWith("RowError", store.append(key, [{ ...message("m1"), tokens: Number.NaN }]))
        yield* failsWith("RowError", store.append(key, [message("")]))
        yield* same("loaded", (yield* store.load(key)).rows, [])
      }),
  ),
  storeCase("a payload that is too deep is refused, or comes back", (store, key) =>
    Effect.gen(function* () {
      let deep: unknown = 1
      for (let i = 0; i < 20_000; i++) deep = [deep]
      const odd = { ...message("deep"), message: { ...user("x"), extra: deep } as never }
      const result = yield* Effect.result(store.append(key, [odd]))
      yield* holds("typed", result._tag === "Success" || result.failure._tag === "RowError")
      yield* store.append(key, messages(1, 1))
      yield* holds(
        "usable",
        (yield* store.load(key)).rows.some((row) => row.id === "m1"),
      )
    }),
  ),
  storeCase("a payload of 20 MB is refused, or comes back whole", (store, key) =>
    Effect.gen(function* () {
      const text = "word ".repeat(4_000_000)
      const result = yield* Effect.result(store.append(key, [message("big", text)]))
      if (result._tag === "Failure") {
        yield* holds("names the row", result.failure._tag === "RowError" && result.failure.row === "big")
        return yield* same("loaded", (yield* store.load(key)).rows, [])
      }
      yield* holds("whole", JSON.stringify((yield* store.load(key)).rows) === JSON.stringify(result.success))
    }),
  ),
]
