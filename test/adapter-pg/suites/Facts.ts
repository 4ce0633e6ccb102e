/** What a fact store over SQL, and what is known of owners, must show. */
import { factContract, latestFactsLawOn, portsContract } from "@palimpsest/core/testing"
import { describe, it } from "vitest"
import type { Bench } from "./Damage.ts"

export const factsSuite = (bench: Bench, runs: number) =>
  describe("facts", () => {
    for (const { name, run } of factContract) it(name, () => bench.runPromise(run))

    for (const property of latestFactsLawOn((program) => bench.runPromise(program)).properties)
      it(property.name, () => property.run({ runs, seed: 20_261_203 }))

    for (const { name, run } of portsContract.filter((one) => /owner|facts/.test(one.name)))
      it(name, () => bench.runPromise(run))
  })
