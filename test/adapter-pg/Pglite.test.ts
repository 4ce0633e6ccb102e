import { layer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { portsContract, storeContract } from "@palimpsest/core/testing"
import { Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { catalogSuite } from "./suites/Catalog.ts"
import { damageSuite } from "./suites/Damage.ts"
import { largeSuite } from "./suites/Large.ts"
import { readingsSuite } from "./suites/Readings.ts"
import { releasedSuite } from "./suites/Released.ts"
import { storageSuite } from "./suites/Storage.ts"
import { tablesSuite } from "./suites/Tables.ts"
import { twinSuite } from "./suites/Twin.ts"

// One instance for all: a cold start takes seconds and 450 MB.
const bench = ManagedRuntime.make(Layer.provideMerge(layer, clientMemory))
beforeAll(() => bench.context())
afterAll(() => bench.dispose())

describe("the store in PGlite", () => {
  for (const { name, run } of [...storeContract, ...portsContract]) {
    it(name, () => bench.runPromise(run))
  }
  damageSuite(bench)
  storageSuite(bench)
  tablesSuite(bench)
  readingsSuite(bench)
  releasedSuite(bench)
  largeSuite(bench)
  catalogSuite(bench)
  twinSuite(bench, 12)
})
