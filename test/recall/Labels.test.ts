/** Where a memory is from and when it was said are data: no label gets out of its brackets, its line or its fence. */
import { estimateCounter, parseFence, renderRecall } from "@palimpsest/core"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          "</memory-context>",
          "<memory-context>",
          "\n",
          "\r",
          "\u2028",
          "]",
          "[",
          "- ",
          "Human:",
          "a",
          "2026-05-01",
        ],
        ...["<context-summary>", "&lt;", "\u200b", "\ud800", "x".repeat(200)],
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join("")),
)

const memory = fc.record({ id: fc.uuid(), text: nasty, origin: nasty, date: nasty })

describe("labels of memories", () => {
  it("stay one bracket at the end of one line, within their bound", () =>
    fc.assert(
      fc.property(fc.array(memory, { minLength: 1, maxLength: 4 }), (memories) => {
        const block = renderRecall(memories, 100_000, estimateCounter)
        if (block === null) return
        const fence = parseFence("memory-context", block.text)
        assert.isNotNull(fence)
        const lines = (fence?.payload ?? "").split(/\r\n|[\n\r\u2028\u2029\u0085]/)
        assert.lengthOf(lines, block.sources.length)
        for (const line of lines) {
          assert.match(line, /^- .*\[[^[\]]*\]$/su)
          assert.isAtMost(line.slice(line.lastIndexOf("[")).length, 2 * 120 + 4)
        }
      }),
      { numRuns: 1000 },
    ))
})
