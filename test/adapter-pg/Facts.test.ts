/** The fact store in PGlite. */
import { layer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { factsSuite } from "./suites/Facts.ts"
import { flushesSuite } from "./suites/Flushes.ts"
import { plantedSuite } from "./suites/Planted.ts"

const bench = ManagedRuntime.make(Layer.provideMerge(layer, clientMemory))
beforeAll(() => bench.context())
afterAll(() => bench.dispose())

describe("in PGlite", () => {
  factsSuite(bench, 25)
  plantedSuite(bench)
  flushesSuite(bench)
})
