/**
 * Contract: forks, rewinds, edits and removals that meet, one after the other or at once.
 *
 * @since 0.1.0
 */
import { Effect, Result } from "effect"
import type { ThreadStore } from "../../engine/ThreadStore.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import type { StorePorts } from "../MemoryStore.ts"
import {
  editorCase,
  holds,
  ids,
  message,
  messages,
  prune,
  reset,
  type StoreCase,
  same,
  summary,
  written,
} from "./Case.ts"

const all = { concurrency: "unbounded" } as const
const eight = Array.from({ length: 8 }, (_, i) => i)

/** A removal holds when a removed chat answers with nothing but an error, whoever wrote to it meanwhile. */
const isGone = (store: ThreadStore["Service"], key: ThreadKey) =>
  Effect.flatMap(Effect.result(store.load(key)), (result) => holds("gone", Result.isFailure(result)))

/** One after the other. */
const sequences: ReadonlyArray<StoreCase<StorePorts>> = [
  editorCase("marks that are put right after a fork do not reach it", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      const fork = yield* editor.fork(key, `${key.chat}/fork`)
      const before = yield* store.load(fork)
      yield* store.mark(key, summary("m2"))
      yield* store.mark(key, prune("m4"))
      yield* store.fail(key, { anchor: "m4", stage: "check", reason: "r", tokens: 1 })
      yield* same("fork", yield* store.load(fork), before)
      const second = yield* editor.fork(key, `${key.chat}/start`, "")
      yield* store.mark(key, reset(""))
      yield* same("start", (yield* store.load(second)).cut, null)
    }),
  ),
  editorCase("a failure that is told in a fork at the anchor of a shared cut is read", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 3))
      for (const anchor of ["m1", "m2"]) yield* store.mark(key, prune(anchor))
      yield* store.mark(key, summary("m3"))
      const fork = yield* editor.fork(key, `${key.chat}/fork`)
      const failure = { anchor: "m3", stage: "check", reason: "r", tokens: 1 } as const
      yield* store.fail(fork, failure)
      yield* same("failures", (yield* store.load(fork)).failures, [failure])
    }),
  ),
  editorCase("a fork of all that is shown has the marks that followed a rewind", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 5))
      yield* editor.rewind(key, "m4")
      const { revision } = yield* store.load(key)
      yield* written(yield* store.mark(key, summary("m2", { revision })))
      yield* written(yield* store.mark(key, prune("m4", revision)))
      const before = yield* store.load(key)
      const fork = yield* editor.fork(key, `${key.chat}/fork`)
      yield* same("fork", yield* store.load(fork), before)
      yield* same("again", yield* editor.fork(key, fork.chat), fork)
      yield* same("earlier", (yield* store.load(yield* editor.fork(key, `${key.chat}/4`, "m4"))).cut, null)
    }),
  ),
  editorCase("a mark that a fork shows is withdrawn in all chats that show it", (editor, store, key) =>
    Effect.gen(function* () {
      yield* store.append(key, messages(1, 4))
      const first = yield* written(yield* store.mark(key, summary("m1")))
      const second = yield* written(yield* store.mark(key, summary("m3")))
      const [fork, other] = [
        yield* editor.fork(key, `${key.chat}/1`),
        yield* editor.fork(key, `${key.chat}/2`),
      ]
      const late = yield* written(yield* store.mark(key, summary("m4")))
      yield* editor.withdraw(fork, late.id)
      yield* same("not shown", (yield* store.load(key)).cut, late)
      yield* editor.withdraw(key, late.id)
      yield* editor.withdraw(fork, second.id)
      for (const one of [key, fork, other]) {
        const thread = yield* store.load(one)
        yield* same("cut", thread.cut, first)
        yield* holds("raised", thread.revision > 0)
      }
    }),
  ),
  editorCase(
    "STORE-15 an edit reaches what rests on it in a fork, though the chat between was rewound",
    (editor, store, key) =>
      Effect.gen(function* () {
        yield* store.append(key, messages(1, 4))
        const between = yield* editor.fork(key, `${key.chat}/1`)
        yield* store.append(between, [message("f5")])
        yield* written(yield* store.mark(between, summary("m4")))
        yield* store.append(between, [message("f6")])
        const last = yield* editor.fork(between, `${key.chat}/2`)
        yield* same("shared", (yield* store.load(last)).cut?.anchor, "m4")
        yield* editor.rewind(between, "m1")
        const edited = yield* editor.edit(key, message("m3", "edited"))
        const thread = yield* store.load(last)
        yield* same("cut", thread.cut, null)
        yield* same("row", thread.rows[2], edited)
        yield* same("rows", ids((yield* store.load(between)).rows), ["m1"])
      }),
  ),
]

/** At once. */
const races: ReadonlyArray<StoreCase<StorePorts>> = [
  editorCase(
    "a chat that is removed while others write to it stays empty",
    (editor, store, key) =>
      Effect.gen(function* () {
        yield* store.append(key, messages(1, 3))
        const write = (w: number) =>
          Effect.ignore(
            Effect.all([
              store.append(key, [message(`w${w}`)]),
              store.open(key, "late"),
              store.saveDraft(key, `d${w}`, "late"),
              store.mark(key, summary("m2")),
            ]),
          )
        const remove = editor.remove(key)
        yield* Effect.forEach(eight, (w) => (w === 3 ? remove : Effect.andThen(write(w), write(w + 10))), all)
        yield* isGone(store, key)
        yield* holds("no draft", Result.isFailure(yield* Effect.result(store.draft(key, "d0"))))
      }),
    { concurrent: true },
  ),
  editorCase(
    "no chat is made in a tenant while it is removed",
    (editor, store, key) =>
      Effect.gen(function* () {
        const chatOf = (w: number) => ({ ...key, chat: `${key.chat}/${w}` })
        const write = (w: number) => Effect.ignore(store.append(chatOf(w), messages(1, 2)))
        const act = (w: number): Effect.Effect<unknown, unknown> =>
          w === 3 ? editor.removeTenant(key.tenant) : write(w)
        yield* Effect.forEach(eight, act, all)
        yield* Effect.forEach(eight, (w) => isGone(store, chatOf(w)), all)
      }),
    { concurrent: true },
  ),
  editorCase(
    "a fork that is made while its chat is removed is whole, or not there",
    (editor, store, key) =>
      Effect.gen(function* () {
        yield* store.append(key, messages(1, 5))
        const first = yield* editor.fork(key, `${key.chat}/first`, "m4")
        const nameOf = (w: number) => `${key.chat}/${w}`
        const fork = (w: number) => editor.fork(w % 2 === 0 ? key : first, nameOf(w), "m3")
        const isDone = <A, E>(effect: Effect.Effect<A, E>) =>
          Effect.map(Effect.result(effect), Result.isSuccess)
        const done = yield* Effect.forEach(
          eight,
          (w) => (w === 4 ? isDone(editor.remove(key)) : isDone(fork(w))),
          all,
        )
        for (const w of eight.filter((one) => one !== 4)) {
          const rows = Effect.map(store.load({ ...key, chat: nameOf(w) }), (thread) => ids(thread.rows))
          const made = done[w] === true
          yield* same(nameOf(w), yield* rows, made ? ["m1", "m2", "m3"] : [])
          if (w % 2 === 1) yield* holds("of the fork", made)
        }
        yield* same("first", ids((yield* store.load(first)).rows), ["m1", "m2", "m3", "m4"])
      }),
    { concurrent: true },
  ),
  editorCase(
    "a summary that is put while its rows are edited or rewound is never live on what it was not made of",
    (editor, store, key) =>
      Effect.gen(function* () {
        yield* store.append(key, messages(1, 6))
        const made = summary("m4", { text: "of the first version" })
        const fork = (w: number) => editor.fork(key, `${key.chat}/${w}`)
        const act = (w: number): Effect.Effect<unknown, unknown> => {
          if (w === 2) return editor.edit(key, message("m2", "edited"))
          return w % 2 === 0 ? fork(w) : store.mark(key, made)
        }
        yield* Effect.forEach(eight, act, all)
        for (const chat of [key.chat, ...[0, 4, 6].map((w) => `${key.chat}/${w}`)]) {
          const thread = yield* store.load({ ...key, chat })
          yield* same("cut", thread.cut, null)
          yield* holds("edited", JSON.stringify(thread.rows).includes("edited"))
        }
      }),
    { concurrent: true },
  ),
]

/** Tangles. */
export const tangleCases: ReadonlyArray<StoreCase<StorePorts>> = [...sequences, ...races]
