import type { Mutant } from "./Mutant.ts"

/** Changes of the flush before a summary that law 9 and law 10 must catch. */
export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 9,
    file: "packages/core/src/engine/Flush.ts",
    find: "return { facts: null, failures }",
    replace: "return { facts: 0, failures }",
    why: "a flush that failed counts as one of no facts",
  },
  {
    law: 10,
    file: "packages/core/src/engine/Passes.ts",
    find: "const request = { key, owner, boundary, rows: span.rows }",
    replace: "const request = { key, owner, boundary, rows: span.rows.slice(1) }",
    why: "the first row of a span is not flushed",
  },
]
