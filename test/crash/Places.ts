/** The databases in which chats are killed: PGlite in this process, or one of its own on a server. */
import { clientUrl, layer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isOfWire, type Life } from "./Life.ts"
import type { Place } from "./Place.ts"
import { startWire, type Wire } from "./Wire.ts"

/** One instance, and one session, which outlives each process: it is told what a server finds out by itself. */
const onPglite = Effect.map(
  SqlClient.SqlClient,
  (aside): Place => ({
    client: Layer.succeed(SqlClient.SqlClient, aside),
    hangUp: (connection) => Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined)),
    aside,
    isServer: false,
    arm: () => () => 0,
  }),
)

/** Runs something on PGlite. */
export const withPglite = <A, E>(run: (place: Place) => Effect.Effect<A, E>) =>
  Effect.provide(Effect.flatMap(onPglite, run), Layer.provideMerge(layer, clientMemory))

const armed =
  (wire: Wire) =>
  (life: Life): (() => number) => {
    const { death } = life
    wire.arm(death !== null && isOfWire(death) ? death.at : null, () => {
      if (death?.side === "torn") life.isDead = true
    })
    return wire.messages
  }

const placeOn = (address: string, wire: Wire) => {
  const through = Object.assign(new URL(address), {
    hostname: "127.0.0.1",
    port: String(wire.port),
  }).href
  return Effect.map(
    SqlClient.SqlClient,
    (aside): Place => ({
      // A pool of its own for each life. It is closed at once, so that the server finds its connections gone.
      client: clientUrl({ url: through, maxConnections: 2 }),
      hangUp: () => Effect.void,
      aside,
      isServer: true,
      arm: armed(wire),
    }),
  )
}

const inDatabase = <A, E>(server: string, name: string, run: (place: Place) => Effect.Effect<A, E>) => {
  const address = Object.assign(new URL(server), { pathname: `/${name}` })
  const aside = Layer.fresh(clientUrl({ url: address.href, maxConnections: 1 }))
  return Effect.acquireUseRelease(
    Effect.promise(() => startWire(address.hostname, Number(address.port || 5432))),
    (wire) =>
      Effect.provide(Effect.flatMap(placeOn(address.href, wire), run), Layer.provideMerge(layer, aside)),
    (wire) => Effect.sync(() => wire.close()),
  )
}

/** Runs something in so many databases of their own at once, so that the same chat is played in several places. */
export const withServer = <A, E>(
  server: string,
  lanes: number,
  run: (place: Place, lane: number) => Effect.Effect<A, E>,
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const one = (lane: number) => {
      const name = `palimpsest_crash_${process.pid}_${lane}`
      return Effect.acquireUseRelease(
        sql.unsafe(`create database ${name}`),
        () => inDatabase(server, name, (place) => run(place, lane)),
        () => Effect.orDie(sql.unsafe(`drop database if exists ${name} with (force)`)),
      )
    }
    return yield* Effect.all(
      Array.from({ length: lanes }, (_, lane) => one(lane)),
      { concurrency: "unbounded" },
    )
  }).pipe(Effect.provide(Layer.fresh(clientUrl({ url: server, maxConnections: 1 }))))
