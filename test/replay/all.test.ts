/** Every recorded chat, at every window: no law is broken, no prompt is over its budget, each is valid. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Tokens } from "@palimpsest/core/engine"
import { memoryStore } from "@palimpsest/core/testing"
import { play } from "@palimpsest/examples/replay/Play"
import { prepare, stepOptions } from "@palimpsest/examples/replay/Prepare"
import { tally } from "@palimpsest/examples/replay/Tally"
import { readTranscript } from "@palimpsest/examples/transcripts/ReadTranscript"
import { Effect, Layer, Result } from "effect"
import { describe, expect, it } from "vitest"

const ROOT = join(import.meta.dirname, "../../../shared/transcripts")
const WINDOWS = [4_000, 8_000, 16_000, 32_000]

const files = ["tau2", "locomo-cc-by-nc"].flatMap((folder) => {
  const path = join(ROOT, folder)
  return existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []
})
if (files.length === 0) console.log(`no recorded chats in ${ROOT}: these tests do not run`)

const optionsFor = (file: string, window: number, join: boolean) => ({
  file,
  window,
  reserve: undefined,
  tail: undefined,
  database: { _tag: "Memory" } as const,
  system: "auto" as const,
  join,
  json: true,
  dump: undefined,
  limit: undefined,
})

const replay = (file: string, window: number, join: boolean) =>
  Effect.gen(function* () {
    const transcripts = readTranscript(readFileSync(file, "utf8"), file)
    const options = optionsFor(file, window, join)
    const prepared = prepare(Result.getOrThrow(transcripts), options, yield* Tokens)
    return yield* Effect.forEach(prepared, (transcript) =>
      play(
        { tenant: "t", chat: transcript.name },
        transcript,
        stepOptions(transcript, options),
        () => Effect.void,
      ),
    )
  }).pipe(Effect.provide(Layer.mergeAll(memoryStore, Tokens.layer)), Effect.runPromise)

describe.skipIf(files.length === 0)("replay of recorded chats", () => {
  for (const file of files)
    for (const window of WINDOWS)
      it(`${file.split("/").at(-1)} in ${window} tokens`, async () => {
        const played = await replay(file, window, false)
        expect(played.flatMap((chat) => chat.violations)).toEqual([])
        const sums = tally(played)
        expect(sums.calls).toBeGreaterThan(0)
        expect(sums.cannotFit).toBe(0)
        expect(sums.promptTokens.max).toBeLessThanOrEqual(sums.budget)
      })

  for (const file of files.filter((name) => name.includes("tau2")))
    it(`${file.split("/").at(-1)}, all its chats as one thread`, async () => {
      const played = await replay(file, 16_000, true)
      expect(played.flatMap((chat) => chat.violations)).toEqual([])
      const sums = tally(played)
      expect(sums.passes.summary).toBeGreaterThan(1)
      expect(sums.rowsReadPerStep.max).toBeLessThan(300)
    })
})
