/** What becomes of the errors of a database, without one. */

import { PgClient } from "@effect/sql-pg"
import { make } from "@palimpsest/adapter-pg"
import type { StoreError, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { assert, describe, it } from "vitest"

type Reason = SqlError.SqlErrorReason

const { ConnectionError, DeadlockError, SerializationError, StatementTimeoutError, UnknownError } = SqlError

const fieldsOf = (code: string | undefined) => ({
  cause: Object.assign(new Error("with content of a row"), code === undefined ? {} : { code }),
})

const unknown = (code?: string): Reason => new UnknownError(fieldsOf(code))

/** A client of a database that fails so many times, and then finds nothing; and how often it was asked. */
const failing = (reason: Reason, times: number) => {
  const asked = { count: 0 }
  const answer = () =>
    Effect.suspend(() => {
      asked.count += 1
      return asked.count > times ? Effect.succeed([]) : Effect.fail(new SqlError.SqlError({ reason }))
    })
  const connection: SqlConnection.Connection = {
    execute: answer,
    executeRaw: answer,
    executeValues: answer,
    executeValuesUnprepared: answer,
    executeUnprepared: answer,
    executeStream: () => {
      throw new Error("nothing is streamed")
    },
  }
  const client = SqlClient.make({
    acquirer: Effect.succeed(connection),
    compiler: PgClient.makeCompiler(),
    spanAttributes: [],
  }).pipe(Effect.provide(Reactivity.layer))
  return { asked, client }
}

const key = { tenant: "t", chat: "c" }

/** One look-up on such a database. */
const outcome = (reason: Reason, times = Number.POSITIVE_INFINITY) => {
  const { asked, client } = failing(reason, times)
  const look = (store: ThreadStore["Service"]) => Effect.result(store.draft(key, "none"))
  return Effect.runPromise(
    Effect.scoped(Effect.flatMap(client, (sql) => look(make(sql)))).pipe(
      Effect.map((result) => ({
        tries: asked.count,
        error: result._tag === "Failure" ? result.failure : null,
      })),
    ),
  )
}

const errorOf = async (reason: Reason): Promise<StoreError> => {
  const { error } = await outcome(reason)
  if (error === null) throw new Error("it went well")
  return error
}

const OFTEN: ReadonlyArray<readonly [string, Reason]> = [
  ["a broken socket", new ConnectionError(fieldsOf("EPIPE"))],
  ["a refused connection", new ConnectionError(fieldsOf(undefined))],
  ["a pooler that gives up", new ConnectionError(fieldsOf("08P01"))],
  ["a deadlock", new DeadlockError(fieldsOf("40P01"))],
  ["a serialization failure", new SerializationError(fieldsOf("40001"))],
  ["a lock that is not had", unknown("55P03")],
  ["an unknown end of a statement", unknown("40003")],
  ["too many connections", unknown("53300")],
  ["a shutdown", unknown("57P01")],
  ["a crash", unknown("57P02")],
  ["a start", unknown("57P03")],
  ["a session that rested", unknown("57P05")],
  ["a transaction that rested", unknown("25P03")],
]

const ONCE: ReadonlyArray<readonly [string, Reason]> = [
  ["a statement that takes too long", new StatementTimeoutError(fieldsOf("57014"))],
  ["a transaction that takes too long", unknown("25P04")],
  ["a row that was written twice", new SqlError.UniqueViolation({ ...fieldsOf("23505"), constraint: "k" })],
]

const LATER = ["25006", "53100", "53200"]

const NEVER = ["26000", "42P05", "28000", "28P01", "3D000", "42501", "42P01"]

describe("errors of a database", () => {
  it("that pass are tried ten times in all, and may be tried again", async () => {
    const outcomes = await Promise.all(OFTEN.map(([, reason]) => outcome(reason)))
    for (const [i, { tries, error }] of outcomes.entries()) {
      assert.strictEqual(tries, 10, OFTEN[i]?.[0])
      assert.strictEqual(error?.isRetryable, true, OFTEN[i]?.[0])
    }
  })

  it("that passed while they were tried are not seen", async () => {
    const [first] = OFTEN
    assert.isDefined(first)
    const statements = (await outcome(first[1], 0)).tries
    for (const [name, reason] of OFTEN)
      assert.deepStrictEqual(await outcome(reason, 2), { tries: 2 + statements, error: null }, name)
    for (const [name, reason] of ONCE)
      assert.deepStrictEqual(await outcome(reason, 1), { tries: 1 + statements, error: null }, name)
  })

  it("whose tries are dear are tried twice, and may be tried again", async () => {
    for (const [name, reason] of ONCE) {
      const { tries, error } = await outcome(reason)
      assert.strictEqual(tries, 2, name)
      assert.isTrue(error?.isRetryable, name)
    }
  })

  it("that pass when somebody acts are said at once, with what to do, and may be tried again", async () => {
    for (const code of LATER) {
      const { tries, error } = await outcome(unknown(code))
      assert.strictEqual(tries, 1, code)
      assert.isTrue(error?.isRetryable, code)
      assert.isString(error?.remedy, code)
    }
  })

  it("that do not pass are said at once, with what to do", async () => {
    for (const code of NEVER) {
      const { tries, error } = await outcome(unknown(code))
      assert.strictEqual(tries, 1, code)
      assert.isFalse(error?.isRetryable, code)
      assert.isString(error?.remedy, code)
    }
  })

  it("that are not known are named by their SQLSTATE", async () => {
    assert.include((await errorOf(unknown("XX000"))).message, "XX000")
    assert.include((await errorOf(unknown())).message, "UnknownError")
  })

  it("never show what the database says of them: it may quote a row", async () => {
    for (const reason of [unknown("XX000"), unknown(), new StatementTimeoutError(fieldsOf("57014"))])
      assert.notInclude((await errorOf(reason)).message, "content of a row")
  })
})
