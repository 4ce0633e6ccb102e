import { fencesLaw, unicodeLaw } from "@palimpsest/core/testing"
import { describe, it } from "vitest"

for (const { number, title, properties } of [fencesLaw, unicodeLaw]) {
  describe(`law ${number}: ${title}`, () => {
    for (const { name, run } of properties) it(name, () => run({ runs: 1000 }))
  })
}
