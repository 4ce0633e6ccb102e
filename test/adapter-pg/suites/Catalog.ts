/** What the catalog of the database says about our tables: the list is read from it, so that later ones are caught. */

import { exportTables, unexportedTables } from "@palimpsest/adapter-pg"
import type { ThreadKey } from "@palimpsest/core"
import { BlobStore, type Fact, FactStore, Leases, ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { readText } from "../../architecture/Source.ts"
import { type Bench, freshKey, message, messages, summary } from "./Damage.ts"

/** Our tables that have a column of a name; parts of a table count as the table. */
const tablesWith = (column: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ name: string }>`
      select c.relname::text as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.oid::regclass::text like 'palimpsest%' and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = ${column} and not a.attisdropped
      order by 1`
    return rows.map(({ name }) => name)
  })

const countIn = (column: "tenant" | "chat", value: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const full: Array<string> = []
    for (const name of yield* tablesWith(column)) {
      const rows =
        yield* sql`select from ${sql.literal(name)} where ${sql.literal(column)} = ${value} limit 1`
      if (rows.length > 0) full.push(name)
    }
    return full
  })

const factIn = ({ chat }: ThreadKey, attribute: string): Fact => ({
  ...{ id: `f ${attribute}`, owner: "ada", chat, subject: "user", attribute, value: "v", quote: "q" },
  ...{ row: "m5", position: 5, at: 5 },
})
/** The index of long-term memory, which fills its tables later than the store does. */
const fillIndex = ({ tenant, chat }: ThreadKey) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`insert into palimpsest_documents (tenant, chat, position, piece, owner, source, role, text, terms, length, at)
      values (${tenant}, ${chat}, 1, 0, '', 'm1', 'user', 'text', '', 1, 0)`
    yield* sql`insert into palimpsest_vectors (tenant, chat, position, piece, space, owner, role, at)
      values (${tenant}, ${chat}, 1, 0, 1, '', 'user', 0)`
    yield* sql`insert into palimpsest_extents (tenant, owner, documents, length) values (${tenant}, '', 1, 1)`
    yield* sql`insert into palimpsest_spaces (tenant, name, dimensions, is_live) values (${tenant}, 'n', 3, true)`
  })

/** Puts a row into every table. */
const fillAll = Effect.gen(function* () {
  const store = yield* ThreadStore
  const editor = yield* ThreadEditor
  const key = { ...freshKey(), tenant: `catalog ${Math.random()}` }
  yield* store.append(key, messages(1, 6))
  yield* store.mark(key, summary("m2"))
  yield* store.fail(key, { anchor: "m3", stage: "check", reason: "r", tokens: 1 })
  yield* store.saveDraft(key, "d", "draft")
  yield* editor.rewind(key, "m5")
  yield* editor.edit(key, message(4, "edited"))
  yield* (yield* BlobStore).put(key, [{ id: "b", text: "blob" }])
  yield* (yield* Leases).claim(key, { name: "n", holder: "h" }, 1000)
  const facts = yield* FactStore
  yield* facts.put(key, [factIn(key, "forgotten"), factIn(key, "kept")])
  yield* facts.forget({ tenant: key.tenant, owner: "ada", attribute: "forgotten" })
  yield* fillIndex(key)
  return { key, editor }
})

export const catalogSuite = (bench: Bench) =>
  describe("the catalog", () => {
    it("every unique key of a table of tenants starts with the tenant, and of chats with tenant and chat", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const keys = yield* sql<{ name: string; columns: string }>`
            select i.indrelid::regclass::text as name,
              (select string_agg(a.attname, ',' order by k.n)
                from unnest(i.indkey) with ordinality as k(column_number, n)
                join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.column_number) as columns
            from pg_index i join pg_class c on c.oid = i.indrelid
            where i.indisunique and c.oid::regclass::text like 'palimpsest%' and not c.relispartition`
          const ofTenants = yield* tablesWith("tenant")
          const ofChats = yield* tablesWith("chat")
          assert.includeMembers(
            keys.map(({ name }) => name),
            [...ofTenants],
          )
          for (const { name, columns } of keys) {
            if (ofTenants.includes(name)) assert.strictEqual(columns.split(",")[0], "tenant", name)
            if (ofChats.includes(name)) assert.strictEqual(columns.split(",")[1], "chat", name)
          }
        }),
      ))

    it("every table but that of versions belongs to tenants", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const all = yield* sql<{ name: string }>`
            select oid::regclass::text as name from pg_class
            where oid::regclass::text like 'palimpsest%' and relkind in ('r', 'p') and not relispartition`
          const ofTenants = yield* tablesWith("tenant")
          assert.deepStrictEqual(
            all.map(({ name }) => name).filter((name) => !ofTenants.includes(name)),
            ["palimpsest_versions"],
          )
        }),
      ))

    it("every table is handed out with its owner, or said to hold nothing of what was said", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const named = [...exportTables.map(({ table }) => table), ...unexportedTables]
          const own = ["palimpsest_owners", "palimpsest_tenants"]
          assert.deepStrictEqual([...named, ...own].sort(), yield* tablesWith("tenant"))
        }),
      ))

    it("the page on Citus distributes each of them", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const page = readText("docs/citus.md")
          const named = [...page.matchAll(/create_distributed_table\('(\w+)', 'tenant'/g)].map(
            ([, name]) => name,
          )
          assert.deepStrictEqual(named.toSorted(), yield* tablesWith("tenant"))
        }),
      ))

    it("a chat that is removed leaves its name, and nothing else in any table", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { key, editor } = yield* fillAll
          assert.deepStrictEqual(yield* countIn("chat", key.chat), yield* tablesWith("chat"))
          yield* editor.remove(key)
          assert.deepStrictEqual(yield* countIn("chat", key.chat), ["palimpsest_chats"])
        }),
      ))

    it("a tenant that is removed leaves its name, and nothing else in any table", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { key, editor } = yield* fillAll
          assert.deepStrictEqual(yield* countIn("tenant", key.tenant), yield* tablesWith("tenant"))
          yield* editor.removeTenant(key.tenant)
          assert.deepStrictEqual(yield* countIn("tenant", key.tenant), ["palimpsest_tenants"])
        }),
      ))
  })
