import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Command, misused, progress, type Request, requestOf } from "./Command.ts"
import { projectRoot } from "./Root.ts"
import { openDatabase } from "./scale/Database.ts"
import { PAGE, PLOT, pageOf, plotOf, textOf } from "./scale/Report.ts"
import { type Extent, run } from "./scale/Run.ts"

const command: Command = {
  name: "scale",
  summary:
    "Measures what a step costs against the age of its thread and against its window: rows, bytes and pages read, and\ntime. Every statement is explained. Times are ratios of medians of threads that take turns; they are measured again\nwhen they miss a bound, at most three times in all.",
  options: {
    url: {
      value: "URL",
      help: "a Postgres server, in which a database is made and dropped; default: PGlite",
    },
    rows: { value: "N", help: "rows of the oldest thread, such as 1e6; default: 1e5, on a server 1e6" },
    chats: { value: "N", help: "chats beside it in the same tables; default: 1e4, on a server 1e5" },
    rounds: { value: "N", help: "steps on each thread that are timed; default: 15" },
    write: { help: `write ${PAGE} and ${PLOT}` },
  },
  exits: "Ends with 1 when a bound is missed, with 2 on a mistake in the options.",
}

/** The number given for an option, which may be written with an exponent. */
const numberOf = (request: Request, option: string, fallback: number, least: number): number => {
  const value = request.values[option]?.at(-1)
  if (value === undefined) return fallback
  const number = /^\d{1,9}(e\d)?$/.test(value) ? Number(value) : Number.NaN
  return number >= least && number <= 1e8
    ? number
    : misused(command, `--${option} takes a number from ${least} on, not ${value}`)
}

const extentOf = (request: Request, isServer: boolean): Extent => ({
  rows: numberOf(request, "rows", isServer ? 1e6 : 1e5, 1000),
  chats: numberOf(request, "chats", isServer ? 1e5 : 1e4, 1),
  rounds: numberOf(request, "rounds", 15, 1),
})

const main = async (): Promise<void> => {
  const request = requestOf(command)
  const url = request.values.url?.at(-1)
  const extent = extentOf(request, url !== undefined)
  const began = performance.now()
  progress("opening the database")
  const { runtime, close } = await openDatabase(url)
  try {
    const found = await runtime.runPromise(run(extent, progress))
    progress("")
    console.log(textOf(found))
    if (request.values.write !== undefined) {
      writeFileSync(join(projectRoot, PAGE), pageOf(found))
      writeFileSync(join(projectRoot, PLOT), plotOf(found))
    }
    const missed = found.verdicts.filter(({ holds }) => !holds).length
    const seconds = Math.round((performance.now() - began) / 1000)
    console.log(`\n${found.verdicts.length} bounds, ${missed} of them missed; ${seconds} s`)
    if (request.json) console.log(JSON.stringify({ command: "scale", missed, extent, ...found }))
    process.exitCode = missed > 0 ? 1 : 0
  } finally {
    await close()
  }
}

await main()
