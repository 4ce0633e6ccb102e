import { layer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import { scaleSuite } from "./suites/Scale.ts"

// An instance of its own: on tables that other tests fill, plans would depend on them.
const bench = ManagedRuntime.make(Layer.provideMerge(layer, clientMemory))
beforeAll(() => bench.context())
afterAll(() => bench.dispose())

describe("the store in PGlite", () => {
  scaleSuite(bench)
})
