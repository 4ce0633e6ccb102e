/** On a Postgres server: at each event, on both sides of it, and twice in a row. */
import { clientUrl, layer } from "@palimpsest/adapter-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { differencesOf, eachOf, type Place, play } from "./KillAtEach.ts"
import type { Death } from "./Life.ts"
import { LONG } from "./Script.ts"

const url = process.env.DATABASE_URL
if (url === undefined) console.log("DATABASE_URL is not set: nothing is killed on a server")

/** Each lane has a database of its own, so that the same chat is played in several places at once. */
const LANES = 4

/** A second death in the life that follows the first: in the turn that is tried again, and a while later. */
const twice = (events: number): ReadonlyArray<ReadonlyArray<Death>> =>
  Array.from({ length: Math.floor(events / 5) }, (_, i) => [
    { at: 1 + i * 5, side: i % 2 === 0 ? "after" : "before" },
    { at: 1 + ((i * 7) % 40), side: i % 3 === 0 ? "after" : "before" },
  ])

const inLane = (address: string, lane: number) =>
  Effect.gen(function* () {
    const aside = yield* SqlClient.SqlClient
    const place: Place = {
      // A pool of its own for each life. It is closed at once, so that the server finds its connections gone.
      client: clientUrl({ url: address, maxConnections: 2 }),
      hangUp: () => Effect.void,
      aside,
    }
    const twin = yield* play(place, LONG, [])
    const once = eachOf(twin, ["before", "after"])
    const mine = [...once, ...twice(twin.events.length)].filter((_, i) => i % LANES === lane)
    return { twin, deaths: once.length, differences: yield* differencesOf(place, LONG, twin, mine) }
  }).pipe(
    Effect.provide(Layer.provideMerge(layer, Layer.fresh(clientUrl({ url: address, maxConnections: 1 })))),
  )

const run = (server: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lane = (number: number) => {
      const name = `palimpsest_crash_${process.pid}_${number}`
      const address = Object.assign(new URL(server), { pathname: `/${name}` }).href
      return Effect.acquireUseRelease(
        sql.unsafe(`create database ${name}`),
        () => inLane(address, number),
        () => Effect.orDie(sql.unsafe(`drop database if exists ${name} with (force)`)),
      )
    }
    return yield* Effect.all(
      Array.from({ length: LANES }, (_, number) => lane(number)),
      { concurrency: "unbounded" },
    )
  }).pipe(Effect.provide(Layer.fresh(clientUrl({ url: server, maxConnections: 1 }))))

describe.skipIf(url === undefined)("a chat that is killed, on Postgres", () => {
  it("goes on as if it had never been, wherever and however often it is killed", async () => {
    const lanes = await Effect.runPromise(run(url ?? ""))
    const [first] = lanes
    assert.isDefined(first)
    const { twin, deaths } = first
    console.log(
      `${deaths} deaths at ${twin.events.length} events, and ${twice(twin.events.length).length} pairs`,
    )
    for (const kind of ["prune", "reset", "recall"]) assert.include(twin.kinds, kind)
    assert.isAtLeast(twin.kinds.filter((kind) => kind === "summary").length, 2)
    assert.isAtLeast(twin.kinds.filter((kind) => kind === "message").length, 30)
    for (const lane of lanes) assert.strictEqual(lane.twin.rows, twin.rows)
    assert.deepStrictEqual(
      lanes.flatMap((lane) => lane.differences),
      [],
    )
  }, 900_000)
})
