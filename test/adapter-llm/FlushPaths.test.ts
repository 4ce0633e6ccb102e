/** Law 10 over the real parts: a flush is exactly once on every path, whatever call a process dies at. */
import { Effect } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import type { Death } from "../crash/Life.ts"
import { PATHS, play } from "./FlushWorld.ts"

const run = (...given: Parameters<typeof play>) => Effect.runPromise(play(...given))

describe("law 10: a flush is exactly once", () => {
  it.each(PATHS)(
    "on the path %s, with a death before and after each call",
    async (path) => {
      const paths = [path, path]
      const twin = await run(paths, [])
      assert.deepStrictEqual(twin.faults, [])
      assert.deepStrictEqual([...twin.reached], [path])
      assert.isAtLeast(twin.asked.length, 2)
      for (const name of ["extract", "saveDraft", "put", "summarise", "mark", "append"])
        assert.include(twin.events, name)
      const deaths = twin.events.flatMap(
        (_, i): ReadonlyArray<Death> => (["before", "after"] as const).map((side) => ({ at: i + 1, side })),
      )
      for (const death of deaths) {
        const left = await run(paths, [death])
        const where = `${death.side} ${twin.events[death.at - 1]}, call ${death.at}`
        assert.deepStrictEqual(left.faults, [], where)
        assert.isAtMost(Math.max(...left.asked), 2, where)
      }
      console.log(`${path}: ${deaths.length} deaths at ${twin.events.length} calls`)
    },
    120_000,
  )

  it("over random paths, several deaths and a second worker", async () => {
    const death = fc.record({
      at: fc.integer({ min: 1, max: 60 }),
      side: fc.constantFrom("before" as const, "after" as const),
    })
    const reached = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 4 }),
        fc.array(death, { maxLength: 4 }),
        fc.integer({ min: 1, max: 2 }),
        async (paths, deaths, workers) => {
          const left = await run(paths, deaths, workers)
          assert.deepStrictEqual(left.faults, [])
          for (const path of left.reached) reached.add(path)
        },
      ),
      { numRuns: 60 },
    )
    assert.deepStrictEqual([...reached].toSorted(), [...PATHS].toSorted())
  }, 120_000)
})
