import type { Law } from "@palimpsest/core/testing"
import * as testing from "@palimpsest/core/testing"

const isLaw = (value: unknown): value is Law =>
  typeof value === "object" &&
  value !== null &&
  "number" in value &&
  "title" in value &&
  "properties" in value

/** Every law that a module exports, alone or in a list, each once, in order of their numbers. */
export const lawsIn = (module: Readonly<Record<string, unknown>>): ReadonlyArray<Law> => {
  const laws = Object.values(module)
    .flatMap((value) => [value].flat())
    .filter(isLaw)
  return [...new Set(laws)].toSorted((a, b) => a.number - b.number)
}

export const allLaws: ReadonlyArray<Law> = lawsIn(testing)
