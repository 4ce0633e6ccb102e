/** Plays every transcript of a folder, at several windows, with the laws audited. */
import { join } from "node:path"
import { type CountedPrompt, type EstimatorError, estimatorError, type TokenCounter } from "@palimpsest/core"
import { type ThreadStore, Tokens } from "@palimpsest/core/engine"
import { Cause, Effect, Exit, Result } from "effect"
import type { Format, Transcript, TranscriptError } from "../transcripts/Transcript.ts"
import { readPath } from "./AllFiles.ts"
import type { AllOptions } from "./Arguments.ts"
import { growths, meanError } from "./Growths.ts"
import { judgeFor } from "./Judge.ts"
import { type Played, play } from "./Play.ts"
import { prepare, stepOptions } from "./Prepare.ts"
import { type Tally, tally } from "./Tally.ts"
import { targetOf } from "./TargetOf.ts"

/** What came of a file at one window. */
export interface AtWindow {
  readonly window: number
  readonly tally: Tally
  /** Broken laws in words; what went wrong when the program itself failed. */
  readonly faults: ReadonlyArray<string>
}

/** What came of a file. */
export type FileReport =
  | { readonly _tag: "Refused"; readonly file: string; readonly error: TranscriptError }
  | {
      readonly _tag: "Replayed"
      readonly file: string
      readonly format: Format
      readonly chats: number
      /** Chats of the file beyond `--limit`. */
      readonly passedOver: number
      readonly messages: number
      readonly windows: ReadonlyArray<AtWindow>
      readonly counted: ReadonlyArray<CountedPrompt>
      readonly meanError: number | null
      readonly seconds: number
    }

/** A run over a folder: `started` keeps its chats apart from those of other runs, `onCall` hears of each call. */
export interface Run {
  readonly options: AllOptions
  readonly started: string
  readonly onCall: () => void
}

/** Plays the chats of a file at one window; a fault of the program is a fault of the file. */
const playAt = (
  file: string,
  transcripts: ReadonlyArray<Transcript>,
  window: number,
  { options, started, onCall }: Run,
) =>
  Effect.gen(function* () {
    const counter = yield* Tokens
    const single = { ...options, file, window, join: false, dump: undefined }
    const played: Array<Played> = []
    const faults: Array<string> = []
    for (const [i, transcript] of prepare(transcripts, single, counter).entries()) {
      const key = { tenant: "replay", chat: `${file}#${i + 1} in ${window} at ${started}` }
      const target = targetOf(transcript, window)
      const steps = { ...stepOptions(transcript, single), accounting: target.accounting }
      const exit = yield* Effect.exit(
        play(key, transcript, steps, () => Effect.sync(onCall), judgeFor(target)),
      )
      if (Exit.isSuccess(exit)) {
        played.push(exit.value)
        faults.push(
          ...exit.value.violations.map(
            ({ law, call, detail }) =>
              `law ${law} is broken at call ${call} of ${transcript.name}: ${detail}`,
          ),
        )
      } else faults.push(`${transcript.name}: ${Cause.pretty(exit.cause)}`)
    }
    return { window, tally: tally(played), faults }
  })

/** The growth of each chat's prompts, counted by the rules of its own target. */
const countedIn = (
  transcripts: ReadonlyArray<Transcript>,
  counter: TokenCounter,
): ReadonlyArray<CountedPrompt> =>
  transcripts.flatMap((transcript) =>
    growths(transcript, { counter, accounting: targetOf(transcript, 1).accounting }),
  )

/** Plays one file at each window. */
export const playFile = Effect.fnUntraced(function* (
  file: string,
  run: Run,
): Effect.fn.Return<FileReport, never, ThreadStore | Tokens> {
  const { options } = run
  const began = performance.now()
  const reading = readPath(join(options.folder, file), file)
  if (Result.isFailure(reading)) return { _tag: "Refused", file, error: reading.failure }
  const transcripts = reading.success.slice(0, options.limit ?? reading.success.length)
  const windows: Array<AtWindow> = []
  for (const window of options.windows) windows.push(yield* playAt(file, transcripts, window, run))
  const counted = countedIn(reading.success, yield* Tokens)
  return {
    _tag: "Replayed",
    file,
    format: transcripts[0]?.format ?? "openai-chat",
    chats: transcripts.length,
    passedOver: reading.success.length - transcripts.length,
    messages: transcripts.reduce((sum, { messages }) => sum + messages.length, 0),
    windows,
    counted,
    meanError: meanError(counted),
    seconds: Math.round((performance.now() - began) / 100) / 10,
  }
})

/** The error for each model and script, over all files. */
export const errorsOf = (reports: ReadonlyArray<FileReport>): ReadonlyArray<EstimatorError> =>
  estimatorError(reports.flatMap((report) => (report._tag === "Replayed" ? report.counted : [])))
