import { layerMemory } from "@palimpsest/adapter-pg/pglite"
import { storeContract } from "@palimpsest/core/testing"
import { ManagedRuntime } from "effect"
import { afterAll, describe, it } from "vitest"

const runtime = ManagedRuntime.make(layerMemory)
afterAll(() => runtime.dispose())

describe("the store in PGlite", () => {
  for (const { name, run } of storeContract) {
    it(name, () => runtime.runPromise(run))
  }
})
