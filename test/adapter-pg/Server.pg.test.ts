import { clientUrl, layer, layerUrl } from "@palimpsest/adapter-pg"
import { ThreadStore } from "@palimpsest/core/engine"
import { portsContract, storeContract } from "@palimpsest/core/testing"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { catalogSuite } from "./suites/Catalog.ts"
import { damageSuite, freshKey, message, messages, summary } from "./suites/Damage.ts"
import { largeSuite } from "./suites/Large.ts"
import { readingsSuite } from "./suites/Readings.ts"
import { releasedSuite } from "./suites/Released.ts"
import { storageSuite } from "./suites/Storage.ts"
import { tablesSuite } from "./suites/Tables.ts"
import { twinSuite } from "./suites/Twin.ts"

const given = process.env.DATABASE_URL
if (given === undefined) console.log("skipped: DATABASE_URL names no server; `.ci/postgres` starts one")
const address = given ?? "postgres://none"
const suite = describe.skipIf(given === undefined)

/** A database of this run alone. */
const urlOf = (database: string): string => address.replace(/\/[^/]*$/, `/${database}`)

const admin = <A>(run: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  Effect.runPromise(Effect.provide(Effect.flatMap(SqlClient.SqlClient, run), clientUrl({ url: address })))

const create = (database: string, options = "") =>
  admin((sql) => sql.unsafe(`create database ${database} template template0 ${options}`))

const drop = (database: string) =>
  admin((sql) => sql.unsafe(`drop database if exists ${database} with (force)`))

const stamp = `${process.pid}_${Date.now()}`
const main = `palimpsest_${stamp}`
const bench = ManagedRuntime.make(Layer.provideMerge(layer, clientUrl({ url: urlOf(main) })))

suite("the store on a server", () => {
  beforeAll(() => create(main, "encoding 'UTF8' locale 'C'"))
  afterAll(async () => {
    await bench.dispose()
    await drop(main)
  })

  it("ten processes that start at once make the tables once", async () => {
    const one = Effect.scoped(Layer.build(Layer.fresh(layerUrl({ url: urlOf(main), maxConnections: 1 }))))
    await Effect.runPromise(
      Effect.all(
        Array.from({ length: 10 }, () => one),
        { concurrency: "unbounded" },
      ),
    )
  })

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

  it("a connection that is cut is opened again, and the work repeated", () =>
    bench.runPromise(
      Effect.gen(function* () {
        const store = yield* ThreadStore
        const key = freshKey()
        const cutAll = Effect.promise(() =>
          admin((sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${main}`),
        )
        for (let i = 1; i <= 5; i++) {
          const work = Effect.andThen(store.append(key, messages(1, i)), store.load(key))
          yield* Effect.all([work, work, cutAll, work], { concurrency: "unbounded" })
        }
        yield* store.mark(key, summary("m5"))
        assert.strictEqual((yield* store.page(key, 0, 99)).rows.length, 6)
      }),
    ))

  it("a batch is whole or absent when its transaction is interrupted", () =>
    bench.runPromise(
      Effect.gen(function* () {
        const store = yield* ThreadStore
        const key = freshKey()
        for (let i = 0; i < 20; i++) {
          const batch = [0, 1, 2, 3].map((n) => message(i * 4 + n))
          yield* Effect.timeoutOption(store.append(key, batch), `${1 + (i % 7)} millis`)
          assert.strictEqual((yield* store.load(key)).rows.length % 4, 0)
        }
      }),
    ))
})

suite("a database that is by default serializable", () => {
  const database = `palimpsest_ser_${stamp}`
  const strict = ManagedRuntime.make(layerUrl({ url: urlOf(database), prepare: true }))
  beforeAll(async () => {
    await create(database, "encoding 'UTF8' locale 'C'")
    await admin((sql) =>
      sql.unsafe(`alter database ${database} set default_transaction_isolation = 'serializable'`),
    )
  })
  afterAll(async () => {
    await strict.dispose()
    await drop(database)
  })
  for (const { name, run, concurrent } of [...storeContract, ...portsContract]) {
    if (concurrent) it(name, () => strict.runPromise(run))
  }
})

suite("servers that cannot be used", () => {
  const failureOf = (url: string) =>
    Effect.runPromise(
      Effect.flip(Effect.scoped(Layer.build(Layer.fresh(layerUrl({ url, maxConnections: 1 }))))),
    )

  it("a database of another encoding is refused, with the remedy", async () => {
    const database = `palimpsest_latin_${stamp}`
    await create(database, "encoding 'LATIN1' locale 'C'")
    const error = await failureOf(urlOf(database))
    await drop(database)
    assert.strictEqual(error._tag, "StoreError")
    assert.include(error.message, "UTF8")
  })

  it("a server that is not there is a StoreError that may be retried", async () => {
    const error = await failureOf("postgres://postgres@127.0.0.1:9/none")
    assert.strictEqual(error._tag, "StoreError")
    assert.isTrue(error.isRetryable)
  })
})
