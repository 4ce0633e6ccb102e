import { ThreadStore } from "@palimpsest/core/engine"
import { type MemoryState, makeMemoryState } from "@palimpsest/core/testing"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { freshKey, messages, summary } from "../adapter-pg/suites/Damage.ts"

const key = freshKey()

/** Two cuts over ten messages, and then what a second worker over the same state sees. */
const afterDamage = (damage: (state: MemoryState) => void) => {
  const state = makeMemoryState()
  const first = Effect.gen(function* () {
    const store = yield* ThreadStore
    yield* store.append(key, messages(1, 10))
    yield* store.mark(key, summary("m3"))
    yield* store.mark(key, summary("m6"))
    damage(state)
  })
  const second = Effect.flatMap(ThreadStore, (store) => store.load(key))
  return Effect.provide(first, state.layer).pipe(
    Effect.andThen(Effect.provide(second, state.layer)),
    Effect.runPromise,
  )
}

describe("damage in memory", () => {
  it("two layers of one state share its rows", async () => {
    const thread = await afterDamage(() => {})
    assert.strictEqual(thread.cut?.id, "s/m6")
  })

  it("STORE-12 a damaged cut is passed over for the one before it", async () => {
    const thread = await afterDamage((state) => {
      const chat = state.chat(key)
      chat.marks = chat.marks.map((mark) => (mark.id === "s/m6" ? { ...mark, payload: "{}" } : mark))
    })
    assert.strictEqual(thread.cut?.id, "s/m3")
    assert.strictEqual(thread.rows.length, 7)
    assert.strictEqual(thread.faults.length, 1)
  })

  it("STORE-14 so is one whose anchor is gone", async () => {
    const thread = await afterDamage((state) => {
      const chat = state.chat(key)
      chat.messages = chat.messages.filter((row) => row.id !== "m6")
    })
    assert.strictEqual(thread.cut?.id, "s/m3")
    assert.strictEqual(thread.rows.length, 6)
  })

  it("a damaged message and an unknown mark are left out and named", async () => {
    const thread = await afterDamage((state) => {
      const chat = state.chat(key)
      chat.messages = chat.messages.map((row) => (row.id === "m8" ? { ...row, payload: "[]" } : row))
      chat.marks.push({
        ...{ id: "n", kind: "branch", anchor: "m7", revision: 0, payload: "{}" },
        ...{ position: 7, rank: 9, seq: 9, time: 10, isWithdrawn: false },
      })
    })
    assert.strictEqual(thread.rows.length, 3)
    assert.deepStrictEqual(
      thread.faults.map((fault) => fault.row),
      ["m8", "n"],
    )
  })
})
