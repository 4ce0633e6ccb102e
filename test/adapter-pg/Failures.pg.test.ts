/** What a database does to a store in its bad hours, each provoked on a real server. */
import { layerUrl, type ServerOptions } from "@palimpsest/adapter-pg"
import { type StoreError, ThreadStore } from "@palimpsest/core/engine"
import { Deferred, Effect, Fiber } from "effect"
import type { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, it } from "vitest"
import { freshKey, messages } from "./suites/Damage.ts"
import { admin, create, describeOn, drop, freshName, plain, urlOf } from "./suites/Servers.ts"

type Key = ReturnType<typeof freshKey>

const database = freshName()
const role = `${database}_few`
const url = urlOf(plain, database)

const asOwner = (...statements: ReadonlyArray<string>) =>
  Effect.promise(() =>
    admin(
      plain,
      (sql) =>
        Effect.forEach(statements, (statement) => sql.unsafe(statement), {
          discard: true,
        }),
      database,
    ),
  )

/** Runs something on a store with connections of its own. */
const on = <A>(
  options: Partial<ServerOptions>,
  run: (store: ThreadStore["Service"]) => Effect.Effect<A, unknown>,
): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(ThreadStore, run), layerUrl({ url, ...options })))

/** Another session that holds something in a transaction, until it is told to let go. */
const holding = (hold: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const held = yield* Deferred.make<void>()
    const letGo = yield* Deferred.make<void>()
    const session = Effect.promise(() =>
      admin(
        plain,
        (sql) =>
          sql.withTransaction(
            hold(sql).pipe(
              Effect.andThen(Deferred.succeed(held, undefined)),
              Effect.andThen(Deferred.await(letGo)),
            ),
          ),
        database,
      ),
    )
    const fiber = yield* Effect.forkDetach(session)
    yield* Deferred.await(held)
    return Effect.andThen(Deferred.succeed(letGo, undefined), Fiber.join(fiber))
  })

const lockOf = (key: Key) =>
  holding((sql) => sql`select from palimpsest_chats where chat = ${key.chat} for update`)

const failureOf = <A>(run: Effect.Effect<A, unknown>): Effect.Effect<StoreError> =>
  Effect.map(Effect.flip(run), (error) => error as StoreError).pipe(
    Effect.catchCause(() => Effect.die(new Error("it went well"))),
  )

const idsIn = (store: ThreadStore["Service"], key: Key) =>
  Effect.map(store.page(key, 0, 99), ({ rows }) => rows.map(({ id }) => id))

/** Sets something for sessions that begin from now on, while a test runs. */
const withSetting = async (setting: string, value: string, run: () => Promise<void>) => {
  const set = (text: string) => admin(plain, (sql) => sql.unsafe(`alter database ${database} ${text}`))
  await set(`set ${setting} = '${value}'`)
  await run().finally(() => set(`reset ${setting}`))
}

describeOn(plain, "failures of a server", () => {
  beforeAll(async () => {
    await create(plain, database)
    await on({}, () => Effect.void)
    await Effect.runPromise(
      asOwner(
        `create role ${role} login connection limit 1`,
        `grant all on all tables in schema public to ${role}`,
      ),
    )
  })
  afterAll(async () => {
    await drop(plain, database)
    await admin(plain, (sql) => sql.unsafe(`drop role ${role}`))
  })

  it("a statement that takes too long is tried once more, and then said; nothing of it is written", () =>
    withSetting("statement_timeout", "200ms", () =>
      on({}, (store) =>
        Effect.gen(function* () {
          const key = freshKey()
          yield* store.append(key, messages(1, 1))
          const letGo = yield* lockOf(key)
          const began = Date.now()
          const error = yield* failureOf(store.append(key, messages(2, 3)))
          assert.isBelow(Date.now() - began, 3_500)
          yield* letGo
          assert.isTrue(error.isRetryable)
          assert.include(error.reason, "took too long")
          assert.include(error.message, "statement_timeout")
          assert.deepStrictEqual(yield* idsIn(store, key), ["m1"])
          yield* store.append(key, messages(2, 3))
          assert.deepStrictEqual(yield* idsIn(store, key), ["m1", "m2", "m3"])
        }),
      ),
    ))

  it("a lock that is not had in time is asked for again", () =>
    withSetting("lock_timeout", "50ms", () =>
      on({}, (store) =>
        Effect.gen(function* () {
          const key = freshKey()
          yield* store.append(key, messages(1, 1))
          const letGo = yield* lockOf(key)
          const append = yield* Effect.forkDetach(store.append(key, messages(2, 2)))
          yield* Effect.sleep("400 millis")
          yield* letGo
          yield* Fiber.join(append)
          assert.deepStrictEqual(yield* idsIn(store, key), ["m1", "m2"])
          const forGood = yield* lockOf(key)
          const error = yield* failureOf(store.append(key, messages(3, 3)))
          yield* forGood
          assert.include(error.reason, "kept a lock")
          assert.isTrue(error.isRetryable)
        }),
      ),
    ))

  it("a deadlock is resolved, and both sides get what they wanted", async () => {
    // The append looks for a deadlock once, when it has waited so long; the other side asks before that.
    await withSetting("deadlock_timeout", "600ms", () =>
      on({}, (store) =>
        Effect.gen(function* () {
          const key = freshKey()
          yield* store.append(key, messages(1, 1))
          const want = yield* Deferred.make<void>()
          const other = yield* holding((sql) =>
            sql`set local deadlock_timeout = '1min'`.pipe(
              Effect.andThen(sql`lock table palimpsest_messages in exclusive mode`),
              Effect.andThen(Deferred.succeed(want, undefined)),
              Effect.andThen(Effect.sleep("200 millis")),
              Effect.andThen(sql`select from palimpsest_chats where chat = ${key.chat} for update`),
            ),
          ).pipe(Effect.forkDetach)
          yield* Deferred.await(want)
          const append = yield* Effect.forkDetach(store.append(key, messages(2, 2)))
          const letGo = yield* Fiber.join(other)
          yield* letGo
          yield* Fiber.join(append)
          assert.deepStrictEqual(yield* idsIn(store, key), ["m1", "m2"])
        }),
      ),
    )
    const deadlocks = () =>
      admin(
        plain,
        (sql) => sql`select deadlocks::int4 as n from pg_stat_database where datname = ${database}`,
      )
    // The count of a session is there when it has ended.
    for (let i = 0; i < 20 && (await deadlocks())[0]?.n === 0; i++)
      await new Promise((done) => setTimeout(done, 100))
    assert.deepStrictEqual(await deadlocks(), [{ n: 1 }])
  })

  it("a database that is read only still gives its threads; what cannot be written is said", () =>
    withSetting("default_transaction_read_only", "on", () =>
      on({}, (store) =>
        Effect.gen(function* () {
          const key = freshKey()
          assert.deepStrictEqual((yield* store.load(key)).rows, [])
          const error = yield* failureOf(store.append(key, messages(1, 1)))
          assert.include(error.reason, "read only")
          assert.include(error.remedy ?? "", "primary")
          assert.isTrue(error.isRetryable)
        }),
      ),
    ))

  it("a server that takes no more connections is asked again, and then said", () =>
    on({ url: urlOf(plain, database, role), maxConnections: 3 }, (store) =>
      Effect.gen(function* () {
        const keys = Array.from({ length: 6 }, freshKey)
        // One connection for all: the others of the pool are refused.
        yield* Effect.forEach(keys, (key) => store.append(key, messages(1, 2)), { concurrency: "unbounded" })
        for (const key of keys) assert.deepStrictEqual(yield* idsIn(store, key), ["m1", "m2"])
        const error = yield* Effect.promise(() =>
          Effect.runPromise(
            Effect.flip(
              Effect.provide(ThreadStore, layerUrl({ url: urlOf(plain, database, role), maxConnections: 1 })),
            ),
          ),
        )
        assert.include(error.reason, "no more connections")
        assert.include(error.remedy ?? "", "maxConnections")
        assert.isTrue(error.isRetryable)
      }),
    ))

  it("an operation ends in time, with every connection taken or the chat locked, and can be repeated", () =>
    on({ maxConnections: 1, timeout: 400 }, (store) =>
      Effect.gen(function* () {
        const key = freshKey()
        yield* store.append(key, messages(1, 1))
        const letGo = yield* lockOf(key)
        const began = Date.now()
        const errors = yield* Effect.all(
          [failureOf(store.append(key, messages(2, 3))), failureOf(store.load(key))],
          { concurrency: "unbounded" },
        )
        assert.isBelow(Date.now() - began, 1_500)
        for (const error of errors) {
          assert.include(error.reason, "400 ms")
          assert.isTrue(error.isRetryable)
        }
        yield* letGo
        yield* store.append(key, messages(2, 3))
        assert.deepStrictEqual(yield* idsIn(store, key), ["m1", "m2", "m3"])
      }),
    ))

  it("what no retry mends is said with its remedy", async () => {
    const errorOf = (options: ServerOptions) =>
      Effect.runPromise(Effect.flip(Effect.provide(ThreadStore, layerUrl({ ...options, maxConnections: 1 }))))
    const nowhere = await errorOf({ url: urlOf(plain, "palimpsest_nowhere") })
    assert.include(nowhere.message, "no such database")
    const nobody = await errorOf({ url: urlOf(plain, database, "palimpsest_nobody") })
    assert.include(nobody.message, "refused the login")
    const latin = freshName()
    await create(plain, latin, "encoding 'LATIN1' locale 'C'")
    const encoding = await errorOf({ url: urlOf(plain, latin) })
    await drop(plain, latin)
    assert.include(encoding.message, "UTF8")
    for (const error of [nowhere, nobody, encoding]) assert.isFalse(error.isRetryable)
  })

  it("a server that is not there is a StoreError that may be retried", async () => {
    const error = await Effect.runPromise(
      Effect.flip(Effect.provide(ThreadStore, layerUrl({ url: "postgres://postgres@127.0.0.1:9/none" }))),
    )
    assert.strictEqual(error._tag, "StoreError")
    assert.include(error.reason, "cannot be reached")
    assert.isTrue(error.isRetryable)
  })
})
