/**
 * Contract: what `load` hands out is the newest cut and what follows it.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import {
  holds,
  ids,
  message,
  messages,
  prune,
  recall,
  reset,
  type StoreCase,
  same,
  storeCase,
  summary,
  written,
} from "./Case.ts"

/** Windows. */
export const windowCases: ReadonlyArray<StoreCase> = [
  storeCase("a summary cuts the window after its anchor", (store, key) =>
    Effect.gen(function* () {
      const rows = yield* store.append(key, messages(1, 6))
      const cut = yield* written(yield* store.mark(key, summary("m4")))
      yield* same("position", cut.position, rows[3]?.position)
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, cut)
      yield* same("rows", thread.rows, rows.slice(4))
      yield* same("kept", thread.kept, [])
      yield* same("faults", thread.faults, [])
    }),
  ),
  storeCase("a cut after the newest message leaves an empty window", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      yield* store.mark(key, summary("m3"))
      yield* same("rows", (yield* store.load(key)).rows, [])
      yield* store.append(key, messages(4, 4))
      yield* same("rows", ids((yield* store.load(key)).rows), ["m4"])
    }),
  ),
  storeCase("rows that the cut keeps are read with it, in order, each once", (store, key) =>
    Effect.gen(function* () {
      const rows = yield* store.append(key, messages(1, 8))
      yield* store.mark(key, summary("m6", { head: ["m2", "m1"], carry: ["m5", "m1"] }))
      const thread = yield* store.load(key)
      yield* same("kept", thread.kept, [rows[0], rows[1], rows[4]])
      yield* same("rows", thread.rows, rows.slice(6))
    }),
  ),
  storeCase("a kept row that is not there is named", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      yield* store.mark(key, summary("m2", { head: ["m1", "gone"] }))
      const thread = yield* store.load(key)
      yield* same("kept", ids(thread.kept), ["m1"])
      yield* same(
        "faults",
        thread.faults.map((fault) => fault.row),
        ["gone"],
      )
    }),
  ),
  storeCase("a later cut wins", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 9))
      yield* store.mark(key, summary("m3", { head: ["m1"] }))
      const later = yield* written(yield* store.mark(key, summary("m6")))
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, later)
      yield* same("rows", ids(thread.rows), ["m7", "m8", "m9"])
      yield* same("kept", thread.kept, [])
    }),
  ),
  storeCase("a reset at the anchor of a summary outranks it", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      yield* store.mark(key, summary("m2", { head: ["m1"] }))
      const cut = yield* written(yield* store.mark(key, reset("m2")))
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, cut)
      yield* same("kept", thread.kept, [])
      yield* same("rows", ids(thread.rows), ["m3", "m4"])
    }),
  ),
  storeCase("a higher revision replaces a summary at the same anchor", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      yield* store.mark(key, summary("m2", { text: "first" }))
      const better = yield* written(yield* store.mark(key, summary("m2", { revision: 1, text: "better" })))
      yield* same("cut", (yield* store.load(key)).cut, better)
    }),
  ),
  storeCase("a reset at the start covers nothing", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 2))
      const cut = yield* written(yield* store.mark(key, reset("")))
      yield* same("position", cut.position, 0)
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, cut)
      yield* same("rows", ids(thread.rows), ["m1", "m2"])
    }),
  ),
  storeCase("a recall before the first message is read", (store, key) =>
    Effect.gen(function* () {
      yield* store.mark(key, recall(""))
      yield* store.append(key, messages(1, 1))
      yield* same("rows", ids((yield* store.load(key)).rows), ["recall//0", "m1"])
    }),
  ),
  storeCase("a recall at the position of the cut follows it; a prune there is covered", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      yield* store.mark(key, prune("m2"))
      yield* store.mark(key, recall("m2"))
      yield* store.mark(key, summary("m2"))
      yield* same("rows", ids((yield* store.load(key)).rows), ["recall/m2/0", "m3"])
    }),
  ),
  storeCase("prunes and recalls stand after their anchors, in the order of a thread", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      const put = [recall("m3"), recall("m1"), prune("m3"), prune("m2")]
      const marks = yield* Effect.forEach(put, (mark) => Effect.flatMap(store.mark(key, mark), written))
      const { rows } = yield* store.load(key)
      const expected = ["m1", "recall/m1/0", "m2", "prune/m2/0", "m3", "prune/m3/0", "recall/m3/0"]
      yield* same("order", ids(rows), expected)
      yield* same(
        "as put",
        rows.find((row) => row.id === "prune/m2/0"),
        marks[3],
      )
      yield* same(
        "as put",
        rows.find((row) => row.id === "recall/m3/0"),
        marks[0],
      )
    }),
  ),
  storeCase("of a prune and its replacement the newer one is read", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 2))
      yield* store.mark(key, prune("m2"))
      yield* store.mark(key, prune("m2", 1))
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1", "m2", "prune/m2/1"])
    }),
  ),
  storeCase("STORE-13 a summary is stored in the size of a summary", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(
        key,
        Array.from({ length: 10 }, (_, i) => message(`m${i}`, "x".repeat(100_000))),
      )
      for (const i of [2, 5, 9]) yield* store.mark(key, summary(`m${i}`, { head: ["m0"] }))
      const { rows } = yield* store.page(key, 0, 100)
      const marks = rows.filter((row) => row.kind !== "message")
      yield* holds("three of some kB", marks.length === 3 && JSON.stringify(marks).length < 6_000)
    }),
  ),
  storeCase("a thread of 3,000 messages is read in full, and by its window", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3000))
      yield* same("all", (yield* store.load(key)).rows.length, 3000)
      yield* store.mark(key, summary("m2990", { head: ["m1"] }))
      const thread = yield* store.load(key)
      yield* same("window", ids(thread.rows), ids(thread.rows).slice(-10))
      yield* same("kept", ids(thread.kept), ["m1"])
    }),
  ),
  storeCase("RACE-01 what is appended while a pass runs is live after it", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 20))
      const { rows } = yield* store.load(key)
      yield* store.append(key, messages(21, 21))
      yield* store.mark(key, summary(rows.at(-1)?.id ?? ""))
      yield* same("rows", ids((yield* store.load(key)).rows), ["m21"])
    }),
  ),
]
