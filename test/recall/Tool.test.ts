import { recallLaw } from "@palimpsest/core/testing"
import { describe, it } from "vitest"

describe("x", () => {
  for (const p of recallLaw.properties) it(p.name, () => p.run({ runs: 100, seed: 7 }), 200000)
})
