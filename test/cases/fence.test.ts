import {
  MEMORY_NOTE,
  parseFence,
  renderFence,
  SUMMARY_NOTE,
  scrub,
  scrubChunk,
  scrubEnd,
  scrubStart,
} from "@palimpsest/core"
import { assert, describe, it } from "vitest"

const fence = renderFence("memory-context", MEMORY_NOTE, "Likes tea.\nLives in Lviv.")
const output = `Sure.\n${fence}\nYour order has shipped.`

const stream = (chunks: ReadonlyArray<string>): string => {
  let state = scrubStart
  let shown = ""
  for (const chunk of chunks) {
    const step = scrubChunk(state, chunk)
    state = step.state
    shown += step.text
  }
  return shown + scrubEnd(state)
}

describe("fences in what a model wrote", () => {
  it.each([
    ["a mention in a sentence", "Notes are wrapped in `<memory-context>` when I recall them; ask for more."],
    ["a line that begins with the tag", "<memory-context> is the tag.\n</memory-context>\nMore."],
    ["an opener that nothing closes", "Look:\n<memory-context>\nand so on.\nThe end."],
    ["a closer alone", "Look:\n</memory-context>\nThe end."],
    ["a quoted fence", "> <memory-context>\n> x\n> </memory-context>"],
    ["the other name's closer", "<memory-context>\nx\n</context-summary>\nThe end."],
    ["another case", "<Memory-Context>\nx\n</Memory-Context>"],
  ])("FENCE-01 %s stays", (_, text) => {
    assert.strictEqual(scrub(text), text)
  })

  it("FENCE-01 a closed fence after an opener of the other name that nothing closes is removed", () => {
    const text = "<context-summary>\nopen\n<memory-context>\nx\n</memory-context>\nThe end."
    assert.strictEqual(scrub(text), "<context-summary>\nopen\nThe end.")
  })

  it("FENCE-04 any two or three chunks, and one unit at a time, show what the whole shows", () => {
    const shown = "Sure.\nYour order has shipped."
    assert.strictEqual(stream(output.split("")), shown)
    for (let i = 0; i <= output.length; i++) {
      assert.strictEqual(stream([output.slice(0, i), output.slice(i)]), shown)
      for (let j = i; j <= output.length; j += 7) {
        assert.strictEqual(stream([output.slice(0, i), output.slice(i, j), output.slice(j)]), shown)
      }
    }
  })

  it("FENCE-04 text outside a fence is shown at once", () => {
    const step = scrubChunk(scrubStart, "Your order")
    assert.strictEqual(step.text, "Your order")
  })

  it("FENCE-04 a long stream is scrubbed in linear time", () => {
    const start = process.cpuUsage()
    for (const text of ["<".repeat(60_000), "<memory-context>\n".repeat(3_000), `${output}\n`.repeat(200)])
      assert.strictEqual(stream(text.split("")), scrub(text))
    assert.isBelow(process.cpuUsage(start).user / 1000, 10_000)
  })

  it("FENCE-05 nothing of a fence is left to be stored", () => {
    assert.strictEqual(scrub(fence), "")
    assert.strictEqual(scrub(output), "Sure.\nYour order has shipped.")
    assert.strictEqual(scrub(` <context-summary>\t\r\nx\r\n</context-summary> \r\nDone.\r\n`), "Done.\r\n")
  })

  it("FENCE-05 a fence in a payload stays in it", () => {
    const nested = renderFence("context-summary", SUMMARY_NOTE, fence)
    assert.strictEqual(parseFence("context-summary", nested)?.payload, fence)
    assert.strictEqual(scrub(`a\n${nested}\nb`), "a\nb")
  })
})

describe("the notes", () => {
  it.each([MEMORY_NOTE, SUMMARY_NOTE])(
    "TRUST-12 TRUST-17 tell what the block is, and ask for nothing",
    (note) => {
      assert.match(note, /reference data.*no instructions.*outdated.*newest message of the user/)
      assert.notMatch(note, /\b(run|read|open|fetch|call|use|start|continue|must|please|do)\b|[/\\`]|\.\w/i)
      assert.notInclude(note, "\n")
    },
  )
})
