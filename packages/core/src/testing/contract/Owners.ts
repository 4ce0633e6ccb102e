/**
 * Contract: all that is kept of an owner is handed out, and is gone when it is removed.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { BlobStore } from "../../engine/BlobStore.ts"
import { FactStore, type OwnerKey } from "../../engine/FactStore.ts"
import { OwnerData, type OwnerRecord } from "../../engine/OwnerData.ts"
import { ThreadEditor } from "../../engine/ThreadEditor.ts"
import { ThreadStore } from "../../engine/ThreadStore.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import type { StorePorts } from "../MemoryStore.ts"
import {
  failsWith,
  freshKey,
  holds,
  message,
  messages,
  recall,
  type StoreCase,
  same,
  summary,
} from "./Case.ts"
import { adaOf, fact, stated } from "./FactCase.ts"

type Body = Effect.Effect<void, unknown, StorePorts>

const ownerCase = (
  name: string,
  body: (key: ThreadKey) => Body,
  concurrent = false,
): StoreCase<StorePorts> => ({
  name,
  concurrent,
  run: Effect.suspend(() => body(freshKey(name))),
})

/** Everything that may be kept of a chat, with a mark in its texts. */
const fill = (key: ThreadKey, owner: string, mark: string) =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    const editor = yield* ThreadEditor
    const facts = yield* FactStore
    yield* store.open(key, `${mark} system`, { owner })
    yield* store.append(key, [...messages(1, 4), message("m5", `${mark} message`), message("m6")])
    yield* store.mark(key, summary("m2", { text: `${mark} summary` }))
    yield* store.mark(key, recall("m3"))
    yield* editor.edit(key, message("m4", `${mark} edited`))
    yield* editor.edit(key, message("m4", "edited again"))
    yield* editor.rewind(key, "m5")
    yield* store.fail(key, { anchor: "m5", stage: "check", reason: `${mark} reason`, tokens: 1 })
    yield* store.saveDraft(key, "d", `${mark} draft`)
    yield* (yield* BlobStore).put(key, [{ id: "b", text: `${mark} value` }])
    yield* facts.put(key, [
      fact(key, `old in ${key.chat}`, { owner, value: `${mark} old` }),
      fact(key, `new in ${key.chat}`, { owner, value: `${mark} new`, at: 2 }),
      fact(key, `gone in ${key.chat}`, { owner, attribute: "gone", value: `${mark} gone` }),
    ])
    yield* facts.forget({ tenant: key.tenant, owner, attribute: "gone" })
    yield* facts.remember(key.tenant, stated(key, `told in ${key.chat}`, { owner, value: `${mark} told` }))
  })

const recordsOf = (owner: OwnerKey, limit: number) =>
  Effect.gen(function* () {
    const data = yield* OwnerData
    const all: Array<OwnerRecord> = []
    let from: string | null = null
    do {
      const page: Effect.Success<ReturnType<typeof data.page>> = yield* data.page(owner, from, limit)
      yield* holds("a page is no longer than asked", page.records.length <= limit)
      all.push(...page.records)
      from = page.next
    } while (from !== null)
    return all
  })

const sorted = (records: ReadonlyArray<OwnerRecord>) => records.map((one) => JSON.stringify(one)).sort()

/** The texts with a mark, in order. */
const marked = (records: ReadonlyArray<OwnerRecord>, mark: string): ReadonlyArray<string> =>
  [...new Set(JSON.stringify(records).match(new RegExp(`${mark} [a-z]+`, "g")))].sort()

const ALL = ["draft", "edited", "message", "new", "old", "reason", "summary", "system", "told", "value"]
const KINDS = ["chat", "draft", "fact", "failure", "line", "mark", "message", "value", "version"]

/** Data of owners. */
export const ownerCases: ReadonlyArray<StoreCase<StorePorts>> = [
  ownerCase("all that is kept of an owner is handed out, page by page, and nothing of another", (key) =>
    Effect.gen(function* () {
      yield* fill(key, "ada", "hers")
      yield* fill({ ...key, chat: `${key.chat}/2` }, "ada", "hers")
      yield* fill({ ...key, chat: `${key.chat}/3` }, "bob", "his")
      yield* fill({ ...key, tenant: `${key.tenant} ` }, "ada", "theirs")
      yield* fill({ ...key, chat: `${key.chat}/4` }, "", "shared")
      const all = yield* recordsOf(adaOf(key), 1000)
      yield* same(
        "texts",
        marked(all, "hers"),
        ALL.map((text) => `hers ${text}`),
      )
      yield* same(
        "of others",
        ["his", "theirs", "shared"].flatMap((mark) => marked(all, mark)),
        [],
      )
      yield* same("kinds", [...new Set(all.map(({ kind }) => kind))].sort(), KINDS)
      for (const limit of [1, 2, 7]) {
        yield* same(`in pages of ${limit}`, sorted(yield* recordsOf(adaOf(key), limit)), sorted(all))
      }
      const current = all.filter(({ kind, holds: is }) => kind === "fact" && is === true)
      yield* same(
        "one fact holds",
        current.map(({ value }) => value),
        ["hers new"],
      )
      const unopened = { ...key, chat: `${key.chat}/5` }
      yield* (yield* ThreadStore).append(unopened, [message("u", "unopened words")])
      const shared = yield* recordsOf({ ...adaOf(key), owner: "" }, 9)
      yield* same("shared", marked(shared, "shared").length, ALL.length)
      yield* same("never opened", marked(shared, "unopened"), ["unopened words"])
    }),
  ),
  ownerCase("an owner that is removed leaves nothing, and others are as they were", (key) =>
    Effect.gen(function* () {
      const data = yield* OwnerData
      const store = yield* ThreadStore
      const facts = yield* FactStore
      const bob = { ...key, chat: `${key.chat}/bob` }
      yield* fill(key, "ada", "hers")
      yield* (yield* ThreadEditor).fork(key, `${key.chat}/fork`)
      yield* fill(bob, "bob", "his")
      const before = [yield* store.load(bob), yield* recordsOf({ ...adaOf(key), owner: "bob" }, 9)]
      yield* data.remove(adaOf(key))
      yield* data.remove(adaOf(key))
      yield* same("records", yield* recordsOf(adaOf(key), 9), [])
      yield* same("facts", yield* facts.history(adaOf(key)), [])
      yield* same(
        "others",
        [yield* store.load(bob), yield* recordsOf({ ...adaOf(key), owner: "bob" }, 9)],
        before,
      )
      const late = [
        store.append(key, messages(1, 1)),
        store.load({ ...key, chat: `${key.chat}/fork` }),
        store.open(key, "late"),
        store.open({ ...key, chat: `${key.chat}/new` }, "late", { owner: "ada" }),
        facts.put(key, [fact(key, "late")]),
        facts.put(bob, [fact(bob, "late")]),
        facts.remember(key.tenant, stated(key, "late")),
        facts.forget({ ...adaOf(key), subject: "user" }),
      ]
      for (const one of late) {
        const error = yield* failsWith("StoreError", one as Effect.Effect<unknown, { readonly _tag: string }>)
        yield* holds("may not be retried", "isRetryable" in error && error.isRetryable === false)
      }
      yield* same("still nothing", yield* recordsOf(adaOf(key), 9), [])
      yield* failsWith("StoreError", data.remove({ ...adaOf(key), owner: "" }))
    }),
  ),
  ownerCase("the tenant takes its owners with it", (key) =>
    Effect.gen(function* () {
      yield* fill(key, "ada", "hers")
      yield* (yield* ThreadEditor).removeTenant(key.tenant)
      yield* same("records", yield* recordsOf(adaOf(key), 9), [])
      yield* (yield* OwnerData).remove(adaOf(key))
      yield* failsWith("StoreError", (yield* FactStore).remember(key.tenant, stated(key, "late")))
    }),
  ),
  ownerCase(
    "who writes while an owner is removed leaves nothing behind",
    (key) =>
      Effect.gen(function* () {
        const data = yield* OwnerData
        const store = yield* ThreadStore
        const facts = yield* FactStore
        const editor = yield* ThreadEditor
        const chats = Array.from({ length: 6 }, (_, i) => ({ ...key, chat: `${key.chat}/${i}` }))
        const write = (one: ThreadKey, i: number) =>
          Effect.gen(function* () {
            yield* store.open(one, "system", { owner: "ada" })
            yield* store.append(one, messages(1, 2))
            yield* facts.put(one, [fact(one, `f${i}`)])
            yield* editor.fork(one, `${one.chat}/fork`)
            yield* facts.remember(one.tenant, stated(one, `s${i}`))
          }).pipe(Effect.result)
        yield* Effect.all([...chats.map(write), Effect.andThen(Effect.yieldNow, data.remove(adaOf(key)))], {
          concurrency: "unbounded",
          discard: true,
        })
        yield* same("records", yield* recordsOf(adaOf(key), 9), [])
        yield* same("facts", yield* facts.history(adaOf(key)), [])
      }),
    true,
  ),
]
