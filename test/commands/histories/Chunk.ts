import { arbitraryScript, faultsOf, type Script, type Story, scriptsOf } from "@palimpsest/core/testing"
import fc from "fast-check"
import { add, type Tally, tallyOf } from "./Tally.ts"

/** Histories that follow from one seed. */
export interface Chunk {
  readonly seed: number
  readonly runs: number
  /** Null for two to eight, by chance. */
  readonly workers: number | null
  /** Index of the only one that is played, where one is wanted. */
  readonly path?: string
}

export interface Failure {
  readonly seed: number
  /** Leads to the smallest counter-example, with the seed. */
  readonly path: string
  readonly faults: ReadonlyArray<string>
  readonly script: Script
}

export interface Outcome {
  readonly tally: Tally
  readonly failure: Failure | null
}

/** Counter-examples are made smaller for so long, milliseconds. */
const SHRINKING = 60_000

/** Plays the histories of a chunk. The first that fails ends it, made smaller. */
export const playChunk = async (
  { seed, runs, workers, path }: Chunk,
  play: (script: Script) => Promise<Story>,
  isShrinking = true,
): Promise<Outcome> => {
  let tally: Tally = {}
  let faults: ReadonlyArray<string> = []
  let failed: number | null = null
  const property = fc.asyncProperty(
    workers === null ? arbitraryScript : scriptsOf(workers),
    async (script) => {
      if (failed !== null && performance.now() - failed > SHRINKING) return
      const story = await play(script)
      const found = faultsOf(story)
      if (failed === null) tally = add(tally, tallyOf(story))
      if (found.length === 0) return
      failed ??= performance.now()
      faults = found
      throw new Error("a history failed")
    },
  )
  const result = await fc.check(property, {
    seed,
    numRuns: runs,
    endOnFailure: !isShrinking,
    ...(path === undefined ? {} : { path }),
  })
  if (!result.failed) return { tally, failure: null }
  const [script] = result.counterexample ?? []
  if (faults.length === 0 || script === undefined) throw result.errorInstance
  return { tally, failure: { seed, path: result.counterexamplePath ?? "", faults, script } }
}
