/**
 * Contract: what is removed is gone, and nothing written late brings it back.
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
  recall,
  type StoreCase,
  same,
  summary,
} from "./Case.ts"

/** Removals. */
export const removeCases: ReadonlyArray<StoreCase<StorePorts>> = [
  editorCase("a removed chat answers nothing and takes nothing", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.open(key, "Be exact.")
      yield* store.append(key, messages(1, 3))
      yield* store.mark(key, summary("m2"))
      yield* store.saveDraft(key, "d", "draft")
      yield* editor.remove(key)
      yield* editor.remove(key)
      for (const late of [
        store.append(key, [message("late")]),
        store.append(key, messages(1, 1)),
        store.load(key),
        store.open(key, "Be kind.", { replace: true }),
        store.mark(key, recall("m1")),
        store.fail(key, { anchor: "m1", stage: "check", reason: "r", tokens: 1 }),
        store.row(key, "m1"),
        store.page(key, 0, 9),
        store.draft(key, "d"),
        store.saveDraft(key, "e", "late"),
        editor.rewind(key, "m1"),
        editor.edit(key, message("m1", "late")),
        editor.fork(key, `${key.chat}/fork`),
      ]) {
        const error = yield* failsWith(
          "StoreError",
          late as Effect.Effect<unknown, { readonly _tag: string }>,
        )
        yield* holds("may not be retried", "isRetryable" in error && error.isRetryable === false)
      }
      const other = { ...key, chat: `${key.chat}/other` }
      yield* store.append(other, messages(1, 1))
      yield* same("others", ids((yield* store.load(other)).rows), ["m1"])
      yield* failsWith("RowError", editor.fork(other, key.chat))
    }),
  ),
  editorCase("forks of a removed chat keep what they show", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      yield* store.mark(key, summary("m2", { head: ["m1"] }))
      yield* store.append(key, messages(4, 6))
      const fork = yield* editor.fork(key, `${key.chat}/1`, "m5")
      const second = yield* editor.fork(fork, `${key.chat}/2`, "m4")
      yield* store.append(fork, [message("f6")])
      yield* store.append(second, [message("g5")])
      const before = [yield* store.load(fork), yield* store.load(second)]
      yield* editor.remove(key)
      yield* same("views", [yield* store.load(fork), yield* store.load(second)], before)
      yield* editor.remove(fork)
      yield* same("second", yield* store.load(second), before[1])
      yield* editor.rewind(second, "m3")
      yield* store.append(second, [message("h4")])
      yield* same("goes on", ids((yield* store.load(second)).rows), ["m3", "h4"])
    }),
  ),
  editorCase(
    "a removed tenant takes no chat with it that is not its own, and takes no new one",
    (editor, store, key) =>
      Effect.gen(function* () {
        const near = { tenant: `${key.tenant} `, chat: key.chat }
        const second = { ...key, chat: `${key.chat}/2` }
        for (const one of [key, second, near]) yield* store.append(one, messages(1, 2))
        yield* editor.removeTenant(key.tenant)
        yield* editor.removeTenant(key.tenant)
        for (const one of [key, second, { ...key, chat: "new" }]) {
          yield* failsWith("StoreError", store.append(one, messages(1, 1)))
          yield* failsWith("StoreError", store.open(one, "late"))
          yield* failsWith("StoreError", store.load(one))
        }
        yield* same("near", ids((yield* store.load(near)).rows), ["m1", "m2"])
      }),
  ),
]
