import { clientUrl, layer, memoryIndexLayer, rowSecurity, tenantTables } from "@palimpsest/adapter-pg"
import { Embedder, MemoryIndex } from "@palimpsest/core/engine"
import { memoryContract } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, it } from "vitest"
import { measureNear } from "../commands/recall/NearRecall.ts"
import { freshTenant, indexAll, indexWith, letters, memoryVectorSuite, say } from "./suites/Memory.ts"
import { memoryIsolationSuite } from "./suites/MemoryIsolation.ts"
import { admin, databaseOn, describeOn, plain, servers, urlOf, withVector } from "./suites/Servers.ts"

const indexOver = (url: string) =>
  memoryIndexLayer().pipe(Layer.provideMerge(Layer.provideMerge(layer, clientUrl({ url }))))

for (const server of servers) {
  describeOn(server, `the index of long-term memory on ${server.name}`, () => {
    const { bench } = databaseOn(server, indexOver)
    for (const { name, run } of memoryContract) it(name, () => bench.runPromise(run))
    memoryIsolationSuite(bench, 25, server === withVector)
    if (server === withVector) memoryVectorSuite(bench)
    else
      it("without pgvector, an embedder costs nothing but a line that says what to do", () =>
        bench.runPromise(
          Effect.scoped(
            Effect.gen(function* () {
              const tenant = freshTenant()
              const index = yield* indexWith(letters().service)
              yield* say(tenant, "c1", ["The parcel came."])
              const { degraded } = yield* index.index(tenant)
              const {
                found,
                scan,
                degraded: told,
              } = yield* index.search({
                ...{ tenant, owner: "", query: "parcel", limit: 5 },
              })
              assert.deepStrictEqual([found.length, scan], [1, "none"])
              for (const lines of [degraded, told])
                assert.match(lines.join(), /words alone.*no pgvector.*Install/)
            }),
          ),
        ))
  })
}

const nearIndexes = (sql: SqlClient.SqlClient) => sql<{ name: string; valid: boolean }>`
  select c.relname::text as name, i.indisvalid as valid
  from pg_index as i join pg_class as c on c.oid = i.indexrelid
  where c.relname like 'palimpsest_near_%'`

describeOn(withVector, "the index over many vectors", () => {
  const { bench } = databaseOn(withVector, indexOver)

  it("is built by the indexer, used, built again after its builder died, and deleted with its space", () =>
    bench.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const tenant = freshTenant()
          const [old, next] = [letters(26), letters(13)]
          const index = yield* indexWith(old.service, { indexFrom: 50, exactUpTo: 10 })
          yield* say(
            tenant,
            "c1",
            Array.from({ length: 49 }, (_, i) => `${String.fromCharCode(97 + (i % 26))}${i}`),
          )
          yield* indexAll(index, tenant, 500)
          assert.deepStrictEqual(yield* nearIndexes(sql), [])
          yield* say(tenant, "c1", ["zebra"], 50)
          yield* indexAll(index, tenant, 500)
          const [built] = yield* nearIndexes(sql)
          assert.isTrue(built?.valid)
          const ask = { tenant, owner: "", query: "zzz", limit: 5 }
          const found = yield* index.search(ask)
          assert.strictEqual(found.scan, "index")
          assert.strictEqual(found.found.length, 5)
          assert.strictEqual((yield* index.search({ ...ask, until: 5 * 86_400_000 })).scan, "exact")
          yield* sql`update pg_index set indisvalid = false where indexrelid = to_regclass(${built?.name ?? ""})`
          assert.strictEqual((yield* index.search(ask)).scan, "exact")
          yield* index.index(tenant)
          assert.isTrue((yield* nearIndexes(sql))[0]?.valid)
          assert.strictEqual((yield* index.search(ask)).scan, "index")
          const after = yield* indexWith(next.service, { retirePrevious: true })
          yield* indexAll(after, tenant, 500)
          assert.deepStrictEqual(yield* nearIndexes(sql), [])
        }),
      ),
    ))

  it("finds nearly all of the ten nearest at every selectivity", () =>
    bench.runPromise(
      Effect.gen(function* () {
        const extent = { vectors: 25_000, dimensions: 64, queries: 40, seed: 3 }
        const { points } = yield* measureNear(extent)
        assert.deepStrictEqual(
          points.map(({ scan }) => scan),
          ["index", "exact", "exact", "exact", "exact"],
        )
        for (const { recallAt10, selectivity } of points) assert.isAtLeast(recallAt10, 0.95, `${selectivity}`)
      }),
    ))
})

for (const server of [plain, withVector]) {
  describeOn(server, `two roles under row-level security on ${server.name}`, () => {
    const { database, bench } = databaseOn(server, indexOver)
    const roles = ["one", "two"].map((name) => ({ name, role: `${database}_${name}` }))
    afterAll(() =>
      admin(
        server,
        (sql) =>
          Effect.forEach(roles, ({ role }) =>
            Effect.andThen(sql.unsafe(`drop owned by ${role}`), sql.unsafe(`drop role ${role}`)),
          ),
        database,
      ),
    )

    it("index and search what is theirs, and see nothing of each other", async () => {
      const owner = await bench.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const tenants = roles.map(({ name }) => `${freshTenant()} ${name}`)
            // Each role is bound to its tenant, whatever it tells the database. The owner prepares the column; roles may not change tables.
            yield* indexWith(letters().service)
            for (const tenant of tenants) yield* say(tenant, "c1", ["The safe has a code."], 1, "ann")
            yield* rowSecurity(sql)
            for (const [i, { role }] of roles.entries()) {
              yield* sql.unsafe(`create role ${role} login`)
              yield* sql.unsafe(
                `grant select, insert, update, delete on all tables in schema public to ${role}`,
              )
              for (const table of tenantTables)
                yield* sql.unsafe(
                  `create policy only_${i} on ${table} as restrictive to ${role} using (tenant = '${tenants[i]}')`,
                )
            }
            return tenants
          }),
        ),
      )
      for (const [i, { role }] of roles.entries()) {
        const [mine = "", other = ""] = i === 0 ? owner : owner.toReversed()
        const work = Effect.gen(function* () {
          const index = yield* MemoryIndex
          const report = yield* index.index(mine)
          assert.deepStrictEqual([report.documents, report.vectors], [1, server === withVector ? 1 : 0])
          const ask = { owner: "ann", query: "safe code", limit: 5 }
          assert.strictEqual((yield* index.search({ ...ask, tenant: mine })).found.length, 1)
          assert.deepStrictEqual((yield* index.search({ ...ask, tenant: other })).found, [])
          const sql = yield* SqlClient.SqlClient
          for (const table of ["documents", "extents", "spaces", "vectors"]) {
            const seen = yield* sql.withTransaction(
              Effect.andThen(
                sql`select set_config('palimpsest.tenant', ${mine}, true)`,
                sql`select distinct tenant from ${sql.literal(`palimpsest_${table}`)}`,
              ),
            )
            const some = server === withVector || table === "documents" || table === "extents"
            assert.deepStrictEqual(seen, some ? [{ tenant: mine }] : [], table)
          }
        })
        const services = memoryIndexLayer({ rowSecurity: true }).pipe(
          Layer.provide(Layer.succeed(Embedder, letters().service)),
          Layer.provideMerge(clientUrl({ url: urlOf(server, database, role) })),
        )
        await Effect.runPromise(Effect.provide(work, services))
      }
    })
  })
}
