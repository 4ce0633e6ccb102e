/**
 * Every law, a thousand samples each, the same in each run, so that a change is what makes it fail.
 * `npm run laws -- --runs N` tries other samples, and more of them.
 */

import { loadO200k } from "@palimpsest/core/o200k"
import { allLaws, countingLaw, formatLaws } from "@palimpsest/core/testing"
import { describe, it } from "vitest"

const TRIAL = { runs: 1000, seed: 20_261_202 }
/** Formats and their dialects are many: each has fewer samples here, and as many as the others in the long run. */
const SHORT = { ...TRIAL, runs: 250 }
const formats = new Set(formatLaws)

for (const law of allLaws)
  describe(`law ${law.number}, ${law.title}`, () => {
    for (const property of law.properties)
      it(property.name, () => property.run(formats.has(law) ? SHORT : TRIAL))
  })

describe("law 14, counting, by o200k", async () => {
  for (const property of countingLaw(await loadO200k()).properties)
    it(property.name, () => property.run(TRIAL))
})
