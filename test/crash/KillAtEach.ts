/** Kills a chat at each statement, on each side of it, lets another process take it up, and compares with its twin. */
import { make } from "@palimpsest/adapter-pg"
import { ThreadStore } from "@palimpsest/core/engine"
import { Cause, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Death, dyingClient, Killed, type Life } from "./DyingClient.ts"
import { everything, newWorld, playOn, turns, type World } from "./Script.ts"

/** What a chat left behind. */
interface Left {
  readonly rows: string
  readonly prompts: ReadonlyMap<number, string>
  readonly facts: ReadonlyArray<number>
  readonly calls: number
  readonly statements: number
}

/** How a killed chat differs from one that was never killed. */
export interface Difference {
  readonly death: Death
  readonly what: string
}

const isKilled = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof Killed)

const live = (chat: string, count: number, world: World, death: Death | null, life: Life) =>
  Effect.gen(function* () {
    const real = yield* SqlClient.SqlClient
    const client = yield* dyingClient(real, death, life)
    const store = Layer.succeed(ThreadStore, make(client))
    return yield* Effect.exit(Effect.provide(playOn({ tenant: "crash", chat }, world, turns(count)), store))
  })

const play = (chat: string, count: number, death: Death | null) =>
  Effect.gen(function* () {
    const world = newWorld()
    const life: Life = { statements: 0, isDead: false }
    const first = yield* live(chat, count, world, death, life)
    if (Exit.isFailure(first) && !isKilled(first)) return yield* Effect.failCause(first.cause)
    const last = isKilled(first)
      ? yield* live(chat, count, world, null, { statements: 0, isDead: false })
      : first
    const prompts = yield* last
    const real = yield* SqlClient.SqlClient
    const rows = yield* Effect.provide(
      everything({ tenant: "crash", chat }),
      Layer.succeed(ThreadStore, make(real)),
    )
    const left: Left = {
      rows: JSON.stringify(rows),
      prompts,
      facts: [...world.facts.values()],
      calls: world.summariserCalls,
      statements: life.statements,
    }
    return left
  })

const compare = (twin: Left, killed: Left, death: Death): ReadonlyArray<Difference> => {
  const differs = (what: string, is: boolean) => (is ? [{ death, what }] : [])
  const prompts = [...killed.prompts].filter(([i, text]) => twin.prompts.get(i) !== text)
  return [
    ...differs("the rows are others", killed.rows !== twin.rows),
    ...differs(`prompts ${prompts.map(([i]) => i).join(", ")} are others`, prompts.length > 0),
    ...differs(
      "a fact is stored twice",
      killed.facts.some((times) => times > 1),
    ),
    ...differs("facts are missing", killed.facts.length !== twin.facts.length),
    ...differs(`${killed.calls} summaries were paid, not ${twin.calls}`, killed.calls > twin.calls + 1),
  ]
}

/** Runs the whole comparison on the client of the context; `every` thins the points out, 1 takes all. */
export const killAtEach = (run: string, count: number, every = 1) =>
  Effect.gen(function* () {
    const twin = yield* play(`${run} twin`, count, null)
    const marks = JSON.parse(twin.rows).map((row: { kind: string }) => row.kind)
    const differences: Array<Difference> = []
    let points = 0
    for (let at = 1; at <= twin.statements; at += every)
      for (const side of ["before", "after"] as const) {
        points += 1
        const killed = yield* play(`${run} ${at} ${side}`, count, { at, side })
        differences.push(...compare(twin, killed, { at, side }))
      }
    return { statements: twin.statements, points, differences, marks, calls: twin.calls }
  })
