import { factContract, memoryFacts } from "@palimpsest/core/testing"
import { Effect } from "effect"
import { describe, it } from "vitest"

describe("facts in memory", () => {
  for (const { name, run } of factContract) {
    it(name, () => Effect.runPromise(Effect.provide(run, memoryFacts)))
  }
})
