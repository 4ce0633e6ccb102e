/** A client whose process dies at one statement: before the database sees it, or after, with the answer lost. */
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlConnection } from "effect/sql"
import { SqlClient } from "effect/sql"

type Connection = SqlConnection.Connection

/** Where the process dies: at which statement, and on which side of it. */
export interface Death {
  readonly at: number
  readonly side: "before" | "after"
}

/** What a process did until it died, or ended. */
export interface Life {
  /** Statements so far. */
  statements: number
  isDead: boolean
}

/** The process is gone: nothing catches this. */
export class Killed extends Error {
  override readonly name = "Killed"
}

const die = Effect.die(new Killed("the process was killed"))

/** The server rolls back what a dead connection had begun. */
const hangUp = (connection: Connection) =>
  Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined))

const mortal = (connection: Connection, death: Death | null, life: Life): Connection => {
  const over = <A, E>(run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      if (life.isDead) return die
      life.statements += 1
      if (life.statements !== death?.at) return run
      life.isDead = true
      const until = death.side === "before" ? Effect.void : Effect.ignore(run)
      return until.pipe(Effect.andThen(hangUp(connection)), Effect.andThen(die))
    })
  return {
    ...connection,
    execute: (sql, params, transform) => over(connection.execute(sql, params, transform)),
    executeRaw: (sql, params) => over(connection.executeRaw(sql, params)),
    executeValues: (sql, params) => over(connection.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) => over(connection.executeValuesUnprepared(sql, params)),
    executeUnprepared: (sql, params, transform) => over(connection.executeUnprepared(sql, params, transform)),
  }
}

/** A client over a real one, for one life of a process. */
export const dyingClient = (real: SqlClient.SqlClient, death: Death | null, life: Life) =>
  SqlClient.make({
    acquirer: Effect.map(real.reserve, (connection) => mortal(connection, death, life)),
    compiler: PgClient.makeCompiler(),
    spanAttributes: [],
  }).pipe(Effect.provide(Reactivity.layer))
