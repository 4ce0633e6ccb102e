/** On a Postgres server: some of the deaths of `npm run crash --url`, of each sort. */
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { atEach, late, oneIn, onTheWire, orphans, twice } from "./Histories.ts"
import { differencesOf, play } from "./KillAtEach.ts"
import { migrationDeaths } from "./Migrating.ts"
import type { Place } from "./Place.ts"
import { withServer } from "./Places.ts"
import { SHORT } from "./Script.ts"
import { STEPS } from "./Steps.ts"

const url = process.env.DATABASE_URL
if (url === undefined) console.log("DATABASE_URL is not set: nothing is killed on a server")

const run = Effect.fnUntraced(function* (place: Place) {
  const migrations = yield* migrationDeaths(place, 7)
  const twin = yield* play(place, SHORT, [])
  const histories = [
    ...oneIn(61, atEach(twin, ["before", "after"])),
    ...oneIn(23, twice(twin)),
    ...oneIn(31, orphans(twin)),
    ...oneIn(23, late(twin)),
    ...oneIn(501, onTheWire(twin, "torn"), 250),
    ...oneIn(501, onTheWire(twin, "cut")),
  ]
  const differences = yield* differencesOf(place, SHORT, twin, histories)
  return { twin, histories, differences: [...migrations.differences, ...differences] }
})

describe.skipIf(url === undefined)("a chat that is killed, on Postgres", () => {
  it("goes on as if it had never been, wherever it is killed", async () => {
    const [told] = await Effect.runPromise(withServer(url ?? "", 1, run))
    assert.isDefined(told)
    console.log(`${told.histories.length} deaths at ${told.twin.events.length} events`)
    for (const step of STEPS)
      assert.include(
        told.twin.events.map(({ kind }) => kind),
        step,
      )
    assert.deepStrictEqual(told.differences, [])
  }, 300_000)
})
