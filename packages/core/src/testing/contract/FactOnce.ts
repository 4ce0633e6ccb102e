/**
 * Contract: a fact is put once, and what was forgotten stays so.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import type { FactStore } from "../../engine/FactStore.ts"
import { holds, type StoreCase, same } from "./Case.ts"
import { adaOf, fact, factCase, factIds, LATER, stated } from "./FactCase.ts"

/** Once, and forgotten. */
export const factOnceCases: ReadonlyArray<StoreCase<FactStore>> = [
  factCase("a fact is put once, however often it is told", (store, key) =>
    Effect.gen(function* () {
      const facts = [fact(key, "a"), fact(key, "b", { at: 2 })]
      yield* same("new", yield* store.put(key, [...facts, ...facts]), 2)
      yield* same("again", yield* store.put(key, facts), 0)
      yield* same("one more", yield* store.put(key, [...facts, fact(key, "c", { at: 3 })]), 1)
      yield* same("other content", yield* store.put(key, [fact(key, "a", { value: "x", at: 9 })]), 0)
      yield* same("nothing", yield* store.put(key, []), 0)
      yield* same("current", factIds(yield* store.current(adaOf(key))), ["c"])
      yield* same("kept", (yield* store.history(adaOf(key))).at(-1)?.value, "a@example.com")
    }),
  ),
  factCase(
    "many workers put the same facts, and each is new for one of them",
    (store, key) =>
      Effect.gen(function* () {
        const facts = Array.from({ length: 12 }, (_, i) => fact(key, `f${i}`, { at: i % 5 }))
        const orders = Array.from({ length: 8 }, (_, i) => [...facts.slice(i), ...facts.slice(0, i)])
        const counts = yield* Effect.forEach(orders, (order) => store.put(key, order), {
          concurrency: "unbounded",
        })
        yield* same(
          "new in all",
          counts.reduce((a, b) => a + b, 0),
          facts.length,
        )
        yield* same("kept", (yield* store.list(key)).length, facts.length)
      }),
    { concurrent: true },
  ),
  factCase("what the host states is in no chat, and holds like any other", (store, key) =>
    Effect.gen(function* () {
      const unnamed = { ...key, chat: "" }
      yield* store.put(unnamed, [fact(unnamed, "s", { at: 1 })])
      yield* holds("kept", yield* store.remember(key.tenant, stated(key, "s", { at: 2, value: "x" })))
      yield* holds("there", yield* store.remember(key.tenant, stated(key, "s", { at: 2, value: "x" })))
      yield* same("of the unnamed chat", yield* store.list(unnamed), [fact(unnamed, "s", { at: 1 })])
      const [first, ...others] = yield* store.current(adaOf(key))
      yield* same("current", [first?.value, others.length], ["x", 0])
    }),
  ),
  factCase("what is forgotten goes with all that it superseded", (store, key) =>
    Effect.gen(function* () {
      yield* store.put(key, [fact(key, "a", { at: 1 }), fact(key, "b", { at: 2 })])
      yield* store.put(key, [fact(key, "n", { attribute: "name" }), fact(key, "t", { subject: "team" })])
      yield* same("of nothing", yield* store.forget(adaOf(key)), 0)
      yield* same("all must hold", yield* store.forget({ ...adaOf(key), ids: ["b"], attribute: "name" }), 0)
      yield* same("no ids", yield* store.forget({ ...adaOf(key), ids: [] }), 0)
      yield* same("of another", yield* store.forget({ ...adaOf(key), owner: "bob", ids: ["b"] }), 0)
      yield* same("both", yield* store.forget({ ...adaOf(key), ids: ["b", "none"] }), 2)
      yield* same("left", factIds(yield* store.list(key)).length, 2)
      yield* same("by name", yield* store.forget({ ...adaOf(key), attribute: "name", subject: "user" }), 1)
      yield* same("by subject", yield* store.forget({ ...adaOf(key), subject: "team" }), 1)
      yield* same("nothing left", yield* store.history(adaOf(key)), [])
    }),
  ),
  factCase("what was forgotten is not put again, unless it is said later", (store, key) =>
    Effect.gen(function* () {
      const other = { ...key, chat: `${key.chat}/other` }
      yield* store.put(key, [fact(key, "a", { value: "old" })])
      yield* store.forget({ ...adaOf(key), ids: ["a"] })
      yield* same("the same fact", yield* store.put(key, [fact(key, "a", { value: "old", at: LATER })]), 0)
      yield* same("the same value", yield* store.put(other, [fact(other, "b", { value: "old", at: 5 })]), 0)
      yield* holds("refused", !(yield* store.remember(key.tenant, stated(key, "h", { value: "old" }))))
      yield* same("nothing", yield* store.history(adaOf(key)), [])
      const others = [
        fact(other, "c", { value: "older", at: 2 }),
        fact(other, "d", { value: "old", attribute: "name" }),
        fact(other, "e", { value: "old", owner: "bob" }),
      ]
      yield* same("others", yield* store.put(other, others), 3)
      yield* same("said later", yield* store.put(other, [fact(other, "f", { value: "old", at: LATER })]), 1)
      yield* same("holds", factIds(yield* store.current({ ...adaOf(key), attribute: "email" })), ["f"])
      yield* same("again", yield* store.forget({ ...adaOf(key), attribute: "email" }), 2)
    }),
  ),
  factCase(
    "who forgets and who puts at once agree: nothing that was said before comes back",
    (store, key) =>
      Effect.gen(function* () {
        const facts = Array.from({ length: 6 }, (_, i) => fact(key, `f${i}`, { value: "same", at: i }))
        yield* store.put(key, [fact(key, "first", { value: "same" })])
        yield* Effect.all(
          [
            ...facts.map((one) => store.put(key, [one])),
            store.forget({ ...adaOf(key), attribute: "email" }),
            ...facts.map((one) => store.put({ ...key, chat: `${key.chat}/2` }, [one])),
          ],
          { concurrency: "unbounded", discard: true },
        )
        yield* same("none", yield* store.history(adaOf(key)), [])
      }),
    { concurrent: true },
  ),
]
