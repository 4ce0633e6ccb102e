/** Bad input and races that once broke a step. */

import { defaultAccounting, type Message, type Policy, user } from "@palimpsest/core"
import { Summariser } from "@palimpsest/core/engine"
import { makePalimpsest } from "@palimpsest/core/promise"
import { memoryStore } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"

const key = { tenant: "t", chat: "c" }
const options = { budget: { window: 4000 }, system: "Be kind." }
const long = (n: number) => user(`question ${n} ${"about the order of lanes and boxes ".repeat(20)}`)

const tagOf = (error: unknown) =>
  typeof error === "object" && error !== null && "_tag" in error ? error._tag : String(error)
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) => tagOf(error),
  )

describe("attacks on a step", () => {
  const shapes: ReadonlyArray<unknown> = [
    null,
    undefined,
    "hi",
    {},
    { message: null },
    { role: "user" },
    { role: "user", content: "hi" },
    { role: "system", parts: [] },
    { role: "user", parts: [null] },
    { role: "user", parts: [{ type: "text" }] },
    { role: "user", parts: [{ type: "text", text: "a".repeat(26_000_000) }] },
  ]
  it("refuses what is no message at once, and goes on", async () => {
    const memory = makePalimpsest({ store: memoryStore })
    const step = await memory.open(key, options)
    for (const shape of shapes) {
      const name = JSON.stringify(shape)?.slice(0, 60)
      assert.strictEqual(await failure(step.append(shape as Message)), "RowError", name)
    }
    await step.append(user("hello"))
    await step.end()
    assert.strictEqual((await (await memory.open(key, options)).thread()).rows.length, 1)
    await memory.close()
  })

  const policies: ReadonlyArray<object> = [
    { tail: undefined },
    { trigger: null },
    { protectedTools: null },
    { tailGroups: Number.NaN },
    { keepImages: -1 },
    { onFailure: "other" },
  ]
  it("names what is no number in an accounting", async () => {
    const memory = makePalimpsest({ store: memoryStore })
    const accounting = { ...defaultAccounting, priming: Number.NaN }
    assert.strictEqual(await failure(memory.open(key, { ...options, accounting })), "PolicyError")
    await memory.close()
  })

  it("names a time of a lease or a request that is none, or has no end", async () => {
    const memory = makePalimpsest({ store: memoryStore })
    for (const time of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e20, null, "soon"]) {
      for (const field of ["lease", "summariserTimeout"]) {
        const opened = memory.open(key, { ...options, [field]: time })
        const reason = await opened.then(
          () => "none",
          (error: unknown) => `${tagOf(error)} ${error instanceof Error ? error.message : ""}`,
        )
        assert.match(reason, new RegExp(`^PolicyError ${field} must be milliseconds`), `${time}`)
      }
    }
    await memory.open(key, { ...options, lease: 0.5, summariserTimeout: 2 ** 31 - 1 })
    await memory.close()
  })

  it.each(policies)("names what is wrong with the policy %o", async (policy) => {
    const memory = makePalimpsest({ store: memoryStore })
    const opened = memory.open(key, { ...options, policy: policy as Partial<Policy> })
    assert.strictEqual(await failure(opened), "PolicyError")
    await memory.close()
  })

  const answers: ReadonlyArray<() => unknown> = [
    () => null,
    () => ({ add: [{}], resolve: [], drop: [] }),
    () => ({
      get add() {
        throw new Error("hunter2")
      },
    }),
    () => {
      throw new Error("hunter2")
    },
  ]
  it.each(answers)("survives a summariser that answers %s, and repeats none of its words", async (answer) => {
    const summariser = Layer.succeed(
      Summariser,
      Summariser.of({
        name: "bad",
        window: 100_000,
        summarise: () => Effect.sync(() => answer() as never),
      }),
    )
    const memory = makePalimpsest({ store: memoryStore, summariser })
    const step = await memory.open(key, options)
    for (let n = 0; n < 30; n++) await step.append(long(n))
    const prompt = await step.prompt()
    assert.strictEqual(prompt.passes.length, 1)
    assert.notInclude(JSON.stringify(prompt.degraded), "hunter2")
    assert.isAbove(prompt.degraded.length, 0)
    await memory.close()
  })

  it("does not bring back what another process put away", async () => {
    const memory = makePalimpsest({ store: memoryStore })
    const step = await memory.open(key, options)
    await step.append(user("Never mention the zebra-77 again."))
    await step.checkpoint()
    await (await memory.open(key, options)).reset()
    for (let n = 0; n < 30; n++) await step.append(long(n))
    assert.notInclude(JSON.stringify((await step.prompt()).slots), "zebra-77")
    await step.end()
    const again = await memory.open(key, options)
    assert.notInclude(JSON.stringify((await again.prompt()).slots), "zebra-77")
    await memory.close()
  })
})
