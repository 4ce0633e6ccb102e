import { memoryStore, portsContract, storeContract } from "@palimpsest/core/testing"
import { Effect } from "effect"
import { describe, it } from "vitest"

describe("the store in memory", () => {
  for (const { name, run } of [...storeContract, ...portsContract]) {
    it(name, () => Effect.runPromise(Effect.provide(run, memoryStore)))
  }
})
