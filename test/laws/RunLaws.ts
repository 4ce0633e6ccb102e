/**
 * Runs laws, six hundred samples each, the same in each run, so that a change is what makes one fail.
 * `npm run laws -- --runs N` tries other samples, and more of them.
 */
import {
  formatLaws,
  type Law,
  outboundLaw,
  readingsLaw,
  recallLaw,
  redactionsLaw,
  targetsLaw,
  valuesLaw,
} from "@palimpsest/core/testing"
import { describe, it } from "vitest"

const TRIAL = { runs: 600, seed: 20_261_202 }
/** Formats are many, and chats with usage are slow: they have fewer samples here, and all of them in the long run. */
const fewer = new Map([
  ...[...formatLaws, targetsLaw].map((law) => [law, 250] as const),
  [readingsLaw, 100] as const,
  [valuesLaw, 40] as const,
  [outboundLaw, 60] as const,
  [recallLaw, 100] as const,
  [redactionsLaw, 100] as const,
])

/** The laws from here on are run beside those before, at the same time: both take as long. */
export const SECOND_HALF = 9

export const runLaws = (laws: ReadonlyArray<Law>): void => {
  for (const law of laws)
    describe(`law ${law.number}, ${law.title}`, () => {
      for (const property of law.properties)
        it(property.name, () => property.run({ ...TRIAL, runs: fewer.get(law) ?? TRIAL.runs }))
    })
}
