import { atEnd, encodeText, layer, tablesVersion, windowStatement } from "@palimpsest/adapter-pg"
import { ThreadStore } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { type Bench, freshKey, message, messages, summary } from "./Damage.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly Plans?: ReadonlyArray<Plan>
}

const nodes = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

const rowsRead = (node: Plan): number =>
  node["Actual Loops"] *
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))

/** The scans of tables that a load does, and how many rows they read. */
const scans = (sql: SqlClient.SqlClient, key: { readonly tenant: string; readonly chat: string }) =>
  Effect.gen(function* () {
    const request = { tenant: encodeText(key.tenant), chat: encodeText(key.chat), ...atEnd }
    const [row] = yield* sql<{ "QUERY PLAN": unknown }>`
      explain (analyze, format json) ${windowStatement(sql, request)}`
    const found = row?.["QUERY PLAN"]
    const [top] = (typeof found === "string" ? JSON.parse(found) : found) as ReadonlyArray<{
      readonly Plan: Plan
    }>
    const tables =
      top === undefined ? [] : nodes(top.Plan).filter((node) => node["Relation Name"] !== undefined)
    const inThread = tables.filter((node) => node["Relation Name"] !== "palimpsest_chats")
    const messages = tables.filter((node) => node["Relation Name"] === "palimpsest_messages")
    const rows = inThread.reduce((sum, node) => sum + rowsRead(node), 0)
    return { rows, kinds: new Set(messages.map((node) => node["Node Type"])) }
  })

export const tablesSuite = (bench: Bench) =>
  describe("tables", () => {
    it("STORE-03 payloads are JSON objects and never JSON strings", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const sql = yield* SqlClient.SqlClient
          const key = freshKey()
          yield* store.append(key, [message(1, "NUL \u0000 and \ud800")])
          yield* store.mark(key, summary("m1"))
          const kinds = yield* sql`
            select json_typeof(payload::json) as kind from palimpsest_messages where chat = ${key.chat}
            union all select json_typeof(payload::json) from palimpsest_marks where chat = ${key.chat}`
          assert.deepStrictEqual(kinds, [{ kind: "object" }, { kind: "object" }])
          const text = yield* sql`
            select payload::jsonb->'parts'->0->>'text' as text from palimpsest_messages where chat = ${key.chat}`
          assert.deepStrictEqual(text, [{ text: encodeText("NUL \u0000 and \ud800") }])
        }),
      ))

    it("a load reads its window through indexes, however old the thread is", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const sql = yield* SqlClient.SqlClient
          const read = (size: number) =>
            Effect.gen(function* () {
              const key = freshKey()
              for (let i = 100; i <= size; i += 100) {
                yield* store.append(key, messages(i - 99, i))
                yield* store.mark(key, summary(`m${i - 20}`))
              }
              yield* sql`analyze palimpsest_messages`
              yield* sql`analyze palimpsest_marks`
              return yield* scans(sql, key)
            })
          const young = yield* read(500)
          const old = yield* read(8000)
          assert.isFalse(old.kinds.has("Seq Scan"), [...old.kinds].join())
          assert.isAtMost(old.rows, young.rows + 2)
          assert.isAtMost(old.rows, 60)
        }),
      ))

    it("a reading that cannot be read is left out, and its row is sent", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const sql = yield* SqlClient.SqlClient
          const key = freshKey()
          const [row] = yield* store.append(key, messages(1, 1))
          for (const bad of ["not JSON", "{}", '{"real":"x"}', '{"real":1e999}', "null"]) {
            yield* sql`update palimpsest_messages set usage = ${bad} where chat = ${key.chat}`
            const thread = yield* store.load(key)
            assert.deepStrictEqual(thread.rows, row === undefined ? [] : [row])
            assert.deepStrictEqual(thread.faults, [])
          }
        }),
      ))

    it("starting again changes nothing; tables of a newer version are refused", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const start = Effect.scoped(Layer.build(Layer.fresh(layer)))
          yield* start
          yield* sql`insert into palimpsest_versions (version) values (${tablesVersion + 1})`
          const refused = yield* Effect.result(start)
          yield* sql`delete from palimpsest_versions where version = ${tablesVersion + 1}`
          assert.strictEqual(refused._tag, "Failure")
          if (refused._tag === "Failure") {
            assert.strictEqual(refused.failure._tag, "StoreError")
            assert.isFalse(refused.failure.isRetryable)
            assert.include(refused.failure.message, `${tablesVersion + 1}`)
          }
          yield* start
        }),
      ))
  })
