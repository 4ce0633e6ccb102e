/**
 * On PGlite, in one instance, on a short chat, at one event in some: `npm run crash` dies at each, before and after it,
 * and twice in a row; on a server in the middle of a message too.
 */
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { atEach, oneIn, twice } from "./Histories.ts"
import { differencesOf, play } from "./KillAtEach.ts"
import { migrationDeaths } from "./Migrating.ts"
import type { Place } from "./Place.ts"
import { withPglite } from "./Places.ts"
import { SHORT } from "./Script.ts"
import { STEPS } from "./Steps.ts"

const run = Effect.fnUntraced(function* (place: Place) {
  const migrations = yield* migrationDeaths(place, 19)
  const twin = yield* play(place, SHORT, [])
  const histories = [...oneIn(53, atEach(twin, ["before", "after"])), ...oneIn(29, twice(twin))]
  return { twin, histories, migrations, differences: yield* differencesOf(place, SHORT, twin, histories) }
})

describe("a chat that is killed, on PGlite", () => {
  it("goes on as if it had never been, wherever it is killed", async () => {
    const { twin, histories, migrations, differences } = await Effect.runPromise(withPglite(run))
    console.log(`${histories.length} deaths at ${twin.events.length} events`)
    for (const step of STEPS)
      assert.include(
        twin.events.map(({ kind }) => kind),
        step,
      )
    assert.deepStrictEqual([...differences, ...migrations.differences], [])
  }, 300_000)
})
