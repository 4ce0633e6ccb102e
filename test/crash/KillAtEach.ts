/** Kills a chat at each event, lets another process take it up, and compares what is left with a chat never killed. */
import { auditThread, type Fact, type StoreError } from "@palimpsest/core/engine"
import { Deferred, Effect, Exit, Fiber, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { dyingClient } from "./DyingClient.ts"
import { everything, playOn } from "./Host.ts"
import { type Between, type Death, type Happened, isOfWire, type Life, newLife } from "./Life.ts"
import { endLater, makeDump, onPorts, outliveLeases, type Place, settle, wipe } from "./Place.ts"
import { keysOf, TENANT, type Turn } from "./Script.ts"
import { newWorld, type World } from "./World.ts"

/** What a chat left behind. */
export interface Left {
  readonly rows: string
  readonly kinds: ReadonlyArray<string>
  readonly world: World
  readonly facts: ReadonlyArray<Fact>
  /** Events of its first life. */
  readonly events: ReadonlyArray<Happened>
  /** Messages to the server of its first life. */
  readonly messages: number
  /** Where each life ended that did. */
  readonly ends: ReadonlyArray<string>
  /** Everything that was stored between two operations of the first life. */
  readonly states: ReadonlySet<string>
  /** What was wrong right after a death, before anybody took the chat up. */
  readonly faults: ReadonlyArray<string>
}

/** How a killed chat differs from one that was never killed. */
export interface Difference {
  readonly deaths: ReadonlyArray<string>
  readonly kind: string
  readonly what: string
}

/** What each chat shows; one that was removed shows why it does not. */
const look = ({ aside }: Place, turns: ReadonlyArray<Turn>) =>
  Effect.forEach(keysOf(turns), (key) =>
    onPorts(everything(key), aside).pipe(
      Effect.catchTag("StoreError", (error: StoreError) => Effect.succeed(error.reason)),
    ),
  )

/** Summaries that do not cover what they say they do. */
const unsound = ({ aside }: Place, turns: ReadonlyArray<Turn>) =>
  Effect.map(
    Effect.forEach(keysOf(turns), (key) =>
      onPorts(auditThread(key), aside).pipe(
        Effect.map(({ faults }) => faults.map((fault) => `an audit finds ${JSON.stringify(fault)}`)),
        Effect.catchTag("StoreError", () => Effect.succeed<ReadonlyArray<string>>([])),
      ),
    ),
    (all) => all.flat(),
  )

const lostOf = ({ aside }: Place, world: World) =>
  Effect.map(
    aside.unsafe<{ id: string }>(`select id from palimpsest_messages where tenant = '${TENANT}'`),
    (found) => {
      const stored = new Set(found.map(({ id }) => id))
      return world.acknowledged
        .filter((id) => !stored.has(id))
        .map((id) => `row ${id} was acknowledged and lost`)
    },
  )

/** One life, whose connections end with the scope. */
const live = (place: Place, turns: ReadonlyArray<Turn>, world: World, life: Life) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.fresh(place.client))
    const client = yield* Effect.provide(
      Effect.flatMap(SqlClient.SqlClient, (real) => dyingClient(real, life, place.hangUp)),
      context,
    )
    const exit = yield* Effect.exit(onPorts(playOn(turns, world, life), client))
    if (Exit.isFailure(exit) && !life.isDead) return yield* Effect.failCause(exit.cause)
  })

/** Lets a process run until it stands still, and tells how it is woken. What becomes of it then is its own affair. */
const stopped = Effect.fnUntraced(function* (one: Effect.Effect<void, unknown, Scope.Scope>, life: Life) {
  const fiber = yield* Effect.forkScoped(one)
  yield* Effect.raceFirst(Deferred.await(life.stopped), Effect.ignore(Fiber.join(fiber)))
  return Effect.andThen(Deferred.succeed(life.woken, undefined), Effect.asVoid(Fiber.await(fiber)))
})

const endOf = ({ death, events }: Life): string => `${death?.side} ${events.at(-1)?.name}`

/** Plays a chat to its end: one process after the other, each of which but the last dies. */
export const play = (
  place: Place,
  turns: ReadonlyArray<Turn>,
  deaths: ReadonlyArray<Death>,
  known: ReadonlySet<string> | null = null,
) =>
  Effect.gen(function* () {
    yield* wipe(place)
    const dump = yield* makeDump(place)
    const world = newWorld()
    const faults: Array<string> = []
    const states = new Set<string>()
    const lives: Array<Life> = []
    const keep: Between = (connection) =>
      Effect.map(Effect.orDie(dump(connection)), (text) => void states.add(text))
    const sleepers: Array<Effect.Effect<void>> = []
    let messages = 0
    for (const death of [...deaths, null]) {
      // Only the twin tells what may be stored: the others are compared with it.
      const life = newLife(death, known === null ? keep : undefined)
      const sent = place.arm(life)
      const one: Effect.Effect<void, unknown, Scope.Scope> = live(place, turns, world, life)
      if (death?.side === "late") sleepers.push(yield* stopped(one, life))
      else yield* death?.side === "orphaned" ? one : Effect.scoped(one)
      if (death?.side === "orphaned") yield* endLater(place)
      if (lives.length === 0) messages = sent()
      lives.push(life)
      if (life.isDead && death?.side !== "orphaned") yield* settle(place)
      const isHalf = lives.length === 1 && life.isDead && known !== null && !known.has(yield* dump(null))
      if (isHalf) faults.push("half of an operation is stored")
      faults.push(...(yield* lostOf(place, world)), ...(yield* unsound(place, turns)))
      yield* outliveLeases(place)
    }
    for (const wake of sleepers) yield* wake
    if (sleepers.length > 0) faults.push(...(yield* unsound(place, turns)))
    yield* keep(null)
    const shown = yield* look(place, turns)
    return {
      rows: JSON.stringify(shown),
      kinds: shown.flatMap((rows) => (typeof rows === "string" ? ["removed"] : rows.map((row) => row.kind))),
      world,
      facts: yield* world.facts,
      events: lives[0]?.events ?? [],
      messages,
      ends: lives.flatMap((life) => (life.isDead || life.isLate ? [endOf(life)] : [])),
      states,
      faults,
    } satisfies Left
  }).pipe(Effect.scoped)

const rowsOf = ({ facts }: Left): ReadonlyArray<string> => facts.map((fact) => fact.row).sort()

/**
 * How often a service may have been asked in vain: an answer is lost with a process that dies before its draft is
 * stored. What memory answers is stored with its mark alone, and costs nothing.
 */
const lostAnswers = ({ ends }: Left, service: keyof World["asked"]): number =>
  service === "memory"
    ? ends.length
    : ends.filter(
        (end) =>
          end === `after ${service}` ||
          /^(before|orphaned|torn|late) .*palimpsest_drafts/.test(end) ||
          end === `torn ${service}`,
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
    ...wasted.map(
      (name) =>
        `${name} was asked ${killed.world.asked[name]} times, and ${twin.world.asked[name]} without a death`,
    ),
    ...new Set(killed.faults),
  ]
}

const nameOf = ({ events }: Left, death: Death) => {
  const { at, side } = death
  return isOfWire(death) ? `${side} ${at}` : `${side} ${at}: ${events[at - 1]?.name ?? ""}`
}

export const kindOf = ({ events }: Left, death: Death): string => {
  const { at, side } = death
  return isOfWire(death) ? side : (events[at - 1]?.kind ?? "other")
}

/** Plays a chat for each list of deaths, and tells how it differs from its twin. */
export const differencesOf = Effect.fnUntraced(function* (
  place: Place,
  turns: ReadonlyArray<Turn>,
  twin: Left,
  histories: ReadonlyArray<ReadonlyArray<Death>>,
  told: (done: number) => void = () => {},
) {
  const found: Array<Difference> = []
  for (const [i, deaths] of histories.entries()) {
    told(i)
    const names = deaths.map((death, j) => (j === 0 ? nameOf(twin, death) : `${death.side} ${death.at}`))
    const [first] = deaths
    const kind = first === undefined ? "none" : kindOf(twin, first)
    const exit = yield* Effect.exit(play(place, turns, deaths, twin.states))
    const differences = Exit.isSuccess(exit)
      ? compare(twin, exit.value)
      : [`it does not go on: ${String(exit.cause).slice(0, 300)}`]
    found.push(...differences.map((what) => ({ deaths: names, kind, what })))
  }
  return found
})
