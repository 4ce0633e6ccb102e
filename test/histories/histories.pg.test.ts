/** Histories of several workers on a server, one call at a time. `npm run -s histories -- --url` lets them run freely. */
import type { Script } from "@palimpsest/core/testing"
import { assert, describe, it } from "vitest"
import { playChunk } from "../commands/histories/Chunk.ts"
import { openDatabase, playInLockStep } from "../commands/histories/Postgres.ts"

const url = process.env.DATABASE_URL ?? ""
if (url === "") console.log("DATABASE_URL is not set: no histories are played on a server")

describe.skipIf(url === "")("workers at one thread, on Postgres", () => {
  it("leave what a serial order leaves, whatever the order of their calls", async () => {
    const database = await openDatabase(url, 4)
    try {
      const play = (script: Script) => playInLockStep(database, script)
      const { tally, failure } = await playChunk({ seed: 20_261_202, runs: 40, workers: null }, play)
      assert.isNull(failure, failure?.faults.join("\n"))
      assert.isAbove(tally["summary written"] ?? 0, 10)
    } finally {
      await database.close()
    }
  }, 300_000)
})
