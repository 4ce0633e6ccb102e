/** Kills a process at each statement of the migration, and lets another one bring the tables up to date. */
import { migrate } from "@palimpsest/adapter-pg"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dyingClient } from "./DyingClient.ts"
import type { Difference } from "./KillAtEach.ts"
import { type Death, newLife } from "./Life.ts"
import { type Place, settle } from "./Place.ts"

const dropAll = ({ aside }: Place) =>
  Effect.gen(function* () {
    const tables = yield* aside.unsafe<{ name: string }>(
      "select tablename::text as name from pg_tables where schemaname = current_schema() and tablename like 'palimpsest%'",
    )
    for (const { name } of tables) yield* aside.unsafe(`drop table ${name} cascade`)
  })

/** Tables, indexes and versions, as one text. */
const shapeOf = ({ aside }: Place) =>
  Effect.gen(function* () {
    const columns =
      yield* aside.unsafe(`select table_name::text, column_name::text, data_type::text, column_default::text
      from information_schema.columns where table_schema = current_schema() and table_name like 'palimpsest%'
      order by 1, 2`)
    const indexes = yield* aside.unsafe(
      "select indexdef::text from pg_indexes where schemaname = current_schema() and tablename like 'palimpsest%' order by 1",
    )
    const versions =
      columns.length === 0
        ? []
        : yield* aside.unsafe("select version from palimpsest_versions order by version")
    return JSON.stringify([columns, indexes, versions])
  })

const migrating = (place: Place, death: Death | null) =>
  Effect.gen(function* () {
    const life = newLife(death)
    const sent = place.arm(life)
    const context = yield* Layer.build(Layer.fresh(place.client))
    const real = yield* Effect.provide(SqlClient.SqlClient, context)
    const client = yield* dyingClient(real, life, place.hangUp)
    const exit = yield* Effect.exit(Effect.withSpan(migrate(client), "PgThreadStore.migrate"))
    if (Exit.isFailure(exit) && !life.isDead) return yield* Effect.failCause(exit.cause)
    return { life, messages: sent() }
  }).pipe(Effect.scoped)

/** Every death of a migration of an empty database: how many there are, and what went wrong. */
export const migrationDeaths = Effect.fnUntraced(function* (place: Place, every = 1) {
  yield* dropAll(place)
  const empty = yield* shapeOf(place)
  const { life: twin } = yield* migrating(place, null)
  const whole = yield* shapeOf(place)
  const deaths = twin.events
    .flatMap(
      (_, i): ReadonlyArray<Death> => [
        { at: i + 1, side: "before" },
        { at: i + 1, side: "after" },
      ],
    )
    .filter((_, i) => i % every === 0)
  const differences: Array<Difference> = []
  for (const death of deaths) {
    yield* dropAll(place)
    yield* migrating(place, death)
    yield* settle(place)
    const left = yield* shapeOf(place)
    const isHalf = left !== empty && left !== whole
    yield* migrating(place, null)
    const isOther = (yield* shapeOf(place)) !== whole
    const deaths = [`${death.side} ${death.at}: ${twin.events[death.at - 1]?.name ?? ""}`]
    if (isHalf) differences.push({ deaths, kind: "migration", what: "half of the tables are there" })
    if (isOther) differences.push({ deaths, kind: "migration", what: "the tables are others" })
  }
  return { deaths: deaths.length, statements: twin.events.length, differences }
})
