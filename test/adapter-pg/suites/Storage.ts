import { toolResult, user } from "@palimpsest/core"
import { type NewMessage, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { type Bench, freshKey, message, messages } from "./Damage.ts"

/** Bytes that only a text keeps: an order of keys, a key twice, spellings of numbers, blanks. */
const SENT = '{"b": 1.0, "a":12345678901234567890, "a":2e1, "signature":"c2ln\\/"}'

const sent: NewMessage = { ...message(1), raw: { format: "anthropic", text: SENT } }

/** What the database itself makes of a JSON text in a column of type `jsonb`; null when it refuses it. */
const asJsonb = (text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const result = yield* Effect.result(sql<{ text: string }>`select (${text}::jsonb)::text as text`)
    return result._tag === "Success" ? (result.success[0]?.text ?? null) : null
  })

/** Appends messages, and reads them again. */
const stored = (...batch: ReadonlyArray<NewMessage>) =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    const key = freshKey()
    yield* store.append(key, batch)
    return { key, rows: (yield* store.load(key)).rows }
  })

const textsOf = (batch: ReadonlyArray<NewMessage>) => batch.map((each) => each.message)

/** Rules of Postgres that messages meet: each is kept, and what it is needed for is shown by the database itself. */
export const storageSuite = (bench: Bench) =>
  describe("what Postgres does to messages", () => {
    it("PG1 accepts: a NUL comes back, from a text and from a result", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const batch = [
            { ...message(1), message: user("a\u0000b") },
            { ...message(2), message: toolResult("c\u0000", "\u0000") },
          ]
          const { rows } = yield* stored(...batch)
          assert.deepStrictEqual(
            rows.map((row) => row.kind === "message" && row.message),
            textsOf(batch),
          )
        }),
      ))

    it("PG1 refuses: the database takes no NUL, so none is sent to it", () =>
      bench.runPromise(
        Effect.gen(function* () {
          assert.strictEqual(yield* asJsonb('"a\\u0000"'), null)
          const { key } = yield* stored(message(1, "a\u0000b"))
          const sql = yield* SqlClient.SqlClient
          const [row] = yield* sql<{ payload: string }>`
            select payload from palimpsest_messages where chat = ${key.chat}`
          assert.notInclude(row?.payload, "\u0000")
          assert.notInclude(row?.payload, "\\u0000")
        }),
      ))

    it("PG2 accepts: halves of characters come back", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const batch = ["\ud83d", "x\ude00", "\ude00\ud83d", "😀"].map((text, i) => message(i, text))
          const { rows } = yield* stored(...batch)
          assert.deepStrictEqual(
            rows.map((row) => row.kind === "message" && row.message),
            textsOf(batch),
          )
        }),
      ))

    it("PG2 refuses: the database takes no half of a character, and none is changed in silence", () =>
      bench.runPromise(
        Effect.gen(function* () {
          assert.strictEqual(yield* asJsonb('"\\ud83d"'), null)
          const { rows } = yield* stored(message(1, "\ud83d"), message(2, "\ufffd"), message(3, "?"))
          const texts = rows.map((row) => JSON.stringify(row.kind === "message" && row.message))
          assert.strictEqual(new Set(texts).size, 3)
        }),
      ))

    it("PG3 accepts: what came is kept byte for byte", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { rows } = yield* stored(sent)
          assert.deepStrictEqual(
            rows.map((row) => row.kind === "message" && row.raw?.text),
            [SENT],
          )
        }),
      ))

    it("PG3 refuses: jsonb would keep other bytes, and no column of ours is of that type", () =>
      bench.runPromise(
        Effect.gen(function* () {
          assert.notStrictEqual(yield* asJsonb(SENT), SENT)
          const sql = yield* SqlClient.SqlClient
          const columns = yield* sql`
            select table_name::text, column_name::text from information_schema.columns
            where table_name like 'palimpsest%' and data_type = 'jsonb'`
          assert.deepStrictEqual(columns, [])
        }),
      ))

    it("PG5 accepts: rows of one moment are read in the order in which they were appended", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { key } = yield* stored(...messages(1, 9))
          const sql = yield* SqlClient.SqlClient
          yield* sql`update palimpsest_messages set created_at = 'epoch' where chat = ${key.chat}`
          const { rows } = yield* (yield* ThreadStore).load(key)
          assert.deepStrictEqual(
            rows.map(({ id }) => id),
            messages(1, 9).map(({ id }) => id),
          )
        }),
      ))

    it("PG5 refuses: a clock that goes back changes no order", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const { key } = yield* stored(...messages(1, 9))
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            update palimpsest_messages set created_at = now() - position * interval '1 day'
            where chat = ${key.chat}`
          const byTime = yield* sql<{ id: string }>`
            select id from palimpsest_messages where chat = ${key.chat} order by created_at`
          const store = yield* ThreadStore
          const { rows } = yield* store.load(key)
          assert.notDeepEqual(
            byTime.map(({ id }) => id),
            rows.map(({ id }) => id),
          )
          assert.deepStrictEqual((yield* store.page(key, 0, 20)).rows, rows)
          assert.strictEqual(rows.at(-1)?.id, "m9")
        }),
      ))
  })
