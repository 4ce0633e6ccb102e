/** `npm run -s replay -- --all FOLDER`: every transcript of a folder, at each window. */
import { layerFrom } from "@palimpsest/adapter-pg"
import { Tokens } from "@palimpsest/core/engine"
import { memoryStore } from "@palimpsest/core/memory"
import { Effect, Layer, Result } from "effect"
import { filesBelow } from "./AllFiles.ts"
import { allJson, allTable } from "./AllTable.ts"
import { type AllOptions, addressOf } from "./Arguments.ts"
import { type FileReport, playFile } from "./PlayAll.ts"
import { progress } from "./Progress.ts"

const FAULTS_SHOWN = 20

/** A store of its own for each file, or the one that is named for all. */
const alone = Effect.provide(Layer.fresh(memoryStore))

const playAll = Effect.fnUntraced(function* (options: AllOptions, files: ReadonlyArray<string>) {
  const started = new Date().toISOString()
  const show = progress(process.stderr)
  const reports: Array<FileReport> = []
  for (const [i, file] of files.entries()) {
    let calls = 0
    const onCall = () => {
      calls += 1
      show(i, files.length, `${file}, call ${calls}`)
    }
    const playing = playFile(file, { options, started, onCall })
    reports.push(yield* options.database._tag === "Heap" ? alone(playing) : playing)
  }
  show(files.length, files.length, "")
  return reports
})

/** Plays all, shows what came of it, and lists what is broken. */
const run = async (options: AllOptions, files: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { database } = options
  const store = database._tag === "Heap" ? memoryStore : layerFrom(addressOf(database))
  const layer = Layer.mergeAll(store, Tokens.layer)
  const reports = await Effect.runPromise(Effect.provide(playAll(options, files), layer))
  console.log(options.json ? allJson(reports, options.folder) : allTable(reports, options.windows))
  return reports.flatMap((report) =>
    report._tag === "Replayed"
      ? report.windows.flatMap((at) => at.faults.map((fault) => `${report.file} at ${at.window}: ${fault}`))
      : [],
  )
}

/** How a run ended. */
export type Ended = "ok" | "broken" | "no folder"

/** Plays all. */
export const replayAll = async (options: AllOptions): Promise<Ended> => {
  const files = filesBelow(options.folder)
  if (Result.isFailure(files)) {
    console.error(files.failure.message)
    return "no folder"
  }
  const faults = await run(options, files.success)
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.error(fault)
  if (faults.length > FAULTS_SHOWN) console.error(`and ${faults.length - FAULTS_SHOWN} more`)
  return faults.length === 0 ? "ok" : "broken"
}
