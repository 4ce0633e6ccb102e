import { layer, memoryIndexLayer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { memoryContract } from "@palimpsest/core/testing"
import { Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import { memoryVectorSuite } from "./suites/Memory.ts"
import { memoryCrashSuite } from "./suites/MemoryCrash.ts"
import { memoryIsolationSuite } from "./suites/MemoryIsolation.ts"
import { memoryRaceSuite } from "./suites/MemoryRaces.ts"
import { memoryScaleSuite } from "./suites/MemoryScale.ts"
import { memoryTwinSuite } from "./suites/MemoryTwin.ts"

const bench = ManagedRuntime.make(
  memoryIndexLayer().pipe(Layer.provideMerge(Layer.provideMerge(layer, clientMemory))),
)
beforeAll(() => bench.context())
afterAll(() => bench.dispose())

describe("the index of long-term memory in PGlite", () => {
  for (const { name, run } of memoryContract) it(name, () => bench.runPromise(run))
  memoryVectorSuite(bench)
  memoryCrashSuite(bench)
  memoryRaceSuite(bench)
  memoryTwinSuite(bench, 15)
  memoryScaleSuite(bench)
  memoryIsolationSuite(bench, 5, true)
})
