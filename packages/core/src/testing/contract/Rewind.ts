/**
 * Contract: a rewind hides what follows a message, and brings back the view that was live there.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { Thread } from "../../thread/Thread.ts"
import type { StorePorts } from "../MemoryStore.ts"
import {
  editorCase,
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
  summary,
  written,
} from "./Case.ts"

const view = ({ revision: _, ...shown }: Thread): unknown => shown

/** Rewinds. */
export const rewindCases: ReadonlyArray<StoreCase<StorePorts>> = [
  editorCase("a rewind hides what follows, and what is said next takes its place", (editor, store, key) =>
    Effect.gen(function* () {
      const rows = yield* store.append(key, messages(1, 5))
      yield* editor.rewind(key, "m2")
      yield* same("rows", (yield* store.load(key)).rows, rows.slice(0, 2))
      yield* same("page", (yield* store.page(key, 0, 99)).rows, rows.slice(0, 2))
      yield* same("hidden", yield* store.row(key, "m4"), null)
      const [next] = yield* store.append(key, [message("n")])
      yield* holds("later", (next?.position ?? 0) > 5)
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1", "m2", "n"])
    }),
  ),
  editorCase("a rewind brings back the view that was live there, marks and all", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.open(key, "Be exact.")
      yield* store.append(key, messages(1, 6))
      yield* store.mark(key, summary("m3", { head: ["m1"] }))
      yield* store.mark(key, recall("m5"))
      yield* store.fail(key, { anchor: "m6", stage: "check", reason: "r", tokens: 9 })
      const before = yield* store.load(key)
      yield* store.append(key, messages(7, 9))
      yield* store.mark(key, prune("m4"))
      yield* store.mark(key, summary("m5"))
      yield* store.append(key, messages(10, 12))
      yield* store.mark(key, reset("m12"))
      yield* store.fail(key, { anchor: "m6", stage: "check", reason: "r", tokens: 10 })
      yield* editor.rewind(key, "m6")
      yield* same("view", view(yield* store.load(key)), view(before))
      yield* editor.rewind(key, "m2")
      const early = yield* store.load(key)
      yield* same("cut", early.cut, null)
      yield* same("rows", ids(early.rows), ["m1", "m2"])
      yield* same("failures", early.failures, [])
    }),
  ),
  editorCase(
    "a rewind to the start leaves nothing; to the newest message, everything",
    (editor, store, key) =>
      Effect.gen(function* () {
        yield* store.open(key, "Be exact.")
        yield* store.append(key, messages(1, 3))
        yield* store.mark(key, summary("m2"))
        const before = yield* store.load(key)
        yield* editor.rewind(key, "m3")
        yield* same("nothing hidden", yield* store.load(key), before)
        yield* editor.rewind(key, "")
        const thread = yield* store.load(key)
        yield* same("empty", [thread.system, thread.cut, thread.rows], ["Be exact.", null, []])
        yield* editor.rewind(key, "")
        yield* same("again", (yield* store.load(key)).revision, thread.revision)
      }),
  ),
  editorCase("a rewind told twice is one", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 5))
      yield* editor.rewind(key, "m3")
      const once = yield* store.load(key)
      yield* editor.rewind(key, "m3")
      yield* same("twice", yield* store.load(key), once)
    }),
  ),
  editorCase("what a rewind hid gives its id free, with other content as well", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      yield* store.mark(key, summary("m3"))
      yield* editor.rewind(key, "m2")
      const [again] = yield* store.append(key, [message("m3", "another text")])
      yield* same("row", yield* store.row(key, "m3"), again)
      yield* same("retry", yield* store.append(key, [message("m3", "another text")]), [again])
      yield* failsWith("RowError", store.append(key, [message("m3")]))
      const { revision, rows } = yield* store.load(key)
      yield* same("rows", ids(rows), ["m1", "m2", "m3"])
      const cut = { ...summary("m3", { revision, text: "of the new branch" }), id: "new" }
      yield* written(yield* store.mark(key, cut))
      const thread = yield* store.load(key)
      yield* same("cut", [thread.cut?.id, ids(thread.rows)], ["new", []])
    }),
  ),
  editorCase("STORE-14 a mark made of the thread before a rewind is superseded", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 6))
      const live = yield* written(yield* store.mark(key, summary("m1")))
      yield* store.append(key, messages(7, 8))
      yield* editor.rewind(key, "m6")
      const late = { _tag: "Superseded" }
      for (const mark of [summary("m4", { previous: live.id }), prune("m4"), recall("m4")]) {
        yield* same("outcome", { _tag: (yield* store.mark(key, mark))._tag }, late)
      }
      yield* failsWith("RowError", store.mark(key, summary("m8", { revision: 9 })))
      const { revision } = yield* store.load(key)
      yield* holds("counts up", revision > 0)
      yield* written(yield* store.mark(key, summary("m4", { previous: live.id, revision })))
    }),
  ),
  editorCase("what follows a hidden message is not appended", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      yield* editor.rewind(key, "m2")
      const late = failsWith("RowError", store.append(key, [message("late")], { after: "m4" }))
      const error = yield* late
      yield* holds("names it", error._tag === "RowError" && error.row === "m4")
      yield* store.append(key, [message("next")], { after: "m2" })
      yield* store.append(key, [message("free")])
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1", "m2", "next", "free"])
    }),
  ),
  editorCase("rewinds follow each other, nested and apart", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      yield* editor.rewind(key, "m3")
      yield* store.append(key, messages(5, 6))
      yield* editor.rewind(key, "m5")
      yield* store.append(key, messages(7, 8))
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1", "m2", "m3", "m5", "m7", "m8"])
      yield* editor.rewind(key, "m2")
      yield* store.append(key, messages(9, 9))
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1", "m2", "m9"])
    }),
  ),
  editorCase("marks that were put after a rewind come back with a second one", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      yield* editor.rewind(key, "m2")
      const { revision } = yield* store.load(key)
      const live = yield* written(yield* store.mark(key, { ...reset("m2"), revision }))
      yield* store.fail(key, { anchor: "m2", stage: "check", reason: "r", tokens: 9 })
      const before = yield* store.load(key)
      yield* store.append(key, messages(5, 6))
      yield* editor.rewind(key, "m2")
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, live)
      yield* same("view", view(thread), view(before))
    }),
  ),
  editorCase("an id that is no text names no message", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 2))
      for (const id of [null as never, 5 as never, {} as never, Object.create(null) as never]) {
        yield* failsWith("RowError", editor.rewind(key, id))
        yield* failsWith("RowError", editor.fork(key, `${key.chat}/fork`, id))
        yield* failsWith("RowError", store.append(key, [message("m3")], { after: id }))
        yield* same("row", yield* store.row(key, id), null)
        yield* same("versions", yield* editor.versions(key, id), [])
        yield* editor.withdraw(key, id)
      }
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1", "m2"])
    }),
  ),
  editorCase("a message that is not shown cannot be rewound to", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      yield* editor.rewind(key, "m2")
      for (const to of ["m4", "nowhere"]) yield* failsWith("RowError", editor.rewind(key, to))
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1", "m2"])
    }),
  ),
]
