import { PGlite } from "@electric-sql/pglite"
import { vector } from "@electric-sql/pglite-pgvector"
import { layer } from "@palimpsest/adapter-pg"
import { clientOf } from "@palimpsest/adapter-pg/pglite"
import { portsContract, storeContract } from "@palimpsest/core/testing"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { catalogSuite } from "./suites/Catalog.ts"
import { damageSuite } from "./suites/Damage.ts"
import { largeSuite } from "./suites/Large.ts"
import { readingsSuite } from "./suites/Readings.ts"
import { releasedSuite } from "./suites/Released.ts"
import { storageSuite } from "./suites/Storage.ts"
import { tablesSuite } from "./suites/Tables.ts"
import { twinSuite } from "./suites/Twin.ts"
import { vectorSuite } from "./suites/Vectors.ts"

/** An instance with pgvector, as a host opens it. */
const instance = Effect.acquireRelease(
  Effect.promise(() => PGlite.create({ extensions: { vector } })),
  (db) => Effect.promise(() => db.close()),
)

// One instance for all: a cold start takes seconds and 450 MB.
const client = Layer.unwrap(Effect.map(instance, clientOf))
const bench = ManagedRuntime.make(Layer.provideMerge(layer, client))
beforeAll(() => bench.context())
afterAll(() => bench.dispose())

describe("the store in PGlite, with pgvector", () => {
  for (const { name, run } of [...storeContract, ...portsContract]) {
    it(name, () => bench.runPromise(run))
  }
  damageSuite(bench)
  storageSuite(bench)
  tablesSuite(bench)
  readingsSuite(bench)
  vectorSuite(bench)
  releasedSuite(bench)
  largeSuite(bench)
  catalogSuite(bench)
  twinSuite(bench, 8)
})
