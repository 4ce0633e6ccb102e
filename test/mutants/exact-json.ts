import type { Mutant } from "./Mutant.ts"

const folder = "packages/core/src/formats/format"
const exact = `${folder}/ExactJson.ts`

export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: exact,
    find: 'return value.startsWith("n") ? new ExactNumber(value.slice(1)) : value.slice(1)',
    replace: 'return value.startsWith("n") ? new ExactNumber(value.slice(1)) : value',
    why: "a string beside an exact number comes back with a letter before it",
  },
  {
    law: 3,
    file: `${folder}/Guarded.ts`,
    find: "return isPlain(input) ? act(input) : instead()",
    replace: "return act(input)",
    why: "a getter that fails makes a format fail",
  },
]
