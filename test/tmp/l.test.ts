import { allLaws } from "@palimpsest/core/testing"
import { describe, it } from "vitest"
const only = process.env.LAW ?? ""
const runs = Number(process.env.RUNS ?? 300)
for (const [i, law] of allLaws.entries())
  if (new RegExp(only).test(law.title))
    describe(`${i} ${law.title}`, () => {
      for (const p of law.properties) it(p.name, () => p.run({ runs, seed: 20261202 }))
    })
