/** Every law, a thousand samples each. `npm run laws -- --runs N` tries them for longer. */

import { loadO200k } from "@palimpsest/core/o200k"
import { allLaws, countingLaw } from "@palimpsest/core/testing"
import { describe, it } from "vitest"

const RUNS = 1000

for (const law of allLaws)
  describe(`law ${law.number}, ${law.title}`, () => {
    for (const property of law.properties) it(property.name, () => property.run({ runs: RUNS }))
  })

describe("law 14, counting, by o200k", async () => {
  for (const property of countingLaw(await loadO200k()).properties)
    it(property.name, () => property.run({ runs: RUNS }))
})
