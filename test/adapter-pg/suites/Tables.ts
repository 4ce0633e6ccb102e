import { atEnd, encodeText, layer, tablesVersion, windowStatement } from "@palimpsest/adapter-pg"
import { bytesRead, rowsRead as readRows, ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { Effect, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { type Bench, freshKey, message, messages, summary } from "./Damage.ts"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly Plans?: ReadonlyArray<Plan>
}

const nodes = (plan: Plan): ReadonlyArray<Plan> => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

/** A part counts as the table that it is of. */
const tableOf = (node: Plan): string | undefined => node["Relation Name"]?.replace(/_\d+$/, "")

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
    // A part that holds nothing of the chat is planned, and never read.
    const isRead = (node: Plan) => node["Relation Name"] !== undefined && node["Actual Loops"] > 0
    const tables = top === undefined ? [] : nodes(top.Plan).filter(isRead)
    const inThread = tables.filter((node) => tableOf(node) !== "palimpsest_chats")
    const messages = tables.filter((node) => tableOf(node) === "palimpsest_messages")
    const rows = inThread.reduce((sum, node) => sum + rowsRead(node), 0)
    const reads = inThread.map(
      (node) => `${rowsRead(node)} of ${node["Relation Name"]} by ${node["Index Name"] ?? "none"}`,
    )
    return { rows, reads: reads.join(), kinds: new Set(messages.map((node) => node["Node Type"])) }
  })

/** Rows of other chats: a planner reads a table of one page without an index, and is right. */
const fillOthers = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const { tenant, chat } = freshKey()
    yield* sql`insert into palimpsest_messages (tenant, chat, position, id, payload, tokens, tokenizer)
      select ${tenant}, ${chat} || i / 50, i, 'm' || i, '{}', 1, 'none' from generate_series(1, 5000) as i`
    yield* sql`insert into palimpsest_marks
      (tenant, chat, time, position, rank, revision, seq, id, kind, anchor, payload)
      select ${tenant}, ${chat} || i / 50, i, i, 2, 0, i, 's' || i, 'summary', 'm' || i, '{}'
      from generate_series(1, 5000) as i`
    yield* sql`insert into palimpsest_stretches (tenant, chat, low, high, source)
      select ${tenant}, ${chat} || i / 5, i, i + 1, ${chat} from generate_series(1, 5000) as i`
    yield* sql`insert into palimpsest_failures (tenant, chat, time, position, seq, anchor, stage, reason, tokens)
      select ${tenant}, ${chat} || i / 5, i, i, i, 'm', 'check', 'r', 1 from generate_series(1, 5000) as i`
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

    it("STORE-04 a row is found by a path into its payload, whatever driver wrote it", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const sql = yield* SqlClient.SqlClient
          const key = freshKey()
          yield* store.append(key, [message(1, "hi"), message(2, '[{"text":"hi"}]'), message(3, '"hi"')])
          const found = yield* sql`
            select id from palimpsest_messages
            where chat = ${key.chat} and payload::jsonb->'parts'->0->>'text' = 'hi'`
          assert.deepStrictEqual(found, [{ id: "m1" }])
        }),
      ))

    it("a load reads its window through indexes, however old the thread is", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const sql = yield* SqlClient.SqlClient
          yield* fillOthers(sql)
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

    it("a load after rewinds and forks touches no hidden row, with statistics and without", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const editor = yield* ThreadEditor
          const sql = yield* SqlClient.SqlClient
          const key = freshKey()
          yield* fillOthers(sql)
          yield* store.append(key, messages(1, 100))
          yield* store.mark(key, summary("m90"))
          for (let branch = 1; branch <= 5; branch++) {
            yield* store.append(key, messages(branch * 1000, branch * 1000 + 799))
            const { revision } = yield* store.load(key)
            yield* store.mark(key, { ...summary(`m${branch * 1000 + 790}`), revision })
            yield* editor.rewind(key, "m100")
          }
          yield* store.append(key, messages(9000, 9004))
          const fork = yield* editor.fork(key, `${key.chat}, forked`)
          yield* store.append(fork, messages(9500, 9504))
          for (const statistics of ["none", "fresh"]) {
            for (const table of ["chats", "messages", "marks", "failures", "stretches"]) {
              const name = `palimpsest_${table}`
              if (statistics === "fresh") yield* sql.unsafe(`analyze ${name}`)
              else {
                yield* sql`delete from pg_statistic where starelid = ${name}::regclass`
                yield* sql`update pg_class set reltuples = -1, relpages = 0 where oid = ${name}::regclass`
              }
            }
            for (const [one, window] of [
              [key, 15],
              [fork, 20],
            ] as const) {
              const seen = yield* scans(sql, one)
              assert.strictEqual((yield* store.load(one)).rows.length, window)
              assert.isFalse(seen.kinds.has("Seq Scan"), `${statistics}: ${seen.reads}`)
              // The stretches are read too, a few by each look-up, and the mark that cuts, with its anchor.
              assert.isAtMost(seen.rows, window + 20, `${statistics}: ${seen.reads}`)
            }
          }
        }),
      ))

    it("metrics tell how many rows and bytes were read: those of the window, and nothing older", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const store = yield* ThreadStore
          const key = freshKey()
          const counted = Effect.gen(function* () {
            yield* store.load(key)
            const attributes = { operation: "load" }
            return [
              Number((yield* Metric.value(Metric.withAttributes(readRows, attributes))).count),
              Number((yield* Metric.value(Metric.withAttributes(bytesRead, attributes))).count),
            ] as const
          })
          const fresh = Effect.suspend(() => Effect.provideService(counted, Metric.MetricRegistry, new Map()))
          yield* store.append(key, messages(1, 40))
          const whole = yield* fresh
          yield* store.mark(key, summary("m38"))
          const window = yield* fresh
          assert.strictEqual(whole[0], 41)
          assert.strictEqual(window[0], 4)
          assert.isBelow(window[1], whole[1] / 3)
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
