/** Rows that were changed behind the store's back, and what rests on them. */
import { assistant, estimateCounter, messagesOf, textOf, user } from "@palimpsest/core"
import { makePalimpsest } from "@palimpsest/core/promise"
import { type MemoryState, makeMemoryState } from "@palimpsest/core/testing"
import { assert, describe, it } from "vitest"

const key = { tenant: "t", chat: "c" }
const options = { budget: { window: 1_500, reserve: 100, margin: 0 } }
const words = (n: number, w: string) => Array.from({ length: n }, (_, i) => `${w}${i}`).join(" ")

/** A chat with several summaries, one on the other. */
const filled = async () => {
  const state = makeMemoryState()
  const palimpsest = makePalimpsest({ store: state.layer, counter: estimateCounter })
  for (let i = 1; i <= 14; i++) {
    const step = await palimpsest.open(key, options)
    await step.append({ id: `u${i}`, message: user(`Question ${i}? ${words(60, `q${i}n`)}`) })
    await step.prompt()
    await step.append({ id: `a${i}`, message: assistant(`Answer ${i}. ${words(60, `a${i}n`)}`) })
    await step.end()
  }
  return { state, palimpsest }
}

const tamper = (state: MemoryState, id: string) => {
  const chat = state.chat(key)
  chat.messages = chat.messages.map((row) =>
    row.id === id ? { ...row, payload: row.payload.replace("Question", "Demand") } : row,
  )
}

describe("an audit", () => {
  it("finds nothing in a thread that only the store wrote", async () => {
    const { state, palimpsest } = await filled()
    assert.isAtLeast(state.chat(key).marks.filter(({ kind }) => kind === "summary").length, 2)
    assert.deepStrictEqual(await palimpsest.repair(key), [])
  })

  it("STORE-15 finds a row that was changed underneath, and takes what rests on it out of force", async () => {
    const { state, palimpsest } = await filled()
    const before = (await (await palimpsest.open(key, options)).thread()).cut
    tamper(state, "u1")
    const faults = await palimpsest.repair(key)
    const summaries = state.chat(key).marks.filter(({ kind }) => kind === "summary")
    assert.strictEqual(faults[0]?._tag, "Digest")
    assert.deepStrictEqual(
      [...new Set(faults.map(({ mark }) => mark))].sort(),
      summaries.map(({ id }) => id).sort(),
    )
    assert.isTrue(summaries.every(({ isWithdrawn }) => isWithdrawn))
    const step = await palimpsest.open(key, options)
    const prompt = await step.prompt()
    assert.notStrictEqual((await step.thread()).cut?.id, before?.id)
    assert.isAbove(prompt.passes.length, 0)
    assert.notInclude(
      messagesOf(prompt)
        .map(({ parts }) => textOf(parts))
        .join(),
      "Question 1?",
    )
    assert.deepStrictEqual(await palimpsest.repair(key), [])
  })
})
