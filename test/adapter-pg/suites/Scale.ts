import type { StorePorts } from "@palimpsest/adapter-pg"
import { Engine, Tokens } from "@palimpsest/core/engine"
import { Effect, Layer, type ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { explained } from "../../commands/scale/Cost.ts"
import { fillCrowd } from "../../commands/scale/Tables.ts"
import { makeTemplate, makeThread, type Spec } from "../../commands/scale/Threads.ts"

type Bench = ManagedRuntime.ManagedRuntime<StorePorts | SqlClient.SqlClient, unknown>

const WINDOW = 20

const spec = (shape: Spec["shape"], rows: number): Spec => ({ shape, rows, window: WINDOW })

const young = spec("plain", 200)
const others = [spec("plain", 4000), spec("hidden", 1000), spec("rewound", 1000), spec("forked", 1000)]

const engine = Layer.provide(Engine.layer, Tokens.layerEstimate)

/** What `npm run scale` measures, on few rows: the counts, which have no noise. */
export const scaleSuite = (bench: Bench) =>
  describe("what a step reads", () => {
    it("is ranges of indexes, and follows neither the age of its thread nor its rewinds and forks", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* makeTemplate
          for (const each of [young, ...others]) yield* makeThread(each)
          yield* fillCrowd(sql, 1000)
          for (const planning of ["custom", "generic"] as const) {
            const first = yield* explained(young, planning)
            assert.deepStrictEqual(first.faults, [])
            for (const each of others) {
              const { step, faults } = yield* explained(each, planning)
              assert.deepStrictEqual(faults, [])
              assert.isAtMost(step.rows, first.step.rows + (each.shape === "plain" ? 0 : 50))
            }
          }
        }).pipe(Effect.provide(engine)),
      ))
  })
