/**
 * The tables, forward only: each step is run once, whoever comes first.
 *
 * @since 0.1.0
 */
import { StoreError } from "@palimpsest/core/engine"
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { step1 } from "./migrations/Step1.ts"
import { step3 } from "./migrations/Step3.ts"
import { step4 } from "./migrations/Step4.ts"
import { step5 } from "./migrations/Step5.ts"
import { step6 } from "./migrations/Step6.ts"

/** Key of the advisory lock under which the tables are changed: the library's name as a number. */
export const LOCK = 811_104_201

/** Rows of before have no reading of their prompt. */
const step2 = ["alter table palimpsest_messages add column usage text"]

const STEPS: ReadonlyArray<ReadonlyArray<string>> = [step1, step2, step3, step4, step5, step6]

/**
 * The version of the tables that this code reads and writes.
 *
 * @category migrations
 * @since 0.1.0
 */
export const tablesVersion = STEPS.length

const refuse = (reason: string) => new StoreError({ operation: "migrate", reason, isRetryable: false })

const versionOf = (sql: SqlClient) =>
  Effect.map(
    sql<{ version: number }>`select coalesce(max(version), 0) as version from palimpsest_versions`,
    ([row]) => row?.version ?? 0,
  )

const currentVersion = (sql: SqlClient) =>
  Effect.gen(function* () {
    const [row] = yield* sql<{
      there: boolean
    }>`select to_regclass('palimpsest_versions') is not null as there`
    return row?.there === true ? yield* versionOf(sql) : 0
  })

const refuseNewer = (version: number) =>
  version > tablesVersion
    ? Effect.fail(
        refuse(
          `the tables are of version ${version}, and this code knows ${tablesVersion}: update @palimpsest/adapter-pg`,
        ),
      )
    : Effect.void

const refuseEncoding = (sql: SqlClient) =>
  Effect.gen(function* () {
    const rows = yield* sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`
    const encoding = rows[0]?.encoding
    if (encoding === "UTF8") return
    yield* Effect.fail(refuse(`the database is encoded in ${encoding}: create it with encoding UTF8`))
  })

const runSteps = (sql: SqlClient, from: number) =>
  Effect.gen(function* () {
    yield* refuseEncoding(sql)
    for (const [i, statements] of STEPS.entries()) {
      if (i + 1 <= from) continue
      for (const statement of statements) yield* sql.unsafe(statement)
      yield* sql`insert into palimpsest_versions (version) values (${i + 1})`
    }
  })

/**
 * Brings the tables to the version of this code. Any number of processes may start at once; tables of a newer
 * version are refused.
 *
 * @category migrations
 * @since 0.1.0
 */
export const migrate = (sql: SqlClient): Effect.Effect<void, StoreError | SqlError> =>
  Effect.gen(function* () {
    const before = yield* currentVersion(sql)
    yield* refuseNewer(before)
    if (before === tablesVersion) return
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`select pg_advisory_xact_lock(${LOCK}::int8)::text`
        // Before the version is asked for: a lookup alone may answer from a cache that is older than the lock.
        yield* sql`create table if not exists palimpsest_versions (
          version integer primary key, at timestamptz not null default now())`
        const version = yield* versionOf(sql)
        yield* refuseNewer(version)
        if (version < tablesVersion) yield* runSteps(sql, version)
      }),
    )
  })
