/** Row-level security where tables are in parts: a part that is asked by its name shows nothing of anybody. */
import { PGlite } from "@electric-sql/pglite"
import { layer, layerWith, partition, rowSecurity } from "@palimpsest/adapter-pg"
import { clientOf } from "@palimpsest/adapter-pg/pglite"
import { ThreadStore } from "@palimpsest/core/engine"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { messages, summary } from "./suites/Damage.ts"

const instance = Effect.acquireRelease(
  Effect.promise(() => PGlite.create()),
  (db) => Effect.promise(() => db.close()),
)
const client = Layer.unwrap(Effect.map(instance, clientOf))
const bench = ManagedRuntime.make(Layer.provideMerge(layer, client))
afterAll(() => bench.dispose())

const tenants = ["one", "other"]
const chats = Array.from({ length: 6 }, (_, i) => `c${i}`)
const Sql = SqlClient.SqlClient

/** A transaction of a role that may use every table there is, for a tenant. */
const asRole = <A>(run: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  Effect.flatMap(Sql, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql.unsafe("set local role app")
        yield* sql`select set_config('palimpsest.tenant', 'one', true)`
        return yield* run(sql)
      }),
    ),
  )

describe("row-level security, with tables in parts", () => {
  beforeEach(() =>
    bench.runPromise(
      Effect.flatMap(Sql, (sql) =>
        Effect.gen(function* () {
          yield* sql.unsafe("drop schema public cascade")
          yield* sql.unsafe("create schema public")
          yield* sql.unsafe("drop role if exists app")
          yield* sql.unsafe("create role app")
          yield* sql.unsafe("grant usage on schema public to app")
        }),
      ),
    ),
  )

  const orders = {
    "secured first": (sql: SqlClient.SqlClient) => Effect.andThen(rowSecurity(sql), partition(sql, 2)),
    "split first": (sql: SqlClient.SqlClient) => Effect.andThen(partition(sql, 2), rowSecurity(sql)),
  }
  for (const [name, migrations] of Object.entries(orders)) {
    it(`${name}: a role sees and changes nothing of another tenant through a part`, () =>
      bench.runPromise(
        Effect.gen(function* () {
          const sql = yield* Sql
          const fill = Effect.gen(function* () {
            const store = yield* ThreadStore
            for (const tenant of tenants)
              for (const chat of chats) {
                yield* store.append({ tenant, chat }, messages(1, 3))
                yield* store.mark({ tenant, chat }, summary("m2"))
              }
          })
          yield* Effect.provide(fill, Layer.fresh(layer))
          yield* migrations(sql)
          yield* sql.unsafe("grant select, insert, update, delete on all tables in schema public to app")
          const parts = yield* sql<{ name: string }>`
            select relname::text as name from pg_class
            where relispartition and relkind = 'r' and relname like 'palimpsest%'`
          assert.isAtLeast(parts.length, 18)
          for (const part of parts) {
            const rows = yield* asRole((app) => app`select tenant from ${app.literal(part.name)}`)
            assert.deepStrictEqual(rows, [], part.name)
            const change = (app: SqlClient.SqlClient) =>
              app`update ${app.literal(part.name)} set tenant = tenant returning tenant`
            assert.deepStrictEqual(yield* asRole(change), [], part.name)
          }
          const seen = yield* asRole((app) => app`select distinct tenant from palimpsest_messages`)
          assert.deepStrictEqual(seen, [{ tenant: "one" }])
          const taken = yield* Effect.result(
            asRole((app) =>
              app.unsafe("insert into palimpsest_drafts_0 values ('other', 'c0', 'n', 'late')"),
            ),
          )
          assert.strictEqual(taken._tag, "Failure")
          const store = Effect.flatMap(ThreadStore, (one) => one.load({ tenant: "one", chat: "c1" }))
          const told = Effect.provide(store, Layer.fresh(layerWith({ rowSecurity: true })))
          assert.strictEqual((yield* told).rows.length, 1)
        }),
      ))
  }
})
