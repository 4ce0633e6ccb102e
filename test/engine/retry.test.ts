/** A step that died after it had stored what was said is tried again, and says it again. */
import { assistant, estimateCounter, user } from "@palimpsest/core"
import { makePalimpsest } from "@palimpsest/core/promise"
import { makeMemoryState } from "@palimpsest/core/testing"
import { assert, describe, it } from "vitest"

const key = { tenant: "t", chat: "c" }
const options = { budget: { window: 4_000 } }

const open = async () => {
  const palimpsest = makePalimpsest({ store: makeMemoryState().layer, counter: estimateCounter })
  return { palimpsest, step: () => palimpsest.open(key, options) }
}

const texts = async (step: { thread: () => Promise<{ rows: ReadonlyArray<{ kind: string }> }> }) =>
  (await step.thread()).rows.filter((row) => row.kind === "message").length

describe("a step tried again", () => {
  it("does not take another content for what was said, though the host gives it the same id", async () => {
    const { step } = await open()
    const first = await step()
    await first.append({ id: "u1", message: user("one") })
    await first.end()
    const again = await step()
    const error = await again.append({ id: "u1", message: user("two") }).then(
      () => null,
      (failure: { readonly _tag: string }) => failure._tag,
    )
    assert.strictEqual(error, "RowError")
    assert.deepStrictEqual(await again.append({ id: "u1", message: user("one") }), ["u1"])
  })

  it("leaves one row of each message, without ids of the host", async () => {
    const { step } = await open()
    const first = await step()
    const ids = await first.append(user("one"), user("two"))
    await first.checkpoint()
    const again = await step()
    assert.deepStrictEqual(await again.append(user("one"), user("two"), user("three")), [
      ...ids,
      (await again.thread()).rows.at(-1)?.id ?? "",
    ])
    assert.strictEqual(await texts(again), 3)
  })

  it("takes what is said again in the same step, or after an answer, for another message", async () => {
    const { step } = await open()
    const first = await step()
    await first.append(user("yes"))
    await first.append(user("yes"))
    await first.append(assistant("done"))
    await first.end()
    const next = await step()
    await next.append(user("yes"))
    assert.strictEqual(await texts(next), 4)
  })
})
