/**
 * Contract: facts go with their chat and their tenant, and none is put late.
 *
 * @since 0.1.0
 */
import { Effect } from "effect"
import { FactStore } from "../../engine/FactStore.ts"
import { ThreadEditor } from "../../engine/ThreadEditor.ts"
import type { ThreadKey } from "../../thread/Row.ts"
import type { StorePorts } from "../MemoryStore.ts"
import { editorCase, failsWith, type StoreCase, same } from "./Case.ts"
import { adaOf, fact, factIds, stated } from "./FactCase.ts"

const removalCase = (
  name: string,
  body: (
    facts: FactStore["Service"],
    editor: ThreadEditor["Service"],
    key: ThreadKey,
  ) => Effect.Effect<void, unknown>,
): StoreCase<StorePorts> => ({
  ...editorCase(name, () => Effect.void),
  run: Effect.gen(function* () {
    const facts = yield* FactStore
    const editor = yield* ThreadEditor
    yield* editorCase(name, (_, _store, key) => body(facts, editor, key)).run
  }),
})

/** Facts of what was removed. */
export const factRemoveCases: ReadonlyArray<StoreCase<StorePorts>> = [
  removalCase("facts go with their chat, and none is put late", (facts, editor, key) =>
    Effect.gen(function* () {
      const other = { ...key, chat: "" }
      yield* facts.put(key, [fact(key, "a", { at: 3 })])
      yield* facts.put(other, [fact(other, "b", { at: 2 })])
      yield* facts.remember(key.tenant, stated(key, "c"))
      yield* editor.remove(key)
      yield* same("left", factIds(yield* facts.history(adaOf(key))), ["b", "c"])
      yield* same("of the chat", yield* facts.list(key), [])
      yield* failsWith("StoreError", facts.put(key, [fact(key, "late")]))
      yield* failsWith("StoreError", facts.put(key, []))
      yield* editor.remove(other)
      yield* same("what the host stated", factIds(yield* facts.current(adaOf(key))), ["c"])
    }),
  ),
  removalCase("facts go with their tenant, and none is put, stated or forgotten late", (facts, editor, key) =>
    Effect.gen(function* () {
      const near = { ...key, tenant: `${key.tenant} ` }
      for (const one of [key, near]) {
        yield* facts.put(one, [fact(one, "a"), fact(one, "n", { attribute: "name" })])
        yield* facts.remember(one.tenant, stated(one, "b"))
        yield* facts.forget({ ...adaOf(one), attribute: "name" })
      }
      yield* editor.removeTenant(key.tenant)
      yield* same("nothing", yield* facts.history(adaOf(key)), [])
      yield* failsWith("StoreError", facts.put({ ...key, chat: "new" }, [fact(key, "late")]))
      yield* failsWith("StoreError", facts.remember(key.tenant, stated(key, "late")))
      yield* failsWith("StoreError", facts.forget({ ...adaOf(key), subject: "user" }))
      yield* same("near", factIds(yield* facts.history(adaOf(near))), ["a", "b"])
    }),
  ),
]
