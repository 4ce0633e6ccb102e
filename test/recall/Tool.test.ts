import { recallHints } from "@palimpsest/core/testing"
import { recallPages } from "@palimpsest/core/testing"
import { describe, it } from "vitest"
describe("x", () => {
  for (const p of [...recallPages, ...recallHints]) it(p.name, () => p.run({ runs: 300, seed: 7 }), 200000)
})
