import { clientUrl, layer, layerUrl } from "@palimpsest/adapter-pg"
import { ThreadStore } from "@palimpsest/core/engine"
import { factContract, portsContract, storeContract } from "@palimpsest/core/testing"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { catalogSuite } from "./suites/Catalog.ts"
import { damageSuite, freshKey, message, messages, summary } from "./suites/Damage.ts"
import { largeSuite } from "./suites/Large.ts"
import { readingsSuite } from "./suites/Readings.ts"
import { releasedSuite } from "./suites/Released.ts"
import {
  admin,
  create,
  databaseOn,
  describeOn,
  drop,
  freshName,
  plain,
  type Server,
  servers,
  urlOf,
  withVector,
} from "./suites/Servers.ts"
import { storageSuite } from "./suites/Storage.ts"
import { tablesSuite } from "./suites/Tables.ts"
import { twinSuite } from "./suites/Twin.ts"
import { vectorSuite } from "./suites/Vectors.ts"

/** What every server must show, through a database of its own. */
const suiteOn = (server: Server) => {
  describeOn(server, `the store on ${server.name}`, () => {
    const { database, url, bench } = databaseOn(server, (url) =>
      Layer.provideMerge(layer, clientUrl({ url })),
    )

    it("ten processes that start at once make the tables once", async () => {
      const one = Effect.scoped(Layer.build(Layer.fresh(layerUrl({ url, maxConnections: 1 }))))
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
    if (server === withVector) vectorSuite(bench)

    it("a connection that is cut is opened again, and the work repeated", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const key = freshKey()
          const cutAll = Effect.promise(() =>
            admin(
              server,
              (sql) =>
                sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`,
            ),
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
}

servers.forEach(suiteOn)

describeOn(plain, "a database that is by default serializable", () => {
  const database = freshName()
  const strict = ManagedRuntime.make(layerUrl({ url: urlOf(plain, database), prepare: true }))
  beforeAll(async () => {
    await create(plain, database)
    await admin(plain, (sql) =>
      sql.unsafe(`alter database ${database} set default_transaction_isolation = 'serializable'`),
    )
  })
  afterAll(async () => {
    await strict.dispose()
    await drop(plain, database)
  })
  for (const { name, run, concurrent } of [...storeContract, ...portsContract, ...factContract]) {
    if (concurrent) it(name, () => strict.runPromise(run))
  }
})
