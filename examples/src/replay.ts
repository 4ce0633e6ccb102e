/** `npm run -s replay -- FILE`: plays a recorded chat through the engine, and shows what the model would see. */
import { closeSync, openSync, writeSync } from "node:fs"
import { layerFrom } from "@palimpsest/adapter-pg"
import { Tokens } from "@palimpsest/core/engine"
import { Data, Effect, Layer, Result } from "effect"
import { readPath } from "./replay/AllFiles.ts"
import { addressOf, parseArguments, type ReplayOptions } from "./replay/Arguments.ts"
import { many } from "./replay/Columns.ts"
import { HELP } from "./replay/Help.ts"
import { dumpLine, picture } from "./replay/Output.ts"
import { type Played, play, turnsOf } from "./replay/Play.ts"
import { prepare, stepOptions } from "./replay/Prepare.ts"
import { progress } from "./replay/Progress.ts"
import { tally } from "./replay/Tally.ts"
import type { Transcript } from "./transcripts/Transcript.ts"

const EXIT = { ok: 0, broken: 1, input: 2, failed: 3 } as const

const ALL_EXIT = { ok: EXIT.ok, broken: EXIT.broken, "no folder": EXIT.input } as const

/** A dump that cannot be written. */
class DumpError extends Data.TaggedError("DumpError")<{ readonly message: string }> {}

const writing = <A>(path: string, act: () => A): Effect.Effect<A, DumpError> =>
  Effect.try({
    try: act,
    catch: (error) => {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
      return new DumpError({ message: `--dump ${JSON.stringify(path)}: it cannot be written (${code}).` })
    },
  })

interface Dump {
  readonly line: (text: string) => Effect.Effect<void, DumpError>
  readonly close: Effect.Effect<void, DumpError>
}

const openDump = Effect.fnUntraced(function* (path: string | undefined): Effect.fn.Return<Dump, DumpError> {
  if (path === undefined) return { line: () => Effect.void, close: Effect.void }
  const file = yield* writing(path, () => openSync(path, "w"))
  return {
    line: (text) => Effect.asVoid(writing(path, () => writeSync(file, `${text}\n`))),
    close: writing(path, () => closeSync(file)),
  }
})

const playAll = (transcripts: ReadonlyArray<Transcript>, options: ReplayOptions) =>
  Effect.gen(function* () {
    const counter = yield* Tokens
    const prepared = prepare(transcripts, options, counter)
    const calls = prepared.reduce((sum, each) => sum + turnsOf(each).turns.length, 0)
    const show = progress(process.stderr)
    const dump = yield* openDump(options.dump)
    const started = new Date().toISOString()
    const played: Array<Played> = []
    let done = 0
    for (const transcript of prepared) {
      const key = { tenant: "replay", chat: `${transcript.name} at ${started}` }
      const chat = yield* play(key, transcript, stepOptions(transcript, options), (call) =>
        Effect.andThen(
          dump.line(dumpLine(transcript.name, call)),
          Effect.sync(() => show(++done, calls, transcript.name)),
        ),
      )
      played.push(chat)
    }
    yield* dump.close
    return { prepared, played }
  })

const present = (
  transcripts: ReadonlyArray<Transcript>,
  played: ReadonlyArray<Played>,
  options: ReplayOptions,
): number => {
  const sums = tally(played)
  const format = transcripts[0]?.format
  const skipped = transcripts.reduce((sum, each) => sum + each.skipped, 0)
  const withoutSystem = transcripts.filter((each) => each.system === null).length
  if (options.json)
    console.log(JSON.stringify({ file: options.file, format, ...sums, skipped, withoutSystem }))
  else {
    const look = { width: process.stdout.columns ?? 80, color: process.stdout.isTTY === true }
    console.log(`${options.file}: ${format}, ${many(transcripts.length, "chat")}\n`)
    console.log(picture(transcripts, played, sums, look))
  }
  const broken = played.flatMap((chat) => chat.violations.map((each) => ({ chat: chat.key.chat, ...each })))
  for (const { chat, law, call, detail } of broken.slice(0, 20))
    console.error(`law ${law} is broken at call ${call} of ${chat}: ${detail}`)
  return broken.length === 0 ? EXIT.ok : EXIT.broken
}

/** The store without a database, which a replay on a database need not load. */
const heap = async () => (await import("@palimpsest/core/memory")).memoryStore

const main = async (argv: ReadonlyArray<string>): Promise<number> => {
  const command = parseArguments(argv)
  if (Result.isFailure(command)) {
    console.error(command.failure.message)
    return command.failure.exitCode
  }
  if (command.success._tag === "Help") {
    console.log(HELP)
    return EXIT.ok
  }
  if (command.success._tag === "ReplayAll") {
    const { replayAll } = await import("./replay/All.ts")
    return ALL_EXIT[await replayAll(command.success.options)]
  }
  const { options } = command.success
  const transcripts = readPath(options.file, options.file)
  if (Result.isFailure(transcripts)) {
    console.error(transcripts.failure.message)
    return EXIT.input
  }
  const { database } = options
  const store = database._tag === "Heap" ? await heap() : layerFrom(addressOf(database))
  const layer = Layer.mergeAll(store, Tokens.layer)
  const result = await Effect.runPromise(
    Effect.result(Effect.provide(playAll(transcripts.success, options), layer)),
  )
  if (Result.isSuccess(result)) return present(result.success.prepared, result.success.played, options)
  console.error(result.failure instanceof Error ? result.failure.message : String(result.failure))
  return EXIT.failed
}

process.exitCode = await main(process.argv.slice(2))
