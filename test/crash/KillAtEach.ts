/** Kills a chat at each event, lets another process take it up, and compares what is left with a chat never killed. */
import { make, tenantTables } from "@palimpsest/adapter-pg"
import { type StoreError, ThreadStore } from "@palimpsest/core/engine"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dyingClient, type HangUp } from "./DyingClient.ts"
import { everything, playOn } from "./Host.ts"
import { type Death, type Life, newLife } from "./Life.ts"
import { KEY, type Turn } from "./Script.ts"
import { newWorld, type World } from "./World.ts"

/** A database, and how processes reach it. */
export interface Place {
  /** The client of one life: what it holds ends with it. */
  readonly client: Layer.Layer<SqlClient.SqlClient, StoreError>
  readonly hangUp: HangUp
  /** A client of nobody who dies, to look at what is stored. */
  readonly aside: SqlClient.SqlClient
}

/** What a chat left behind. */
interface Left {
  readonly rows: string
  readonly kinds: ReadonlyArray<string>
  readonly world: World
  /** Events of its first life. */
  readonly events: ReadonlyArray<string>
  /** Where each life ended that did. */
  readonly ends: ReadonlyArray<string>
  /** Rows that a process had been told are stored, and that were not there when it had died. */
  readonly lost: ReadonlyArray<string>
}

/** How a killed chat differs from one that was never killed. */
export interface Difference {
  readonly deaths: ReadonlyArray<string>
  readonly what: string
}

/** Each play has the same key, so that every id and every byte can be compared. */
const wipe = ({ aside }: Place) =>
  Effect.forEach(tenantTables, (table) => aside.unsafe(`delete from ${table} where tenant = '${KEY.tenant}'`))

const look = ({ aside }: Place) => Effect.provideService(everything, ThreadStore, make(aside))

const live = (place: Place, turns: ReadonlyArray<Turn>, world: World, death: Death | null) =>
  Effect.gen(function* () {
    const life = newLife(death)
    const client = yield* dyingClient(yield* SqlClient.SqlClient, life, place.hangUp)
    const store = Layer.succeed(ThreadStore, make(client))
    const exit = yield* Effect.exit(Effect.provide(playOn(turns, world, life), store))
    if (Exit.isFailure(exit) && !life.isDead) return yield* Effect.failCause(exit.cause)
    return life
  }).pipe(Effect.provide(Layer.fresh(place.client)))

/** Plays a chat to its end: one process after the other, each of which but the last dies. */
export const play = Effect.fnUntraced(function* (
  place: Place,
  turns: ReadonlyArray<Turn>,
  deaths: ReadonlyArray<Death>,
) {
  yield* wipe(place)
  const world = newWorld()
  const lost: Array<string> = []
  const lives: Array<Life> = []
  for (const death of [...deaths, null]) {
    lives.push(yield* live(place, turns, world, death))
    const stored = new Set((yield* look(place)).map((row) => row.id))
    lost.push(...world.acknowledged.filter((id) => !stored.has(id)))
  }
  const rows = yield* look(place)
  const kinds = rows.map((row) => row.kind)
  const ends = lives.flatMap((life) => (life.isDead ? [`${life.death?.side} ${life.events.at(-1)}`] : []))
  return {
    rows: JSON.stringify(rows),
    kinds,
    world,
    events: lives[0]?.events ?? [],
    ends,
    lost,
  } satisfies Left
})

const rowsOf = ({ world }: Left): ReadonlyArray<string> => world.facts.map((fact) => fact.row).sort()

/**
 * How often a service was asked in vain: an answer is lost with a process that dies before its draft is stored. What
 * memory answers is stored with its mark alone, and costs nothing.
 */
const lostAnswers = ({ ends }: Left, service: keyof World["asked"]): number =>
  service === "memory"
    ? ends.length
    : ends.filter(
        (end) => end === `after ${service}` || end.startsWith("before insert into palimpsest_drafts"),
      ).length

const compare = (twin: Left, killed: Left): ReadonlyArray<string> => {
  const expected = new Map(twin.world.prompts)
  const other = killed.world.prompts.filter(([turn, text]) => expected.get(turn) !== text)
  const made = new Set(killed.world.prompts.map(([turn]) => turn))
  const none = [...expected.keys()].filter((turn) => !made.has(turn))
  const services = ["summariser", "extractor", "memory"] as const
  const wasted = services.filter(
    (name) => killed.world.asked[name] > twin.world.asked[name] + lostAnswers(killed, name),
  )
  return [
    ...(killed.rows === twin.rows ? [] : ["the rows are others"]),
    ...other.map(([turn]) => `the prompt of turn ${turn} is another`),
    ...none.map((turn) => `turn ${turn} had no prompt`),
    ...(rowsOf(killed).join() === rowsOf(twin).join() ? [] : ["the facts are others, or stored twice"]),
    ...wasted.map((name) => `${name} was asked ${killed.world.asked[name]} times`),
    ...killed.lost.map((id) => `row ${id} was acknowledged and lost`),
  ]
}

const nameOf = (events: ReadonlyArray<string>, { at, side }: Death) =>
  `${side} ${at}: ${events[at - 1] ?? ""}`

/** Plays a chat for each list of deaths, and tells how it differs from its twin. */
export const differencesOf = Effect.fnUntraced(function* (
  place: Place,
  turns: ReadonlyArray<Turn>,
  twin: Left,
  histories: ReadonlyArray<ReadonlyArray<Death>>,
) {
  const found: Array<Difference> = []
  for (const deaths of histories) {
    const killed = yield* play(place, turns, deaths)
    const names = deaths.map((death, i) =>
      i === 0 ? nameOf(twin.events, death) : `${death.side} ${death.at}`,
    )
    found.push(...compare(twin, killed).map((what) => ({ deaths: names, what })))
  }
  return found
})

/** Each event of a chat, on the sides asked for, as the one death of a history. */
export const eachOf = (
  { events }: Pick<Left, "events">,
  sides: ReadonlyArray<Death["side"]>,
): ReadonlyArray<ReadonlyArray<Death>> =>
  events.flatMap((_, i) => sides.map((side): ReadonlyArray<Death> => [{ at: i + 1, side }]))
