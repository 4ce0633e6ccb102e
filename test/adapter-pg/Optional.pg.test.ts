/** The optional migrations, on databases of their own: row-level security with two roles, and tables in parts. */
import { clientUrl, layer, layerWith, partition, rowSecurity, tenantTables } from "@palimpsest/adapter-pg"
import { ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { factContract, portsContract, storeContract } from "@palimpsest/core/testing"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { catalogSuite } from "./suites/Catalog.ts"
import { freshKey, messages, summary } from "./suites/Damage.ts"
import { tablesSuite } from "./suites/Tables.ts"

const given = process.env.DATABASE_URL
if (given === undefined) console.log("skipped: DATABASE_URL names no server; `.ci/postgres` starts one")
const address = given ?? "postgres://none"
const suite = describe.skipIf(given === undefined)

const stamp = `${process.pid}_${Date.now()}`
const urlOf = (database: string, role?: string): string =>
  address.replace(/\/[^/]*$/, `/${database}`).replace(/\/\/[^@]*@/, (user) => (role ? `//${role}@` : user))

const as = <A>(url: string, run: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>) =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(SqlClient.SqlClient, run),
      Layer.fresh(clientUrl({ url, maxConnections: 2 })),
    ),
  )

const create = (database: string) =>
  as(address, (sql) =>
    sql.unsafe(`create database ${database} template template0 encoding 'UTF8' locale 'C'`),
  )
const drop = (database: string) =>
  as(address, (sql) => sql.unsafe(`drop database if exists ${database} with (force)`))

const migrated = (url: string) =>
  Effect.runPromise(
    Effect.scoped(Layer.build(Layer.fresh(layer.pipe(Layer.provide(clientUrl({ url, maxConnections: 1 })))))),
  )

suite("row-level security", () => {
  const database = `palimpsest_rls_${stamp}`
  const role = `palimpsest_app_${stamp}`
  const app = ManagedRuntime.make(
    Layer.provideMerge(layerWith({ rowSecurity: true }), clientUrl({ url: urlOf(database, role) })),
  )
  const one = { tenant: "one", chat: "c" }
  const other = { tenant: "other", chat: "c" }

  beforeAll(async () => {
    await create(database)
    await migrated(urlOf(database))
    await as(urlOf(database), (sql) =>
      Effect.gen(function* () {
        yield* rowSecurity(sql)
        yield* rowSecurity(sql)
        yield* sql.unsafe(`create role ${role} login`)
        yield* sql.unsafe(`grant select, insert, update, delete on all tables in schema public to ${role}`)
      }),
    )
    await app.runPromise(
      Effect.gen(function* () {
        const store = yield* ThreadStore
        for (const key of [one, other]) {
          yield* store.append(key, messages(1, 4))
          yield* store.mark(key, summary("m2"))
        }
      }),
    )
  })
  afterAll(async () => {
    await app.dispose()
    await drop(database)
    await as(address, (sql) => sql.unsafe(`drop role if exists ${role}`))
  })

  for (const { name, run } of [...storeContract, ...portsContract, ...factContract]) {
    it(name, () => app.runPromise(run))
  }

  it("a role that does not tell its tenant sees nothing, and can write nothing", () =>
    as(urlOf(database, role), (sql) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* sql`select * from palimpsest_messages`, [])
        assert.deepStrictEqual(yield* sql`update palimpsest_messages set tokens = 0 returning id`, [])
        assert.deepStrictEqual(yield* sql`delete from palimpsest_chats returning chat`, [])
        for (const tenant of ["one", ""]) {
          const put = sql`insert into palimpsest_chats (tenant, chat) values (${tenant}, 'late')`
          assert.strictEqual((yield* Effect.result(put))._tag, "Failure")
        }
      }),
    ))

  it("a tenant that was told in one transaction is forgotten in the next", () =>
    as(urlOf(database, role), (sql) =>
      Effect.gen(function* () {
        const tell = sql`select set_config('palimpsest.tenant', 'one', true)`
        const inside = yield* sql.withTransaction(
          Effect.andThen(tell, sql`select id from palimpsest_messages`),
        )
        assert.strictEqual(inside.length, 4)
        for (let i = 0; i < 4; i++) assert.deepStrictEqual(yield* sql`select * from palimpsest_messages`, [])
      }),
    ))

  it("a role sees one tenant, and cannot write another's rows nor move its own to it", () =>
    as(urlOf(database, role), (sql) =>
      Effect.gen(function* () {
        const within = (run: Effect.Effect<unknown, unknown>) =>
          Effect.result(
            sql.withTransaction(
              Effect.andThen(sql`select set_config('palimpsest.tenant', 'one', true)`, run),
            ),
          )
        const tables = yield* sql<{ name: string }>`
          select distinct table_name::text as name from information_schema.columns
          where table_name like 'palimpsest%' and column_name = 'tenant' order by 1`
        assert.isAtLeast(tables.length, 10)
        for (const { name } of tables) {
          const seen = yield* within(sql`select distinct tenant from ${sql.literal(name)}`)
          assert.strictEqual(seen._tag, "Success", name)
          if (seen._tag === "Success") {
            const tenants = (seen.success as ReadonlyArray<{ tenant: string }>).map((row) => row.tenant)
            assert.includeMembers(["one"], tenants, name)
          }
          const moved = yield* within(
            sql`update ${sql.literal(name)} set tenant = 'other' where tenant = 'one'`,
          )
          const [left] = yield* sql.withTransaction(
            Effect.andThen(
              sql`select set_config('palimpsest.tenant', 'one', true)`,
              sql<{ n: number }>`select count(*)::int4 as n from ${sql.literal(name)}`,
            ),
          )
          assert.strictEqual(moved._tag, (left?.n ?? 0) > 0 ? "Failure" : "Success", name)
        }
        const put = yield* within(sql`insert into palimpsest_chats (tenant, chat) values ('other', 'late')`)
        assert.strictEqual(put._tag, "Failure")
        const taken = yield* within(sql`delete from palimpsest_messages where tenant = 'other' returning id`)
        assert.deepStrictEqual(taken._tag === "Success" ? taken.success : null, [])
      }),
    ))

  it("a store that does not tell its tenant fails closed", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const store = yield* ThreadStore
        assert.deepStrictEqual((yield* store.load(one)).rows, [])
        assert.strictEqual((yield* Effect.result(store.append(one, messages(5, 5))))._tag, "Failure")
      }).pipe(
        Effect.provide(Layer.provide(layer, clientUrl({ url: urlOf(database, role), maxConnections: 1 }))),
      ),
    ))

  it("an empty tenant is refused with the reason", () =>
    app.runPromise(
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* ThreadStore).load({ tenant: "", chat: "c" }))
        assert.include(error.message, "row-level security")
      }),
    ))

  it("the removal of a tenant leaves the others as they are", () =>
    app.runPromise(
      Effect.gen(function* () {
        yield* (yield* ThreadEditor).removeTenant("one")
        const store = yield* ThreadStore
        assert.strictEqual((yield* store.load(other)).rows.length, 2)
        assert.strictEqual((yield* Effect.result(store.load(one)))._tag, "Failure")
      }),
    ))
})

suite("tables in parts", () => {
  const database = `palimpsest_parts_${stamp}`
  const bench = ManagedRuntime.make(Layer.provideMerge(layer, clientUrl({ url: urlOf(database) })))
  const key = freshKey()

  beforeAll(async () => {
    await create(database)
    await bench.runPromise(
      Effect.gen(function* () {
        const store = yield* ThreadStore
        const sql = yield* SqlClient.SqlClient
        yield* store.append(key, messages(1, 9))
        yield* store.mark(key, summary("m3"))
        const before = yield* store.load(key)
        yield* sql.unsafe("grant select on palimpsest_messages to public")
        yield* rowSecurity(sql)
        yield* partition(sql, 4)
        yield* partition(sql, 4)
        assert.deepStrictEqual(yield* store.load(key), before)
      }),
    )
  })
  afterAll(async () => {
    await bench.dispose()
    await drop(database)
  })

  for (const { name, run } of [...storeContract, ...portsContract, ...factContract]) {
    it(name, () => bench.runPromise(run))
  }
  catalogSuite(bench)
  tablesSuite(bench)

  it("keep their names, keys, indexes, grants and policies", () =>
    bench.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const indexes = (relkind: string) => sql<{ name: string; columns: string }>`
          select c.relname::text as name, pg_get_indexdef(c.oid) as columns
          from pg_class c join pg_index i on i.indexrelid = c.oid join pg_class t on t.oid = i.indrelid
          where t.relname like 'palimpsest%' and not t.relispartition and t.relkind = ${relkind} order by 1`
        const names = (yield* indexes("p")).map(({ name }) => name)
        assert.includeMembers(names, [
          ...["palimpsest_cuts", "palimpsest_mark_ids", "palimpsest_mark_places", "palimpsest_message_ids"],
          ...["palimpsest_messages_pkey", "palimpsest_marks_pkey", "palimpsest_sources"],
        ])
        const parts = yield* sql`
          select 1 as one from pg_class where relispartition and relkind = 'r' and relname like 'palimpsest_messages_%'`
        assert.strictEqual(parts.length, 4)
        const policies =
          yield* sql`select tablename::text from pg_policies where policyname = 'palimpsest_tenant'`
        assert.strictEqual(policies.length, tenantTables.length)
        const [granted] = yield* sql<{ is: boolean }>`
          select has_table_privilege('public', 'palimpsest_messages', 'select') as is`
        assert.isTrue(granted?.is)
      }),
    ))

  it("a number of parts that is none is refused", () =>
    bench.runPromise(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const parts of [0, -1, 1.5, Number.NaN]) {
          assert.strictEqual((yield* Effect.flip(partition(sql, parts)))._tag, "StoreError")
        }
      }),
    ))
})
