import { clientUrl } from "@palimpsest/adapter-pg"
import { Effect, type Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, it } from "vitest"

/** A server on which the store is shown. */
export interface Server {
  readonly name: string
  /** Where clients go. */
  readonly address: string
  /** Where databases are made: a pooler would keep connections to those that are dropped. */
  readonly direct: string
  /** Why it is not here; printed once, instead of its tests. */
  readonly lacking: string | null
}

const { DATABASE_URL, POOLED_DATABASE_URL, VECTOR_DATABASE_URL } = process.env

const NONE = "postgres://none"

const server = (name: string, variable: string, script: string, address = NONE, direct = address): Server => {
  const lacking =
    address === NONE || direct === NONE
      ? `skipped: ${name}: ${variable} names no server; ${script} starts one`
      : null
  if (lacking !== null) console.log(lacking)
  return { name, address, direct, lacking }
}

export const plain = server("a server", "DATABASE_URL", "`.ci/postgres`", DATABASE_URL)

export const withVector = server(
  "a server with pgvector",
  "VECTOR_DATABASE_URL",
  "`.ci/postgres-vector`",
  VECTOR_DATABASE_URL,
)

export const pooled = server(
  "a server behind a pooler in transaction mode",
  "POOLED_DATABASE_URL (beside DATABASE_URL)",
  "`.ci/pgbouncer`",
  POOLED_DATABASE_URL,
  DATABASE_URL ?? NONE,
)

export const servers: ReadonlyArray<Server> = [plain, withVector, pooled]

/** Tests of a server; where it is not here, they are skipped, and why was printed. */
export const describeOn = (server: Server, name: string, body: () => void): void => {
  describe.skipIf(server.lacking !== null)(name, body)
}

/** One test that needs a server beside that of its suite. */
export const itOn = (server: Server, name: string, body: () => Promise<void>): void => {
  it.skipIf(server.lacking !== null)(name, body)
}

const at = (address: string, database: string, role?: string): string => {
  const url = new URL(address)
  url.pathname = `/${database}`
  if (role !== undefined) url.username = role
  return url.href
}

/** The address of one of its databases, through the pooler where there is one. */
export const urlOf = ({ address }: Server, database: string, role?: string): string =>
  at(address, database, role)

/** Runs something as its owner, past the pooler. */
export const admin = <A>(
  { direct }: Server,
  run: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>,
  database = "postgres",
): Promise<A> =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(SqlClient.SqlClient, run),
      clientUrl({ url: at(direct, database), maxConnections: 1 }),
    ),
  )

export const create = (at: Server, database: string, options = "encoding 'UTF8' locale 'C'") =>
  admin(at, (sql) => sql.unsafe(`create database ${database} template template0 ${options}`))

export const drop = (at: Server, database: string) =>
  admin(at, (sql) => sql.unsafe(`drop database if exists ${database} with (force)`))

let made = 0

/** A name for a database of this run alone. */
export const freshName = (): string => `palimpsest_${process.pid}_${Date.now()}_${++made}`

/** Makes a database for the tests of a suite, and runs over it; both end with them. */
export const databaseOn = <R, E>(server: Server, layerOf: (url: string) => Layer.Layer<R, E>) => {
  const database = freshName()
  const url = urlOf(server, database)
  const bench = ManagedRuntime.make(layerOf(url))
  beforeAll(() => create(server, database))
  afterAll(async () => {
    await bench.dispose()
    await drop(server, database)
  })
  return { database, url, bench }
}
