/** A client whose process dies at one statement: before the database sees it, or after, with the answer lost. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlConnection } from "effect/sql"
import { SqlClient } from "effect/sql"
import { event, type Life } from "./Life.ts"

type Connection = SqlConnection.Connection

/** What ends the transaction of a dead process where its connection outlives it. */
export type HangUp = (connection: Connection) => Effect.Effect<void>

/** What a statement writes, or how it begins. */
const nameOf = (sql: string): string =>
  /insert into palimpsest_\w+/.exec(sql)?.[0] ?? sql.trim().replace(/\s+/g, " ").slice(0, 50)

const mortal = (connection: Connection, life: Life, hangUp: HangUp): Connection => {
  const over = <A, E>(sql: string, run: Effect.Effect<A, E>) =>
    event(life, nameOf(sql), run, hangUp(connection))
  return {
    ...connection,
    execute: (sql, params, transform) => over(sql, connection.execute(sql, params, transform)),
    executeRaw: (sql, params) => over(sql, connection.executeRaw(sql, params)),
    executeValues: (sql, params) => over(sql, connection.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) => over(sql, connection.executeValuesUnprepared(sql, params)),
    executeUnprepared: (sql, params, transform) =>
      over(sql, connection.executeUnprepared(sql, params, transform)),
  }
}

/** A client over a real one, for one life of a process. */
export const dyingClient = (real: SqlClient.SqlClient, life: Life, hangUp: HangUp) =>
  SqlClient.make({
    acquirer: Effect.map(real.reserve, (connection) => mortal(connection, life, hangUp)),
    compiler: PgClient.makeCompiler(),
    spanAttributes: [],
  }).pipe(Effect.provide(Reactivity.layer))
