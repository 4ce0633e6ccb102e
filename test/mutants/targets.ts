import type { Mutant } from "./Mutant.ts"

const folder = "packages/core/src/formats/target"

/** Changes of the way from a prompt to a request. */
export const mutants: ReadonlyArray<Mutant> = [
  {
    law: 3,
    file: `${folder}/RequestFor.ts`,
    find: "= format.repair(encoded.request)",
    replace: "= { request: encoded.request, repairs: [] }",
    why: "a prompt is sent as it was written, whatever the provider's rules are",
  },
  {
    law: 3,
    file: `${folder}/RequestFor.ts`,
    find: "items: seen.items,",
    replace: "items: seen.items.slice(0, -1),",
    why: "the newest words of the user are lost on the way to the model",
  },
]
