import { Effect } from "effect"
import { atEach, type History, late, oneIn, onTheWire, orphans, twice } from "../crash/Histories.ts"
import { type Difference, differencesOf, kindOf, type Left, play } from "../crash/KillAtEach.ts"
import { migrationDeaths } from "../crash/Migrating.ts"
import type { Place } from "../crash/Place.ts"
import { withPglite, withServer } from "../crash/Places.ts"
import { LONG, SHORT } from "../crash/Script.ts"
import { STEPS } from "../crash/Steps.ts"
import { type Command, misused, numbersOf, progress, requestOf, table } from "./Command.ts"

const command: Command = {
  name: "crash",
  summary:
    "Kills the process of a chat before and after each statement and each request to a service outside, once and twice\nin a row, and while the tables are made; on a server also in the middle of each message, and with connections that\noutlive it, and it comes back late. Another process goes on, and what is left is compared with a chat that was never killed.",
  options: {
    url: {
      value: "URL",
      help: "a Postgres server, such as $(.ci/postgres); PGlite in this process when not given",
    },
    every: { value: "N", help: "only one death in N; 1 when not given" },
    wire: { value: "N", help: "on a server, only one message in N; 10 when not given" },
    step: { value: "KIND", help: "only deaths in steps of this kind; may be repeated" },
    side: {
      value: "SIDE",
      help: "only deaths of this sort: before, after, twice; on a server orphaned, late, torn, cut; may be repeated",
    },
    long: { help: "a longer chat" },
    lanes: { value: "N", help: "databases in which chats are killed at once, on a server; 3 when not given" },
  },
  exits: "Ends with 1 when a killed chat differs from its twin, with 2 on a mistake in the options.",
}

interface Plan {
  readonly turns: typeof LONG
  readonly every: number
  readonly wire: number
  readonly lanes: number
  /** Kinds of steps; all when there is none. */
  readonly steps: ReadonlyArray<string>
  /** Sorts of deaths; all when there is none. */
  readonly sides: ReadonlyArray<string>
}

const sideOf = (history: History): string => (history.length > 1 ? "twice" : (history[0]?.side ?? ""))

const historiesOf = (
  place: Place,
  twin: Left,
  { every, wire, steps, sides }: Plan,
): ReadonlyArray<History> => {
  const ofProcess = [
    ...atEach(twin, ["before", "after"]),
    ...twice(twin),
    ...(place.isServer ? [...orphans(twin), ...late(twin)] : []),
  ]
  const ofWire = place.isServer ? [...onTheWire(twin, "torn"), ...onTheWire(twin, "cut")] : []
  const isWanted = (history: History) => {
    const [first] = history
    if (first === undefined || (sides.length > 0 && !sides.includes(sideOf(history)))) return false
    return steps.length === 0 || steps.includes(kindOf(twin, first))
  }
  return [
    ...oneIn(every, ofProcess.filter(isWanted)),
    ...oneIn(every * wire, ofWire.filter(isWanted), wire - 1),
  ]
}

/** What one lane has to tell. */
interface Told {
  readonly twin: Left
  readonly histories: ReadonlyArray<History>
  readonly differences: ReadonlyArray<Difference>
  readonly migrations: number
}

const inLane = (plan: Plan) =>
  Effect.fnUntraced(function* (place: Place, lane = 0) {
    const migrations = lane === 0 ? yield* migrationDeaths(place, plan.every) : { deaths: 0, differences: [] }
    const twin = yield* play(place, plan.turns, [])
    const histories = oneIn(plan.lanes, historiesOf(place, twin, plan), lane)
    const differences = yield* differencesOf(place, plan.turns, twin, histories, (done) => {
      if (lane === 0) progress(`${done} of ${histories.length} deaths`)
    })
    const told: Told = {
      twin,
      histories,
      differences: [...migrations.differences, ...differences],
      migrations: migrations.deaths,
    }
    return told
  })

const SIDES = ["before", "after", "orphaned", "late", "twice", "torn", "cut"] as const

/** So many deaths of each kind of step, by where they fell. */
const pointsOf = (lanes: ReadonlyArray<Told>) => {
  const points = new Map<string, Record<string, number>>()
  for (const { twin, histories } of lanes)
    for (const history of histories) {
      const [first] = history
      if (first === undefined) continue
      const kind = kindOf(twin, first)
      const row = points.get(kind) ?? {}
      row[sideOf(history)] = (row[sideOf(history)] ?? 0) + 1
      points.set(kind, row)
    }
  return Object.fromEntries([...points].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const print = (points: ReturnType<typeof pointsOf>, migrations: number, plan: Plan): void => {
  const rows = Object.entries(points).map(([kind, row]) => [
    kind,
    ...SIDES.map((side) => String(row[side] ?? 0)),
  ])
  const migration = ["migration", String(migrations), ...SIDES.slice(1).map(() => "")]
  console.log(table([["step", ...SIDES], ...rows, migration]))
  if (plan.every > 1) console.log(`one death in ${plan.every} was tried`)
}

const main = async (): Promise<void> => {
  const request = requestOf(command)
  const every = numbersOf(command, request, "every").at(-1) ?? 1
  const url = request.values.url?.at(-1)
  const lanes = url === undefined ? 1 : (numbersOf(command, request, "lanes").at(-1) ?? 3)
  const wire = numbersOf(command, request, "wire").at(-1) ?? 10
  if (every * wire * lanes === 0) misused(command, "--every, --wire and --lanes take numbers above 0")
  const steps = request.values.step ?? []
  const sides = request.values.side ?? []
  const plan: Plan = { turns: "long" in request.values ? LONG : SHORT, every, wire, lanes, steps, sides }
  const told = await Effect.runPromise(
    url === undefined
      ? Effect.map(withPglite(inLane(plan)), (one) => [one])
      : withServer(url, lanes, inLane(plan)),
  )
  progress("")
  const differences = told.flatMap((lane) => lane.differences)
  const migrations = told.reduce((sum, lane) => sum + lane.migrations, 0)
  const deaths = told.reduce((sum, lane) => sum + lane.histories.length, migrations)
  const points = pointsOf(told)
  print(points, migrations, plan)
  for (const { deaths, kind, what } of differences.slice(0, 50))
    console.log(`${kind}, ${deaths.join(", then ")}: ${what}`)
  const [first] = told
  const untried = STEPS.filter((step) => !(step in points))
  if (untried.length > 0 && steps.length + sides.length === 0)
    console.log(`nothing died in: ${untried.join(", ")}`)
  const events = first?.twin.events.length ?? 0
  console.log(
    `\n${deaths} deaths at ${events} events of ${plan.turns.length} turns: ${differences.length} differences`,
  )
  if (request.json)
    console.log(
      JSON.stringify({
        command: "crash",
        database: url === undefined ? "pglite" : "server",
        ...{ every, deaths, events, messages: first?.twin.messages ?? 0, points, migrations, differences },
      }),
    )
  process.exitCode =
    differences.length > 0 || (untried.length > 0 && every === 1 && steps.length + sides.length === 0) ? 1 : 0
}

await main()
