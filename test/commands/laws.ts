import * as core from "@palimpsest/core"
import * as o200k from "@palimpsest/core/o200k"
import * as testing from "@palimpsest/core/testing"
import { lawsOf } from "./AllLaws.ts"
import { type Command, misused, numbersOf, progress, requestOf, table } from "./Command.ts"

const command: Command = {
  name: "laws",
  summary: "Runs the laws of the library over random threads, policies and histories.",
  options: {
    runs: { value: "N", help: "samples of each property; 1000 when not given" },
    seed: { value: "S", help: "where the samples start; printed, so that a run can be repeated" },
    law: { value: "N", help: "only this law; may be repeated" },
  },
  exits: "Ends with 1 when a law does not hold, with 2 on a mistake in the options.",
}

interface Outcome {
  readonly law: number
  readonly property: string
  readonly holds: boolean
  readonly seconds: number
  /** The smallest counter-example, and the seed that leads to it. */
  readonly error?: string
}

const tryProperty = async (
  { number, properties }: testing.Law,
  index: number,
  trial: { readonly runs: number; readonly seed: number },
): Promise<Outcome> => {
  const property = properties[index]
  const start = performance.now()
  const end = (error?: unknown): Outcome => ({
    law: number,
    property: property?.name ?? "",
    holds: error === undefined,
    seconds: Math.round(performance.now() - start) / 1000,
    ...(error === undefined ? {} : { error: error instanceof Error ? error.message : String(error) }),
  })
  try {
    await property?.run(trial)
    return end()
  } catch (error) {
    return end(error ?? "rejected without a reason")
  }
}

/** Counter-examples may be long; with --json they come in full. */
const SHOWN = 4000

const shown = (error: string): string => (error.length > SHOWN ? `${error.slice(0, SHOWN)}…` : error)

const print = (outcomes: ReadonlyArray<Outcome>): void => {
  const rows = outcomes.map(({ law, property, holds, seconds }) => [
    String(law),
    holds ? "holds" : "FAILS",
    `${seconds.toFixed(1)} s`,
    property,
  ])
  console.log(table([["law", "", "time", "property"], ...rows]))
  for (const { law, property, error } of outcomes)
    if (error !== undefined) console.log(`\nlaw ${law}: ${property}\n${shown(error)}`)
}

const main = async (): Promise<void> => {
  const request = requestOf(command)
  const runs = numbersOf(command, request, "runs").at(-1) ?? 1000
  const seed = numbersOf(command, request, "seed").at(-1) ?? Date.now() % 2 ** 31
  const wanted = numbersOf(command, request, "law")
  const allLaws = await lawsOf({ core, o200k, testing })
  const unknown = wanted.filter((number) => !allLaws.some((law) => law.number === number))
  const [first, last] = [allLaws[0]?.number, allLaws.at(-1)?.number]
  if (unknown.length > 0) misused(command, `there is no law ${unknown.join(", ")}: ${first} to ${last}`)
  if (runs === 0) misused(command, "--runs must be at least 1")
  const laws = allLaws.filter(({ number }) => wanted.length === 0 || wanted.includes(number))
  const outcomes: Array<Outcome> = []
  for (const law of laws)
    for (const [i, { name }] of law.properties.entries()) {
      progress(`law ${law.number}: ${name}`)
      outcomes.push(await tryProperty(law, i, { runs, seed }))
    }
  progress("")
  const failed = outcomes.filter(({ holds }) => !holds).length
  print(outcomes)
  console.log(
    `\n${new Set(laws.map(({ number }) => number)).size} laws, ${outcomes.length} properties, ${runs} samples each, seed ${seed}: ${failed} failed`,
  )
  if (request.json) console.log(JSON.stringify({ command: "laws", runs, seed, failed, outcomes }))
  process.exitCode = failed > 0 || outcomes.length === 0 ? 1 : 0
}

await main()
