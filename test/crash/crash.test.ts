/**
 * On PGlite, in one instance, on a short chat, at each event: to die after one is the same there as to die before the
 * next, since the instance and what is outside outlive each process. Both sides, and a longer chat: on a server.
 */
import { layer } from "@palimpsest/adapter-pg"
import { clientMemory } from "@palimpsest/adapter-pg/pglite"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { differencesOf, eachOf, type Place, play } from "./KillAtEach.ts"
import { SHORT } from "./Script.ts"

const run = Effect.gen(function* () {
  const aside = yield* SqlClient.SqlClient
  const place: Place = {
    client: Layer.succeed(SqlClient.SqlClient, aside),
    // There is one session, which outlives each process: it is told what a server finds out by itself.
    hangUp: (connection) => Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined)),
    aside,
  }
  const twin = yield* play(place, SHORT, [])
  const histories = eachOf(twin, ["before"])
  return { twin, histories, differences: yield* differencesOf(place, SHORT, twin, histories) }
})

describe("a chat that is killed, on PGlite", () => {
  it("goes on as if it had never been, wherever it is killed", async () => {
    const { twin, histories, differences } = await Effect.runPromise(
      Effect.provide(run, Layer.provideMerge(layer, clientMemory)),
    )
    console.log(`${histories.length} deaths at ${twin.events.length} events`)
    for (const kind of ["prune", "reset", "recall"]) assert.include(twin.kinds, kind)
    assert.isAtLeast(twin.kinds.filter((kind) => kind === "summary").length, 2)
    assert.isAbove(twin.world.facts.length, 1)
    assert.deepStrictEqual(differences, [])
  }, 300_000)
})
