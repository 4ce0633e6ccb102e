/**
 * Whether vectors can be kept: the extension is looked for, made where it may be, and the column of the vectors added.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { LOCK } from "../Migrations.ts"

/** The first version that goes on looking while a filter takes documents away. */
const LEAST: readonly [number, number] = [0, 8]

const versionOf = (sql: SqlClient) =>
  Effect.map(
    sql<{ version: string }>`select extversion as version from pg_extension where extname = 'vector'`,
    ([row]) => row?.version ?? null,
  )

const isRecent = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])
}

const hasColumn = (sql: SqlClient) =>
  Effect.map(
    sql`select from pg_attribute
      where attrelid = 'palimpsest_vectors'::regclass and attname = 'embedding' and not attisdropped`,
    (rows) => rows.length > 0,
  )

const addColumn = (sql: SqlClient) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(${LOCK}::int8)::text`
      yield* sql`alter table palimpsest_vectors add column if not exists embedding halfvec`
    }),
  )

const makeExtension = (sql: SqlClient) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`select pg_advisory_xact_lock(${LOCK}::int8)::text`
      yield* sql`create extension if not exists vector`
    }),
  )

const BY_WORDS = "searched by words alone"

/**
 * Prepares a database whose tables are there for vectors. It answers null, or why there are none and what to do.
 *
 * @category constructors
 * @since 0.1.0
 */
export const preparePgVector = (sql: SqlClient): Effect.Effect<string | null, SqlError> =>
  Effect.gen(function* () {
    if ((yield* versionOf(sql)) === null) {
      yield* Effect.ignore(makeExtension(sql))
    }
    const version = yield* versionOf(sql)
    if (version === null) {
      return `${BY_WORDS}: the database has no pgvector. Install it on the server, and run \`create extension vector\` there`
    }
    if (!isRecent(version)) {
      return `${BY_WORDS}: pgvector ${version} is older than ${LEAST.join(".")}. Install a newer one, and run \`alter extension vector update\``
    }
    if (yield* hasColumn(sql)) return null
    yield* Effect.ignore(addColumn(sql))
    return (yield* hasColumn(sql))
      ? null
      : `${BY_WORDS}: this role may not change the table palimpsest_vectors. Run \`alter table palimpsest_vectors add column embedding halfvec\` as its owner`
  })
