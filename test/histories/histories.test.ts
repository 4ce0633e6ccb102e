/** Two hundred histories of several workers in memory. `npm run -s histories` plays more, on Postgres too. */
import { playInMemory } from "@palimpsest/core/testing"
import { assert, describe, it } from "vitest"
import { type Outcome, playChunk } from "../commands/histories/Chunk.ts"

/** What must have happened, or the histories show nothing. */
const REACHED = [
  "answers lost",
  "append refused",
  "edit",
  "fork",
  "mark refused",
  "prune written",
  "recall adopted",
  "recall written",
  "reset written",
  "rewind",
  "summary adopted",
  "summary superseded",
  "summary written",
]

describe("workers at one thread, in memory", () => {
  it("leave what a serial order leaves, whatever the order of their calls", async () => {
    const chunk = { seed: 20_261_202, runs: 200, workers: null }
    const { tally, failure }: Outcome = await playChunk(chunk, playInMemory)
    assert.isNull(failure, failure?.faults.join("\n"))
    assert.deepStrictEqual(
      REACHED.filter((name) => (tally[name] ?? 0) === 0),
      [],
    )
  }, 120_000)
})
