/**
 * Contract: an edit changes one message at its place, and takes what rests on it out of force.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
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

/** Edits. */
export const editCases: ReadonlyArray<StoreCase<StorePorts>> = [
  editorCase("an edited message stays at its place, and its older versions are kept", (editor, store, key) =>
    Effect.gen(function* () {
      const rows = yield* store.append(
        key,
        messages(1, 3).map((one) => ({ ...one, at: 7 })),
      )
      const edited = yield* editor.edit(key, { ...message("m2", "better"), tokens: 5, at: 9 })
      yield* same("time", edited.at, 7)
      yield* same("place", edited.position, rows[1]?.position)
      yield* same("loaded", (yield* store.load(key)).rows, [rows[0], edited, rows[2]])
      yield* same("row", yield* store.row(key, "m2"), edited)
      const best = yield* editor.edit(key, message("m2", "best"))
      yield* same("versions", yield* editor.versions(key, "m2"), [rows[1], edited])
      yield* same("none", yield* editor.versions(key, "m1"), [])
      yield* same("retry", yield* store.append(key, [message("m2", "best")]), [best])
      yield* failsWith("RowError", store.append(key, [message("m2")]))
    }),
  ),
  editorCase(
    "STORE-15 a summary over an edited message is out of force, the one before it is not",
    (editor, store, key) =>
      Effect.gen(function* () {
        yield* store.append(key, messages(1, 12))
        const first = yield* written(yield* store.mark(key, summary("m3")))
        yield* store.mark(key, prune("m5"))
        yield* store.mark(key, recall("m11"))
        yield* store.mark(key, summary("m10"))
        const before = yield* store.load(key)
        yield* editor.edit(key, message("m6", "edited"))
        const thread = yield* store.load(key)
        yield* same("cut", thread.cut, first)
        yield* holds("raised", thread.revision > before.revision)
        const rows = ["m4", "m5", "prune/m5/0", "m6", "m7", "m8", "m9", "m10", "m11", "recall/m11/0", "m12"]
        yield* same("rows", ids(thread.rows), rows)
        yield* same("late", (yield* store.mark(key, summary("m10")))._tag, "Superseded")
        const again = summary("m10", { revision: thread.revision, previous: first.id })
        yield* written(yield* store.mark(key, again))
        yield* editor.edit(key, message("m12", "after the cut"))
        yield* same("still", (yield* store.load(key)).cut?.anchor, "m10")
      }),
  ),
  editorCase("an edit before a start over leaves it in force", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      yield* store.mark(key, summary("m2"))
      const over = yield* written(yield* store.mark(key, reset("m3")))
      yield* editor.edit(key, message("m1", "edited"))
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, over)
      yield* same("rows", ids(thread.rows), ["m4"])
    }),
  ),
  editorCase("an edit to the same content changes nothing", (editor, store, key) =>
    Effect.gen(function* () {
      const [row] = yield* store.append(key, messages(1, 3))
      yield* store.mark(key, summary("m2"))
      const before = yield* store.load(key)
      yield* same("row", yield* editor.edit(key, { ...message("m1"), tokens: 99 }), row)
      yield* same("thread", yield* store.load(key), before)
      yield* same("versions", yield* editor.versions(key, "m1"), [])
    }),
  ),
  editorCase("a message that is not shown, or cannot be kept, cannot be edited", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      yield* editor.rewind(key, "m2")
      for (const id of ["m3", "nowhere"]) yield* failsWith("RowError", editor.edit(key, message(id, "x")))
      yield* failsWith("RowError", editor.edit(key, message("m1", { role: "user" } as never)))
      yield* same("rows", ids((yield* store.load(key)).rows), ["m1", "m2"])
    }),
  ),
  editorCase("a mark that is withdrawn gives way to the one before it", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 6))
      const first = yield* written(yield* store.mark(key, summary("m2")))
      const second = yield* written(yield* store.mark(key, summary("m4")))
      yield* editor.withdraw(key, second.id)
      const thread = yield* store.load(key)
      yield* same("cut", thread.cut, first)
      yield* editor.withdraw(key, second.id)
      yield* editor.withdraw(key, "nowhere")
      yield* same("once", (yield* store.load(key)).revision, thread.revision)
      yield* same("late", (yield* store.mark(key, summary("m4")))._tag, "Superseded")
      const better = summary("m4", { revision: thread.revision, text: "better" })
      yield* written(yield* store.mark(key, better))
    }),
  ),
  editorCase(
    "a prune that would replace another, and was made before an edit, is superseded",
    (editor, store, key) =>
      Effect.gen(function* () {
        yield* store.append(key, messages(1, 4))
        const first = yield* written(yield* store.mark(key, prune("m3")))
        yield* editor.edit(key, message("m2", "edited"))
        const late = yield* store.mark(key, prune("m3", first.revision + 1))
        yield* same("outcome", late._tag, "Superseded")
      }),
  ),
]
