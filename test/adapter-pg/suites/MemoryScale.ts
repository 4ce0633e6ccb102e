import { makeMemoryIndex } from "@palimpsest/adapter-pg"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { type Node, workOf } from "../../commands/scale/Plan.ts"
import { probe, type Seen } from "../../commands/scale/Probe.ts"
import { freshTenant, indexWith, letters, type MemoryBench, say } from "./Memory.ts"

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const rowsOf = (seen: ReadonlyArray<Seen>): number =>
  seen.reduce((sum, { plan }) => sum + workOf(plan).rows, 0)

const indexesOf = (seen: ReadonlyArray<Seen>) =>
  new Set(seen.flatMap(({ plan }) => nodesOf(plan).flatMap((node) => node["Index Name"] ?? [])))

/** Tables that are read from one end to the other; of others' rows they would be, too. */
const readWhole = (seen: ReadonlyArray<Seen>): ReadonlyArray<string> =>
  seen.flatMap(({ plan }) =>
    nodesOf(plan).flatMap((node) =>
      node["Node Type"] === "Seq Scan" && /documents|vectors|chats|messages/.test(node["Relation Name"] ?? "")
        ? [node["Relation Name"] ?? ""]
        : [],
    ),
  )

/** Chats of a tenant that are indexed already, with documents and vectors, all of which say the same. */
const fillChats = (sql: SqlClient.SqlClient, tenant: string, owner: string, chats: number) =>
  Effect.gen(function* () {
    yield* sql`insert into palimpsest_chats (tenant, chat, owner, system, next_position, indexed, is_stale)
      select ${tenant}, ${owner} || i, ${owner}, '', 11, 10, false from generate_series(1, ${chats}::int4) as i`
    yield* sql`insert into palimpsest_documents
      (tenant, chat, position, piece, owner, source, role, place, text, terms, length, at)
      select ${tenant}, ${owner} || i / 10, i % 10 + 1, 0, ${owner}, 'm' || i, 'user', i % 10 + 1, 'filler',
        to_tsvector('simple', 'filler' || i % 100), 2, i
      from generate_series(10, ${chats * 10}::int4) as i`
    yield* sql`insert into palimpsest_vectors
      (tenant, chat, position, piece, space, owner, role, at, is_ready, embedding)
      select d.tenant, d.chat, d.position, d.piece, s.space, d.owner, d.role, d.at, true,
        ('[' || array_to_string(array(select (d.at * k)::int8 % 17 + 1 from generate_series(1, 26) as k), ',') || ']')::halfvec
      from palimpsest_documents as d join palimpsest_spaces as s on s.tenant = d.tenant
      where d.tenant = ${tenant} and d.owner = ${owner} and d.text = 'filler'`
  })

/** Messages of a long chat. */
const LONG = 400

/** What a search and a run of the indexer read, on tables that hold much of others. */
export const memoryScaleSuite = (bench: MemoryBench) =>
  describe("what long-term memory reads", () => {
    // Nothing analyses the tables of PGlite, nor those of a server before many rows have come.
    it("follows what has the words, also while nothing is known of the tables", () =>
      bench.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const tenant = freshTenant()
            const index = makeMemoryIndex(sql, (text) => text, { both: null, lacking: null })
            const many = Array.from({ length: LONG }, (_, i) => `Stone ${i} lies in the river.`)
            yield* say(tenant, "long", many)
            while ((yield* index.index(tenant)).left);
            const asked = { tenant, owner: "", query: "a stone in the river", limit: 20 }
            const search = yield* probe(sql, "custom", index.search(asked))
            // Each has two of the words, and six neighbours.
            assert.isAtMost(rowsOf(search), LONG * 60)
          }),
        ),
      ))

    it("follows what is asked for and what is new, not the size of the tables", () =>
      bench.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const [tenant, other] = [freshTenant(), freshTenant()]
            const { service } = letters()
            const index = yield* indexWith(service)
            for (const one of [tenant, other]) {
              yield* say(one, "first", ["The zebra sleeps.", "It dreams."], 1, "ann")
              yield* index.index(one)
              yield* fillChats(sql, one, "bob", 1500)
            }
            yield* fillChats(sql, tenant, "ann", 20)
            for (const table of ["chats", "messages", "documents", "vectors", "spaces", "extents"])
              yield* sql.unsafe(`analyze palimpsest_${table}`)
            const lacking = { both: null, lacking: null }
            yield* say(tenant, "bobs", ["The zebra sleeps.", "It dreams."], 1, "bob")
            yield* index.index(tenant)
            const cases = [
              { owner: "ann", vectors: { both: { embedder: service, previous: null } }, most: 2500 },
              { owner: "bob", vectors: lacking, most: 1000 },
            ]
            const used = new Set<string>()
            for (const { owner, vectors, most } of cases) {
              const one = makeMemoryIndex(sql, (text) => text, vectors)
              const asked = { tenant, owner, query: "zebra", limit: 5 }
              const search = yield* probe(sql, "custom", one.search(asked))
              assert.deepStrictEqual(readWhole(search), [])
              assert.isAtMost(rowsOf(search), most)
              for (const name of indexesOf(search)) used.add(name)
            }
            for (const name of ["document_terms", "document_places", "vector_scopes"])
              assert.isTrue(used.has(`palimpsest_${name}`), `${name}: ${[...used].join()}`)
            const inside = makeMemoryIndex(sql, (text) => text, lacking)
            yield* say(tenant, "first", ["A zebra again."], 3, "ann")
            const run = yield* probe(sql, "custom", inside.index(tenant, { rows: 10 }))
            assert.deepStrictEqual(readWhole(run), [])
            assert.isTrue(indexesOf(run).has("palimpsest_stale_chats"))
            assert.isAtMost(rowsOf(run), 500)
          }),
        ),
      ))
  })
