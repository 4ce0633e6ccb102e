/** What a host does with facts: states them, has them forgotten, reads them. */
import { redact } from "@palimpsest/core"
import { currentFacts, factOfStatement, forget, Redactor, remember } from "@palimpsest/core/engine"
import { memoryStore } from "@palimpsest/core/memory"
import { makePalimpsest } from "@palimpsest/core/promise"
import { Effect, Result } from "effect"
import { assert, describe, it } from "vitest"

const ada = { tenant: "acme", owner: "ada" }
const email = { ...ada, subject: "user", attribute: "email" }

const reasonOf = (fields: object) => {
  const made = factOfStatement({ ...email, value: "ada@example.com", ...fields }, redact, 7)
  return Result.isFailure(made) ? `${made.failure.field}: ${made.failure.reason}` : made.success
}

describe("a statement", () => {
  it("is a fact without a chat, whose id a retry computes alike", () => {
    const made = reasonOf({ value: "  ada@example.com\n" })
    assert.deepStrictEqual(made, reasonOf({}))
    assert.deepInclude(made, {
      ...{ owner: "ada", chat: "", row: "", quote: "", at: 7 },
      value: "ada@example.com",
    })
    const others = [{ at: 8 }, { owner: "bob" }, { tenant: "acme " }, { subject: "User" }, { value: "x" }]
    const ids = [{}, ...others].map((fields) => {
      const fact = reasonOf(fields)
      return typeof fact === "string" ? fact : fact.id
    })
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it("is refused by field and reason, and never quoted", () => {
    assert.strictEqual(reasonOf({ subject: " \n" }), "subject: Empty")
    assert.strictEqual(reasonOf({ attribute: "a".repeat(121) }), "attribute: TooLong")
    assert.strictEqual(reasonOf({ value: "v".repeat(1001) }), "value: TooLong")
    assert.strictEqual(reasonOf({ value: 7 }), "value: NotText")
    assert.strictEqual(reasonOf({ at: Number.NaN }), "at: NoTime")
    assert.strictEqual(reasonOf({ value: "it is ghp_0123456789abcdefABCD" }), "value: Secret")
    assert.strictEqual(reasonOf({ attribute: "password", value: "hunter2hunter2" }), "value: Secret")
    const refused = factOfStatement({ ...email, value: "ghp_0123456789abcdefABCD" }, redact, 7)
    assert.notInclude(String(Result.isFailure(refused) && refused.failure.message), "ghp_")
  })
})

describe("facts of a host", () => {
  const known = makePalimpsest({ store: memoryStore })

  it("the newest holds; the same is not stated twice; what is forgotten may be said again", async () => {
    const first = await known.remember({ ...email, value: "old@example.com", at: 1 })
    const second = await known.remember({ ...email, value: "new@example.com" })
    assert.deepStrictEqual(await known.remember({ ...email, value: "new@example.com" }), second)
    assert.deepStrictEqual(await known.facts(ada), [second])
    assert.deepStrictEqual(await known.history(ada), [second, first])
    assert.deepStrictEqual(await known.facts({ tenant: "acme" }), [])
    assert.strictEqual(await known.forget({ ...ada, attribute: "email" }), 2)
    assert.deepStrictEqual(await known.history(ada), [])
    const error = await known.remember({ ...email, value: "old@example.com", at: 1 }).catch((cause) => cause)
    assert.deepInclude(error, { _tag: "FactError", reason: "Forgotten" })
    const again = await known.remember({ ...email, value: "new@example.com" })
    assert.deepStrictEqual(await known.facts({ ...ada, subject: "user" }), [again])
  })

  it("the host's own redactor says what is a secret", () =>
    Effect.gen(function* () {
      const code = { ...ada, subject: "door", attribute: "code", value: "4711" }
      assert.strictEqual((yield* remember(code)).value, "4711")
      const own = Effect.provideService(remember({ ...code, value: "4712" }), Redactor, (text) =>
        text.replaceAll(/\d{4}/g, "[redacted]"),
      )
      assert.deepInclude(yield* Effect.flip(own), { _tag: "FactError", field: "value", reason: "Secret" })
      assert.strictEqual(yield* forget({ ...ada, subject: "door" }), 1)
      assert.deepStrictEqual(yield* currentFacts(ada), [])
    }).pipe(Effect.provide(memoryStore), Effect.runPromise))

  it("what was removed takes no fact", async () => {
    const removed = makePalimpsest({ store: memoryStore })
    await removed.removeTenant("acme")
    const late = await removed.remember({ ...email, value: "late" }).catch((cause) => cause)
    assert.deepInclude(late, { _tag: "StoreError", isRetryable: false })
  })
})
