import { prepassLaw } from "@palimpsest/core/testing"
import { describe, it } from "vitest"

describe(`law ${prepassLaw.number}: ${prepassLaw.title}`, () => {
  for (const { name, run } of prepassLaw.properties) {
    it(name, () => run({ runs: 1000 }))
  }
})
