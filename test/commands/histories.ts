import { availableParallelism } from "node:os"
import { type Command, misused, numbersOf, progress, requestOf, table } from "./Command.ts"
import { startChild } from "./histories/Children.ts"
import { type Chunk, type Failure, type Outcome, playChunk } from "./histories/Chunk.ts"
import { openDatabase, playInLockStep } from "./histories/Postgres.ts"
import { makeCrew } from "./histories/Processes.ts"
import { add, type Tally } from "./histories/Tally.ts"

const command: Command = {
  name: "histories",
  summary:
    "Lets several workers at one thread, in memory and on Postgres, in orders that follow from the seed, and holds what they leave against a model.",
  options: {
    runs: { value: "N", help: "histories in memory; 1000 when not given" },
    seed: { value: "S", help: "where they start; printed, so that a run can be repeated" },
    workers: { value: "N", help: "workers of each history; two to eight when not given" },
    path: { value: "P", help: "only the history in memory at this path of the seed, as a failure prints it" },
    url: {
      value: "URL",
      help: "a database, straight or through a pooler, on which histories are played too",
    },
    "url-runs": {
      value: "N",
      help: "histories there: so many in lock step, so many by processes that run freely; 100 when not given",
    },
    jobs: { value: "N", help: "processes in memory; one for each processor when not given" },
  },
  exits: "Ends with 1 when a history fails, with 2 on a mistake in the options.",
}

/** How a kind of histories went. */
interface Report {
  readonly where: string
  readonly seconds: number
  readonly tally: Tally
  readonly failures: ReadonlyArray<Failure>
}

/** Small enough that processes end together, and a failure is found again soon. */
const CHUNK = 250

const chunksOf = (all: Omit<Chunk, "path">): ReadonlyArray<Chunk> =>
  Array.from({ length: Math.ceil(all.runs / CHUNK) }, (_, i) => ({
    ...all,
    seed: all.seed + i,
    runs: Math.min(CHUNK, all.runs - i * CHUNK),
  }))

const report = async (
  where: string,
  play: (add: (outcome: Outcome) => void) => Promise<void>,
): Promise<Report> => {
  const start = performance.now()
  let tally: Tally = {}
  const failures: Array<Failure> = []
  await play((outcome) => {
    tally = add(tally, outcome.tally)
    if (outcome.failure !== null) failures.push(outcome.failure)
    progress(`${where}: ${tally.histories ?? 0} histories, ${failures.length} failed`)
  })
  progress("")
  return { where, tally, failures, seconds: Math.round((performance.now() - start) / 100) / 10 }
}

const inMemory = (chunks: ReadonlyArray<Chunk>, jobs: number): Promise<Report> =>
  report("memory", async (take) => {
    const queue = [...chunks]
    const work = async () => {
      const child = startChild("MemoryProcess")
      for (let chunk = queue.shift(); chunk !== undefined; chunk = queue.shift()) {
        take(await child.ask<Outcome>(chunk))
      }
      child.end()
    }
    await Promise.all(Array.from({ length: Math.min(jobs, chunks.length) }, work))
  })

/** Runs what takes turns on a database; a history that ran freely is not made smaller, since its order does not come again. */
const onPostgres = async (url: string, chunk: Omit<Chunk, "path">): Promise<ReadonlyArray<Report>> => {
  const database = await openDatabase(url, 4)
  const crew = makeCrew(url, database)
  try {
    const steps = await report("Postgres, in lock step", async (take) => {
      for (const one of chunksOf(chunk))
        take(await playChunk(one, (script) => playInLockStep(database, script)))
    })
    const free = await report("Postgres, processes", async (take) => {
      for (const one of chunksOf(chunk)) take(await playChunk(one, crew.play, false))
    })
    return [steps, free]
  } finally {
    crew.end()
    await database.close()
  }
}

const print = (reports: ReadonlyArray<Report>): void => {
  const names = [...new Set(reports.flatMap(({ tally }) => Object.keys(tally)))]
  const rows = names.map((name) => [name, ...reports.map(({ tally }) => String(tally[name] ?? 0))])
  console.log(table([["", ...reports.map(({ where }) => where)], ...rows]))
  for (const { where, failures } of reports)
    for (const { seed, path, faults, script } of failures) {
      console.log(
        `\n${where}: a history fails\n${faults.join("\n").slice(0, 4000)}\n${JSON.stringify(script)}`,
      )
      if (where === "memory") console.log(`npm run -s histories -- --seed ${seed} --path ${path}`)
    }
}

const main = async (): Promise<void> => {
  const request = requestOf(command)
  const last = (option: string) => numbersOf(command, request, option).at(-1)
  const seed = last("seed") ?? Date.now() % 2 ** 31
  const workers = last("workers") ?? null
  if (workers !== null && (workers < 2 || workers > 8)) misused(command, "--workers takes 2 to 8")
  const path = request.values.path?.at(-1)
  const url = request.values.url?.at(-1)
  const runs = last("runs") ?? 1000
  const chunks = path === undefined ? chunksOf({ seed, runs, workers }) : [{ seed, runs: 1, workers, path }]
  if (path !== undefined && !/^\d+(:\d+)*$/.test(path)) misused(command, `${path} is no path`)
  const reports = [
    await inMemory(chunks, Math.max(1, last("jobs") ?? availableParallelism())),
    ...(url === undefined ? [] : await onPostgres(url, { seed, runs: last("url-runs") ?? 100, workers })),
  ]
  print(reports)
  const failed = reports.reduce((sum, { failures }) => sum + failures.length, 0)
  const histories = reports.reduce((sum, { tally }) => sum + (tally.histories ?? 0), 0)
  const seconds = Math.round(reports.reduce((sum, one) => sum + one.seconds, 0))
  console.log(`\n${histories} histories in ${seconds} s, seed ${seed}: ${failed} failed`)
  if (request.json)
    console.log(JSON.stringify({ command: "histories", seed, histories, seconds, failed, reports }))
  process.exitCode = failed > 0 || histories === 0 ? 1 : 0
}

await main()
