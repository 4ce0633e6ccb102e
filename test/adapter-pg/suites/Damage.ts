import type { StorePorts } from "@palimpsest/adapter-pg"
import { emptySummary, type ThreadKey, user } from "@palimpsest/core"
import type { NewMark, NewMessage } from "@palimpsest/core/engine"
import { ThreadStore } from "@palimpsest/core/engine"
import { Effect, type ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"

/** A store with the client beneath it, so that tests can damage rows. */
export type Bench = ManagedRuntime.ManagedRuntime<StorePorts | SqlClient.SqlClient, unknown>

let count = 0
export const freshKey = (): ThreadKey => ({
  tenant: "bench",
  chat: `chat ${++count} of ${process.pid} ${Date.now()}`,
})

export const message = (i: number, text = `text ${i}`): NewMessage => ({
  id: `m${i}`,
  message: user(text),
  tokens: 3,
  tokenizer: "t",
})

export const messages = (from: number, to: number): ReadonlyArray<NewMessage> =>
  Array.from({ length: to - from + 1 }, (_, i) => message(from + i))

export const summary = (anchor: string, text = `up to ${anchor}`): NewMark => ({
  kind: "summary",
  id: `s/${anchor}`,
  anchor,
  revision: 0,
  summary: emptySummary,
  text,
  tokens: 2,
  tokenizer: "t",
  head: [],
  carry: [],
  pass: {
    ...{ cause: "trigger", before: 2, after: 1, rows: 1, digest: "", generation: 1, outcome: "host" },
    ...{ model: "", policy: "", weak: 0, fallbacks: 0 },
  } as const,
})

/** Two cuts, at m3 and m6, over ten messages. */
const twoCuts = Effect.gen(function* () {
  const store = yield* ThreadStore
  const sql = yield* SqlClient.SqlClient
  const key = freshKey()
  yield* store.append(key, messages(1, 10))
  yield* store.mark(key, summary("m3"))
  yield* store.mark(key, summary("m6"))
  return { store, sql, key }
})

const BAD_PAYLOADS = ["not JSON", "null", "{}", "[1]", '{"summary":{"items":"x"}}', '"text"', ""]

export const damageSuite = (bench: Bench) =>
  describe("damaged rows", () => {
    for (const bad of BAD_PAYLOADS) {
      it(`STORE-12 a summary whose payload is ${JSON.stringify(bad)} is passed over for the one before it`, () =>
        bench.runPromise(
          Effect.gen(function* () {
            const { store, sql, key } = yield* twoCuts
            yield* sql`update palimpsest_marks set payload = ${bad} where chat = ${key.chat} and id = 's/m6'`
            const thread = yield* store.load(key)
            assert.strictEqual(thread.cut?.id, "s/m3")
            assert.deepStrictEqual(
              thread.rows.map((row) => row.id),
              ["m4", "m5", "m6", "m7", "m8", "m9", "m10"],
            )
            assert.deepStrictEqual(
              thread.faults.map(({ row, kind }) => [row, kind]),
              [["s/m6", "summary"]],
            )
            // A new cut is compared with the live one, not with the damaged one.
            const outcome = yield* store.mark(key, summary("m5"))
            assert.strictEqual(outcome._tag, "Written")
            const again = yield* Effect.result(store.mark(key, summary("m6")))
            assert.strictEqual(again._tag === "Failure" ? again.failure._tag : "adopted", "RowError")
          }),
        ))
    }

    it("STORE-12 with every cut damaged the whole thread is read", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { store, sql, key } = yield* twoCuts
          yield* sql`update palimpsest_marks set payload = '{"v":"x"}' where chat = ${key.chat}`
          const thread = yield* store.load(key)
          assert.strictEqual(thread.cut, null)
          assert.strictEqual(thread.rows.length, 10)
          assert.strictEqual(thread.faults.length, 2)
        }),
      ))

    it("STORE-14 a cut whose anchor is gone is passed over without loss", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { store, sql, key } = yield* twoCuts
          yield* sql`delete from palimpsest_messages where chat = ${key.chat} and id = 'm6'`
          const thread = yield* store.load(key)
          assert.strictEqual(thread.cut?.id, "s/m3")
          assert.strictEqual(thread.rows.length, 6)
          assert.deepStrictEqual(
            thread.faults.map((fault) => fault.row),
            ["s/m6"],
          )
        }),
      ))

    it("a damaged message is left out and named; the others are read", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { store, sql, key } = yield* twoCuts
          yield* sql`update palimpsest_messages set payload = '{"role":"robot"}'
            where chat = ${key.chat} and id in ('m2', 'm8')`
          const thread = yield* store.load(key)
          assert.deepStrictEqual(
            thread.rows.map((row) => row.id),
            ["m7", "m9", "m10"],
          )
          assert.deepStrictEqual(
            thread.faults.map((fault) => fault.row),
            ["m8"],
          )
          const page = yield* store.page(key, 0, 100)
          assert.deepStrictEqual(
            page.faults.map((fault) => fault.row),
            ["m2", "m8"],
          )
          const row = yield* Effect.result(store.row(key, "m2"))
          assert.strictEqual(row._tag === "Failure" ? row.failure._tag : "read", "RowError")
        }),
      ))

    it("a mark of a kind of a newer version survives, and is named", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { store, sql, key } = yield* twoCuts
          yield* sql`insert into palimpsest_marks
            (tenant, chat, time, position, rank, revision, seq, id, kind, anchor, payload)
            values (${key.tenant}, ${key.chat}, 10, 7, 9, 0, 50, 'n', 'branch', 'm7', '{"kind":"summary"}')`
          const thread = yield* store.load(key)
          assert.strictEqual(thread.cut?.id, "s/m6")
          assert.strictEqual(thread.rows.length, 4)
          assert.deepStrictEqual(
            thread.faults.map(({ row, kind }) => [row, kind]),
            [["n", "branch"]],
          )
          yield* store.mark(key, summary("m9"))
          const kinds = yield* sql`select kind from palimpsest_marks where chat = ${key.chat} and id = 'n'`
          assert.deepStrictEqual(kinds, [{ kind: "branch" }])
        }),
      ))
  })
