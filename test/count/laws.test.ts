import { estimateCounter } from "@palimpsest/core"
import { loadO200k } from "@palimpsest/core/o200k"
import { countingLaw } from "@palimpsest/core/testing"
import { describe, it } from "vitest"

for (const counter of [estimateCounter, await loadO200k()]) {
  const { number, title, properties } = countingLaw(counter)
  describe(`law ${number}: ${title}, by ${counter.name}`, () => {
    for (const { name, run } of properties) it(name, () => run({ runs: 1000 }))
  })
}
