/**
 * Contract: a fork begins with what another chat shows, and goes its own way.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { Thread } from "../../thread/Thread.ts"
import type { StorePorts } from "../MemoryStore.ts"
import {
  editorCase,
  failsWith,
  ids,
  message,
  messages,
  prune,
  recall,
  reset,
  type StoreCase,
  same,
  summary,
  written,
} from "./Case.ts"

const view = ({ revision: _, ...shown }: Thread): unknown => shown

/** Forks. */
export const forkCases: ReadonlyArray<StoreCase<StorePorts>> = [
  editorCase("a fork shows what its chat showed, and neither hears of the other", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.open(key, "Be exact.", { owner: "ana" })
      yield* store.append(key, messages(1, 5))
      yield* store.mark(key, summary("m2", { head: ["m1"] }))
      yield* store.mark(key, recall("m4"))
      const before = yield* store.load(key)
      const fork = yield* editor.fork(key, `${key.chat}/fork`)
      yield* same("key", fork, { tenant: key.tenant, chat: `${key.chat}/fork` })
      yield* same("view", view(yield* store.load(fork)), view(before))
      yield* store.append(fork, [message("f6")])
      yield* store.append(key, messages(6, 7))
      yield* store.mark(fork, summary("m4"))
      yield* store.mark(key, prune("m5"))
      const [own, other] = [yield* store.load(key), yield* store.load(fork)]
      yield* same("own", ids(own.rows), ["m3", "m4", "recall/m4/0", "m5", "prune/m5/0", "m6", "m7"])
      yield* same("cut", [own.cut?.anchor, other.cut?.anchor], ["m2", "m4"])
      yield* same("fork", ids(other.rows), ["recall/m4/0", "m5", "f6"])
      yield* same("row", (yield* store.row(fork, "m3"))?.id, "m3")
      yield* same("foreign", yield* store.row(fork, "m6"), null)
      const page = yield* store.page(fork, 0, 99)
      yield* same("messages", ids(page.rows.filter((row) => row.kind === "message")), [
        ...["m1", "m2", "m3", "m4", "m5", "f6"],
      ])
    }),
  ),
  editorCase("a fork at a message shows what was live there", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      const before = yield* store.load(key)
      yield* store.append(key, messages(5, 6))
      yield* store.mark(key, summary("m3"))
      const fork = yield* editor.fork(key, `${key.chat}/at`, "m4")
      yield* same("view", view(yield* store.load(fork)), view(before))
      const empty = yield* editor.fork(key, `${key.chat}/start`, "")
      yield* same("start", (yield* store.load(empty)).rows, [])
      yield* store.append(empty, messages(1, 1))
      yield* same("goes on", ids((yield* store.load(empty)).rows), ["m1"])
    }),
  ),
  editorCase("a fork of a fork, and a rewind into what is shared", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      const fork = yield* editor.fork(key, `${key.chat}/1`, "m3")
      yield* store.append(fork, [message("a4"), message("a5")])
      const second = yield* editor.fork(fork, `${key.chat}/2`, "a4")
      yield* store.append(second, [message("b5")])
      yield* same("second", ids((yield* store.load(second)).rows), ["m1", "m2", "m3", "a4", "b5"])
      yield* editor.rewind(fork, "m2")
      yield* store.append(fork, [message("c3")])
      yield* same("rewound", ids((yield* store.load(fork)).rows), ["m1", "m2", "c3"])
      yield* same("second", ids((yield* store.load(second)).rows), ["m1", "m2", "m3", "a4", "b5"])
      yield* editor.rewind(key, "m1")
      yield* same("third", ids((yield* store.load(fork)).rows), ["m1", "m2", "c3"])
      yield* same("own", ids((yield* store.load(key)).rows), ["m1"])
    }),
  ),
  editorCase("a fork shows the marks that its chat put after an earlier fork", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      const first = yield* editor.fork(key, `${key.chat}/1`)
      const cut = yield* written(yield* store.mark(key, reset("m3")))
      yield* same("first", (yield* store.load(first)).cut, null)
      const second = yield* editor.fork(key, `${key.chat}/2`)
      yield* same("second", (yield* store.load(second)).cut, cut)
      yield* written(yield* store.mark(first, recall("m3")))
      const third = yield* editor.fork(first, `${key.chat}/3`, "m3")
      yield* same("third", ids((yield* store.load(third)).rows), ["m1", "m2", "m3", "recall/m3/0"])
      yield* editor.fork(key, `${key.chat}/1`)
      yield* editor.fork(key, `${key.chat}/2`)
    }),
  ),
  editorCase("a fork told twice is one; a chat that is there is refused", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      const other = { ...key, chat: `${key.chat}/other` }
      yield* store.append(other, messages(1, 1))
      yield* failsWith("RowError", editor.fork(key, other.chat))
      yield* failsWith("RowError", editor.fork(key, key.chat))
      yield* failsWith("RowError", editor.fork(key, `${key.chat}/new`, "nowhere"))
      const fork = yield* editor.fork(key, `${key.chat}/new`, "m2")
      yield* store.append(fork, [message("f3")])
      yield* editor.fork(key, `${key.chat}/new`, "m2")
      yield* same("kept", ids((yield* store.load(fork)).rows), ["m1", "m2", "f3"])
      yield* failsWith("RowError", editor.fork(key, `${key.chat}/new`, "m1"))
    }),
  ),
  editorCase("an edit shows in forks, and what rests on it there is out of force", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      const fork = yield* editor.fork(key, `${key.chat}/fork`)
      yield* written(yield* store.mark(fork, summary("m3")))
      yield* failsWith("RowError", editor.edit(fork, message("m2", "from the fork")))
      const edited = yield* editor.edit(key, message("m2", "edited"))
      const thread = yield* store.load(fork)
      yield* same("cut", thread.cut, null)
      yield* same("row", thread.rows[1], edited)
    }),
  ),
]
