/** Going back in a thread, and changing what was said, while steps are open on it. */
import { assistant, estimateCounter, messagesOf, textOf, user } from "@palimpsest/core"
import type { StepOptions, StepPrompt } from "@palimpsest/core/engine"
import { makePalimpsest } from "@palimpsest/core/promise"
import { makeMemoryState } from "@palimpsest/core/testing"
import { assert, describe, it } from "vitest"

const key = { tenant: "t", chat: "c" }
const options = { budget: { window: 1_500, reserve: 100, margin: 0 }, system: "Be exact." }
const words = (n: number, w: string) => Array.from({ length: n }, (_, i) => `${w}${i}`).join(" ")

const start = (opened: StepOptions = options) => {
  const palimpsest = makePalimpsest({ store: makeMemoryState().layer, counter: estimateCounter })
  return () => palimpsest.open(key, opened)
}

const said = (prompt: StepPrompt) => messagesOf(prompt).map(({ parts }) => textOf(parts))

/** Six exchanges with ids, of which the first are summarised when the seventh question comes. */
const filled = async () => {
  const open = start()
  const prompts: Array<ReadonlyArray<string>> = []
  for (let i = 1; i <= 7; i++) {
    const step = await open()
    await step.append({ id: `u${i}`, message: user(`Question ${i}? ${words(60, `q${i}n`)}`) })
    prompts.push(said(await step.prompt()))
    if (i < 7) await step.append({ id: `a${i}`, message: assistant(`Answer ${i}. ${words(60, `a${i}n`)}`) })
    await step.end()
  }
  return { open, prompts }
}

describe("a step that goes back", () => {
  it("sends just what was sent at that place, whatever passes came later", async () => {
    const { open, prompts } = await filled()
    const step = await open()
    assert.isNotNull((await step.thread()).cut)
    for (const i of [6, 4, 2]) {
      await step.rewind(`u${i}`)
      assert.deepStrictEqual(said(await step.prompt()), prompts[i - 1])
      assert.deepStrictEqual(said(await (await open()).prompt()), prompts[i - 1])
    }
  })

  it("goes on from there: an edited question takes the id of the one that is hidden", async () => {
    const { open } = await filled()
    const step = await open()
    await step.rewind("a1")
    await step.append({ id: "u2", message: user("Another question?") })
    const prompt = said(await step.prompt())
    await step.end()
    assert.strictEqual(prompt.at(-1), "Another question?")
    assert.strictEqual(prompt.length, 3)
    assert.deepStrictEqual(said(await (await open()).prompt()), prompt)
  })

  it("passes again after a rewind, at the same place, with a row of its own", async () => {
    const { open } = await filled()
    const step = await open()
    const before = (await step.thread()).cut
    await step.rewind(before?.anchor ?? "")
    for (const [i, message] of [user(words(300, "x")), assistant(words(300, "y"))].entries())
      await step.append({ id: `n${i}`, message })
    await step.append(user("And now?"))
    const made = await step.compact()
    const { cut, revision } = await step.thread()
    assert.strictEqual(made.passes[0]?.written, true)
    assert.isAbove(revision, 0)
    assert.notStrictEqual(cut?.id, before?.id)
    assert.deepStrictEqual(said(await (await open()).prompt()), said(made))
  })

  it("refuses the answer of a step that was open on what is hidden", async () => {
    const { open } = await filled()
    const late = await open()
    const step = await open()
    await step.rewind("a3")
    await late.append(assistant("An answer to question 7."))
    const error = await late.end().then(
      () => null,
      (failure: { readonly _tag: string; readonly row: string }) => failure,
    )
    assert.strictEqual(error?._tag, "RowError")
    assert.strictEqual(error?.row, "u7")
    assert.notInclude(said(await (await open()).prompt()).join(), "An answer to question 7.")
  })

  it("does not write a summary that was made before somebody edited what it covers", async () => {
    const open = start({ ...options, budget: { window: 4_000, reserve: 100, margin: 0 } })
    const step = await open()
    for (let i = 1; i <= 9; i++) {
      await step.append({ id: `u${i}`, message: user(`Question ${i}? ${words(60, `q${i}n`)}`) })
      await step.append({ id: `a${i}`, message: assistant(`Answer ${i}.`) })
    }
    await step.end()
    const late = await open()
    const other = await open()
    await other.edit({ id: "u2", message: user("Something else.") })
    const made = await late.compact()
    assert.deepStrictEqual(made.passes, [])
    assert.isNull((await (await open()).thread()).cut)
    assert.include(said(made), "Something else.")
    assert.deepStrictEqual(said(made), said(await (await open()).prompt()))
  })
})

describe("a step that edits", () => {
  it("sends the new content, and drops the summary that was made of the old one", async () => {
    const { open } = await filled()
    const step = await open()
    const { cut } = await step.thread()
    assert.strictEqual(cut?.kind, "summary")
    const row = await step.edit({ id: "u1", message: user("Question 1, put better?") })
    assert.isBelow(row.tokens, 20)
    assert.notStrictEqual((await step.thread()).cut?.id, cut?.id)
    const made = said(await step.prompt()).join()
    assert.notInclude(made, "q1n5")
    assert.deepStrictEqual(said(await (await open()).prompt()).join(), made)
  })
})
