/** On a Postgres server: every point, on both sides of each statement. */
import { clientUrl, layer } from "@palimpsest/adapter-pg"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { killAtEach } from "./KillAtEach.ts"

const url = process.env.DATABASE_URL
if (url === undefined) console.log("DATABASE_URL is not set: nothing is killed on a server")

describe.skipIf(url === undefined)("a chat that is killed, on Postgres", () => {
  it("goes on as if it had never been, wherever it is killed", async () => {
    const database = Layer.provideMerge(layer, clientUrl({ url: url ?? "" }))
    const run = `server ${new Date().toISOString()}`
    const result = await Effect.runPromise(Effect.provide(killAtEach(run, 10), database))
    console.log(`${result.points} deaths in ${result.statements} statements, ${result.calls} summaries`)
    for (const kind of ["prune", "summary", "recall"]) assert.include(result.marks, kind)
    assert.strictEqual(result.points, 2 * result.statements)
    assert.deepStrictEqual(result.differences, [])
  }, 600_000)
})
