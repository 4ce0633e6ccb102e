import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import type { Bench } from "./Damage.ts"

/** Points of a circle, 3 degrees apart: the nearest of one are known. */
const pointText = (i: number): string => {
  const angle = (i * Math.PI) / 60
  return JSON.stringify([Math.cos(angle), Math.sin(angle), 0])
}

const circle = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create extension if not exists vector`
  yield* sql`create table circle (id integer primary key, embedding vector(3) not null)`
  const points = JSON.stringify(Array.from({ length: 120 }, (_, id) => ({ id, embedding: pointText(id) })))
  yield* sql`insert into circle
    select id, embedding::vector from json_to_recordset(${points}::json) as r(id integer, embedding text)`
  return sql
})

const nearest = (sql: SqlClient.SqlClient, to: string, distance: "<->" | "<=>") =>
  Effect.map(
    sql<{ id: number }>`
      select id from circle order by embedding ${sql.literal(distance)} ${to}::vector limit 3`,
    (rows) => rows.map(({ id }) => id).sort((a, b) => a - b),
  )

/** The vector type, as a store of embeddings needs it: texts go in and come out, distances order, an index serves. */
export const vectorSuite = (bench: Bench) =>
  describe("vectors", () => {
    it("are stored, come back as text, and are ordered by distance, with an index and without", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const sql = yield* circle
          const [row] = yield* sql`select embedding::text as text from circle where id = 0`
          assert.deepStrictEqual(row, { text: "[1,0,0]" })
          assert.deepStrictEqual(yield* nearest(sql, pointText(40), "<->"), [39, 40, 41])
          assert.deepStrictEqual(yield* nearest(sql, pointText(0), "<=>"), [0, 1, 119])
          yield* sql`create index on circle using hnsw (embedding vector_cosine_ops)`
          const plan = yield* sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`set local enable_seqscan = off`
              assert.deepStrictEqual(yield* nearest(sql, pointText(77), "<=>"), [76, 77, 78])
              return yield* sql`explain select id from circle order by embedding <=> '[1,0,0]'::vector limit 3`
            }),
          )
          assert.include(JSON.stringify(plan), "Index Scan using circle_embedding_idx")
        }),
      ))

    it("of another length, or that are none, are refused", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`create extension if not exists vector`
          for (const bad of ["[1,2]", "[1,2,NaN]", "1,2,3", "[]"]) {
            const result = yield* Effect.result(sql`select ${bad}::vector(3)::text`)
            assert.strictEqual(result._tag, "Failure", bad)
          }
        }),
      ))
  })
