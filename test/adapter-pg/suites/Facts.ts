/** What a fact store over SQL must show. */
import { factContract, latestFactsLawOn } from "@palimpsest/core/testing"
import { describe, it } from "vitest"
import type { Bench } from "./Damage.ts"

export const factsSuite = (bench: Bench, runs: number) =>
  describe("facts", () => {
    for (const { name, run } of factContract) it(name, () => bench.runPromise(run))

    for (const property of latestFactsLawOn((program) => bench.runPromise(program)).properties)
      it(property.name, () => property.run({ runs, seed: 20_261_203 }))
  })
