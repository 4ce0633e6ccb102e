import { aiSdk } from "@palimpsest/core/formats/ai-sdk"
import { allLaws } from "@palimpsest/core/testing"
import { describe, it } from "vitest"
const R = Number(process.env.RUNS ?? 1000)
const S = Number(process.env.SEED ?? 20261202)
for (const law of allLaws.filter((l) => l.title.includes("ai-sdk")))
  describe(law.title, () => {
    for (const p of law.properties) it(p.name, () => p.run({ runs: R, seed: S }))
  })
void aiSdk
