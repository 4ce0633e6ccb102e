/** A database in which chats are killed, and what can be seen in it from aside. */
import { make, makeEditor, makeLeases } from "@palimpsest/adapter-pg"
import { Leases, type StoreError, ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { Effect, type Layer, Schedule } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"
import type { HangUp } from "./DyingClient.ts"
import type { Life } from "./Life.ts"
import { TENANT } from "./Script.ts"

export interface Place {
  /** The client of one life: what it holds ends with it. */
  readonly client: Layer.Layer<SqlClient.SqlClient, StoreError>
  readonly hangUp: HangUp
  /** A client of nobody who dies, to look at what is stored. */
  readonly aside: SqlClient.SqlClient
  /** Whether connections are the server's own, so that it finds out by itself that a process is gone. */
  readonly isServer: boolean
  /** Gets ready for a life that may die in the middle of a message. Returns how many messages it sent so far. */
  readonly arm: (life: Life) => () => number
}

/** The ports over a client whose tables are there. */
export const portsOver = (client: SqlClient.SqlClient) => ({
  threads: make(client),
  editor: makeEditor(client),
  leases: makeLeases(client),
})

/** Gives an effect the ports over a client. */
export const onPorts = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  client: SqlClient.SqlClient,
): Effect.Effect<A, E, Exclude<Exclude<Exclude<R, ThreadStore>, ThreadEditor>, Leases>> => {
  const { threads, editor, leases } = portsOver(client)
  return effect.pipe(
    Effect.provideService(ThreadStore, threads),
    Effect.provideService(ThreadEditor, editor),
    Effect.provideService(Leases, leases),
  )
}

interface Column {
  readonly table: string
  readonly column: string
}

/** Times differ from play to play, and who holds a lease is chance. Whether a tenant is known yet is nothing yet. */
const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.unsafe<Column>(`select table_name::text as table, column_name::text as column
    from information_schema.columns
    where table_schema = current_schema() and table_name like 'palimpsest%'
      and table_name not in ('palimpsest_versions', 'palimpsest_leases', 'palimpsest_tenants')
      and data_type not like 'timestamp%'
    order by table_name, ordinal_position`)

/** Makes the statement that reads every row of the tenant in every table, as one text. */
const dumpStatement = Effect.fnUntraced(function* ({ aside }: Place) {
  const columns = yield* columnsOf(aside)
  const tables = [...new Set(columns.map(({ table }) => table))]
  const parts = tables.map((table) => {
    const mine = columns.filter((one) => one.table === table).map(({ column }) => column)
    return `'${table}: ' || coalesce((select string_agg(row_to_json(t)::text, ' ' order by row_to_json(t)::text)
      from (select ${mine.join(", ")} from ${table} where tenant = '${TENANT}') as t), '')`
  })
  return `select concat_ws(chr(10), ${parts.join(", ")}) as dump`
})

/** Makes the reader of everything that is stored: through a connection, or from aside. */
export const makeDump = Effect.fnUntraced(function* (place: Place) {
  const statement = yield* dumpStatement(place)
  return (connection: SqlConnection.Connection | null) =>
    Effect.map(
      connection === null
        ? place.aside.unsafe(statement)
        : connection.executeUnprepared(statement, [], undefined),
      (rows) => JSON.stringify(rows),
    )
})

/** Each play has the same keys, so that every id and every byte can be compared. */
export const wipe = ({ aside }: Place) =>
  Effect.gen(function* () {
    const tables = yield* aside.unsafe<{ table: string }>(`select distinct table_name::text as table
      from information_schema.columns
      where table_schema = current_schema() and table_name like 'palimpsest%' and column_name = 'tenant'`)
    for (const { table } of tables) yield* aside.unsafe(`delete from ${table} where tenant = '${TENANT}'`)
  })

/** Time passes until the leases of whoever died are over. */
export const outliveLeases = ({ aside }: Place) =>
  aside.unsafe(`update palimpsest_leases set until = 'epoch' where tenant = '${TENANT}'`)

/** Waits until the server has found out that the connections of a dead process are gone. */
export const settle = ({ aside, isServer }: Place) =>
  isServer
    ? aside
        .unsafe<{ others: number }>(
          "select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
        )
        .pipe(
          Effect.repeat({
            until: ([row]) => (row?.others ?? 0) === 0,
            schedule: Schedule.spaced("2 millis"),
          }),
          Effect.timeout("5 seconds"),
          Effect.orDie,
          Effect.asVoid,
        )
    : Effect.void

/** The open connections of processes, by the number that the server gives them. */
const connections = ({ aside }: Place) =>
  aside.unsafe<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
  )

/**
 * Ends the connections that are open now, a while later: by then the next process waits for what they hold. A server
 * does so by its own clock (`idle_in_transaction_session_timeout`, keep-alives).
 */
export const endLater = Effect.fnUntraced(function* (place: Place) {
  const open = yield* connections(place)
  const end = Effect.forEach(open, ({ pid }) => place.aside.unsafe(`select pg_terminate_backend(${pid})`))
  return yield* Effect.forkScoped(Effect.delay(end, "60 millis"))
})
