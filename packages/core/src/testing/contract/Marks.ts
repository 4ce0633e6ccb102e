/**
 * Contract: one row per boundary, and everybody gets its text.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { Mark } from "../../thread/Row.ts"
import {
  failsWith,
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

const isMark = (row: { readonly kind: string }): row is Mark => row.kind !== "message"

/** Marks. */
export const markCases: ReadonlyArray<StoreCase> = [
  storeCase("RACE-03 a second writer of a mark adopts the text of the first", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      for (const kind of [summary("m2"), prune("m1"), recall("m3")]) {
        const first = yield* written(yield* store.mark(key, kind))
        const other = "text" in kind ? { ...kind, text: "another text" } : kind
        yield* same("outcome", yield* store.mark(key, other), { _tag: "Adopted", row: first })
      }
      yield* same("marks", (yield* store.page(key, 0, 10)).rows.filter(isMark).length, 3)
    }),
  ),
  storeCase("two ids at one place are one row: the first", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 2))
      const first = yield* written(yield* store.mark(key, summary("m2")))
      const other = { ...summary("m2"), id: "another id", text: "another text" }
      yield* same("outcome", yield* store.mark(key, other), { _tag: "Adopted", row: first })
    }),
  ),
  storeCase("RACE-06 a cut before the live one is not written", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 6))
      const live = yield* written(yield* store.mark(key, summary("m4")))
      for (const late of [summary("m3"), reset("m2"), reset(""), summary("m3", { revision: 7 })]) {
        yield* same("outcome", yield* store.mark(key, late), { _tag: "Superseded", id: live.id })
      }
      yield* same("cut", (yield* store.load(key)).cut, live)
      yield* same("rows", ids((yield* store.page(key, 0, 10)).rows.filter(isMark)), [live.id])
    }),
  ),
  storeCase("a lower rank or revision at the same anchor is not written", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      yield* store.mark(key, summary("m2", { revision: 1 }))
      yield* same("revision", (yield* store.mark(key, summary("m2")))._tag, "Superseded")
      yield* store.mark(key, reset("m2"))
      yield* same("rank", (yield* store.mark(key, summary("m2", { revision: 2 })))._tag, "Superseded")
      yield* same("cut", (yield* store.load(key)).cut?.kind, "reset")
    }),
  ),
  storeCase("a cut that was written and then overtaken is superseded when it is put again", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 6))
      yield* store.mark(key, summary("m2"))
      const live = yield* written(yield* store.mark(key, summary("m5")))
      yield* same("outcome", yield* store.mark(key, summary("m2")), { _tag: "Superseded", id: live.id })
    }),
  ),
  storeCase("a summary is written only on the cut that it was made of", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 8))
      const first = yield* written(yield* store.mark(key, summary("m2", { previous: null })))
      const late = { _tag: "Superseded", id: first.id }
      yield* same("another", yield* store.mark(key, summary("m4", { previous: null })), late)
      const next = summary("m4", { previous: first.id })
      const second = yield* written(yield* store.mark(key, next))
      yield* same("again", yield* store.mark(key, next), { _tag: "Adopted", row: second })
      const over = yield* written(yield* store.mark(key, reset("m6")))
      const beside = yield* store.mark(key, summary("m8", { previous: second.id }))
      yield* same("a start over meanwhile", beside, { _tag: "Superseded", id: over.id })
      yield* same("cut", (yield* store.load(key)).cut, over)
    }),
  ),
  storeCase("STORE-14 an anchor that is no message of this thread is refused", (store, key) =>
    Effect.gen(function* () {
      yield* store.append({ ...key, chat: "another" }, [message("foreign")])
      yield* store.append(key, messages(1, 2))
      yield* store.mark(key, prune("m1"))
      for (const anchor of ["foreign", "nowhere", "prune/m1/0"]) {
        for (const mark of [summary(anchor), reset(anchor), prune(anchor), recall(anchor)]) {
          const error = yield* failsWith("RowError", store.mark(key, mark))
          yield* holds("names the anchor", error._tag === "RowError" && error.row === anchor)
        }
      }
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, null)
      yield* same("rows", ids(thread.rows), ["m1", "prune/m1/0", "m2"])
    }),
  ),
  storeCase("a mark that cannot be kept is refused by name", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 1))
      const bad = { ...summary("m1"), text: 5 } as never
      yield* failsWith("RowError", store.mark(key, bad))
      yield* failsWith("RowError", store.mark(key, { ...reset("m1"), revision: -1 }))
      yield* failsWith("RowError", store.mark(key, { ...reset("m1"), kind: "verdict" } as never))
      yield* same("cut", (yield* store.load(key)).cut, null)
    }),
  ),
  storeCase("STORE-10 a client's retry after a cut is still one row, at its place", (store, key) =>
    Effect.gen(function* () {
      const [, second] = yield* store.append(key, messages(1, 4))
      yield* store.mark(key, summary("m3"))
      yield* same("again", yield* store.append(key, [message("m2")]), [second])
      yield* same("rows", ids((yield* store.load(key)).rows), ["m4"])
    }),
  ),
  storeCase("RACE-07 a client's old list does not move the cut", (store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 6))
      const cut = yield* written(yield* store.mark(key, summary("m4")))
      yield* store.append(key, messages(1, 6))
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, cut)
      yield* same("rows", ids(thread.rows), ["m5", "m6"])
    }),
  ),
]
