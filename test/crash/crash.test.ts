/** On PGlite, in one instance: every third point, since each statement takes longer there. */
import { layer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { killAtEach } from "./KillAtEach.ts"

describe("a chat that is killed, on PGlite", () => {
  it("goes on as if it had never been, wherever it is killed", async () => {
    const result = await Effect.runPromise(
      Effect.provide(killAtEach("pglite", 10, 3), Layer.provideMerge(layer, clientMemory)),
    )
    console.log(`${result.points} deaths in ${result.statements} statements, ${result.calls} summaries`)
    for (const kind of ["prune", "summary", "recall"]) assert.include(result.marks, kind)
    assert.isAbove(result.points, 40)
    assert.deepStrictEqual(result.differences, [])
  })
})
