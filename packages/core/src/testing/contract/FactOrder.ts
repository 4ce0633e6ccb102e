/**
 * Contract: the newest fact holds, and the earlier ones are kept.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { FactStore } from "../../engine/FactStore.ts"
import { failsWith, holds, type StoreCase, same } from "./Case.ts"
import { adaOf, fact, factCase, factIds, stated } from "./FactCase.ts"

/** Which fact holds. */
export const factOrderCases: ReadonlyArray<StoreCase<FactStore>> = [
  factCase("a fact comes back as it was put, whatever it says", (store, key) =>
    Effect.gen(function* () {
      const odd = "NUL \u0000, SUB \u001a0000, half \ud83d, \ude00, ключ, 鍵, 'quoted', \\u0000"
      const facts = [
        fact(key, "plain"),
        fact(key, odd, { owner: odd, subject: odd, attribute: odd, value: odd, quote: odd, row: odd }),
        fact(key, "large", { attribute: "a".repeat(9_000), value: "ї".repeat(100_000), quote: "" }),
        fact(key, "early", { attribute: "born", at: -6_000_000_000_000.5, position: 2 ** 53 }),
      ]
      yield* same("new", yield* store.put(key, facts), facts.length)
      yield* same(
        "listed",
        [...(yield* store.list(key))].sort((a, b) => a.id.localeCompare(b.id)),
        [...facts].sort((a, b) => a.id.localeCompare(b.id)),
      )
      const strange = { tenant: key.tenant, owner: odd }
      yield* same("by its owner", yield* store.current(strange), [facts[1]])
      yield* same("asked for", yield* store.current({ ...strange, subject: odd, attribute: odd }), [facts[1]])
      yield* same("by attribute", yield* store.history({ ...strange, attribute: odd }), [facts[1]])
      yield* same("by another", yield* store.current({ ...strange, subject: `${odd} ` }), [])
    }),
  ),
  factCase(
    "the latest holds: by time, then by position, then by id, in whatever order they come",
    (store, key) =>
      Effect.gen(function* () {
        const late = { ...key, chat: `${key.chat}/late` }
        yield* store.put(late, [fact(late, "d", { at: 5, position: 1 })])
        yield* store.put(key, [
          fact(key, "c", { at: 4, position: 99 }),
          fact(key, "e", { at: 5, position: 2 }),
          fact(key, "f", { at: 5, position: 2 }),
          fact(key, "a", { at: -1, position: 50 }),
        ])
        yield* same("current", factIds(yield* store.current(adaOf(key))), ["f"])
        yield* same("history", factIds(yield* store.history(adaOf(key))), ["f", "e", "d", "c", "a"])
        yield* store.put(late, [fact(late, "g", { at: 5.5, position: 0 })])
        yield* same("current", factIds(yield* store.current(adaOf(key))), ["g"])
        yield* same("list", factIds(yield* store.list(key)), ["e", "f", "a", "c"])
      }),
  ),
  factCase(
    "each subject and attribute has a fact of its own, latest first and at most as many as asked",
    (store, key) =>
      Effect.gen(function* () {
        const about = [
          ["user", "email"],
          ["user", "name"],
          ["user,name", ""],
          ["User", "email"],
          ["team", "email"],
        ] as const
        const facts = about.map(([subject, attribute], i) =>
          fact(key, `f${i}`, { subject, attribute, at: i }),
        )
        yield* store.put(key, facts)
        yield* same("all", factIds(yield* store.current(adaOf(key))), ["f4", "f3", "f2", "f1", "f0"])
        yield* same("two", factIds(yield* store.current({ ...adaOf(key), limit: 2 })), ["f4", "f3"])
        yield* same("none", yield* store.history({ ...adaOf(key), limit: -3 }), [])
        const ofUser = { ...adaOf(key), subject: "user" }
        yield* same("of one", factIds(yield* store.current(ofUser)), ["f1", "f0"])
        yield* same("one", factIds(yield* store.current({ ...ofUser, attribute: "email" })), ["f0"])
        const emails = yield* store.history({
          ...adaOf(key),
          attribute: "email",
          limit: Number.POSITIVE_INFINITY,
        })
        yield* same("of an attribute", factIds(emails), ["f4", "f3", "f0"])
      }),
  ),
  factCase("what was superseded is told of the rows that said it", (store, key) =>
    Effect.gen(function* () {
      const other = { ...key, chat: `${key.chat}/other` }
      yield* store.put(key, [fact(key, "a", { at: 1 }), fact(key, "n", { attribute: "name", at: 1 })])
      yield* store.put(other, [
        fact(other, "b", { at: 2, row: "row of a" }),
        fact(other, "bob", { owner: "bob", at: 9 }),
      ])
      const rows = [key, other].flatMap(({ chat }) =>
        ["row of a", "row of n", "row of bob", "none"].map((row) => ({ chat, row })),
      )
      yield* same("superseded", factIds(yield* store.superseded(adaOf(key), [...rows, ...rows])), ["a"])
      yield* same("of no rows", yield* store.superseded(adaOf(key), []), [])
      yield* store.remember(key.tenant, stated(key, "c", { at: 3 }))
      yield* same("both", factIds(yield* store.superseded(adaOf(key), rows)), ["b", "a"])
    }),
  ),
  factCase("owners and tenants with like names share nothing", (store, key) =>
    Effect.gen(function* () {
      const owners = ["ada", "ada ", "Ada", "ada\u0000", "", "a"]
      for (const owner of owners) yield* store.put(key, [fact(key, `of ${owner}`, { owner })])
      const near = { ...key, tenant: `${key.tenant} ` }
      yield* store.put(near, [fact(near, "near", { at: 9 })])
      for (const owner of owners) {
        const mine = { tenant: key.tenant, owner }
        yield* same("current", factIds(yield* store.current(mine)), [`of ${owner}`])
        yield* same("history", factIds(yield* store.history(mine)), [`of ${owner}`])
      }
      yield* same("forgotten", yield* store.forget({ ...adaOf(key), subject: "user" }), 1)
      yield* same("others", (yield* store.list(key)).length, owners.length - 1)
      yield* same("near", factIds(yield* store.current(adaOf(near))), ["near"])
    }),
  ),
  factCase("what cannot be kept is refused, and nothing of its batch is put", (store, key) =>
    Effect.gen(function* () {
      const bad = [
        { at: Number.NaN },
        { at: Number.POSITIVE_INFINITY },
        { position: Number.NaN },
        { id: "" },
        { owner: "o".repeat(10_000) },
        { value: "v".repeat(1_000_000) },
      ]
      for (const fields of bad) {
        const wrong = fact(key, "bad", fields)
        const error = yield* failsWith("StoreError", store.put(key, [fact(key, "good"), wrong]))
        yield* holds("may not be retried", !error.isRetryable)
        yield* failsWith("StoreError", store.remember(key.tenant, wrong))
      }
      yield* same("nothing", yield* store.list(key), [])
    }),
  ),
]
