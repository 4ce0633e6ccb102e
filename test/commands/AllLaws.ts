import type { TokenCounter } from "@palimpsest/core"
import type { countingLaw, Law } from "@palimpsest/core/testing"

/** The modules of a build of the core that hold laws and counters. */
export interface Build {
  readonly testing: Readonly<Record<string, unknown>> & { readonly countingLaw: typeof countingLaw }
  readonly core: { readonly estimateCounter: TokenCounter }
  readonly o200k: { readonly loadO200k: () => Promise<TokenCounter> }
}

const isLaw = (value: unknown): value is Law =>
  typeof value === "object" &&
  value !== null &&
  "number" in value &&
  "title" in value &&
  "properties" in value

const byCounter = (law: Build["testing"]["countingLaw"], counter: TokenCounter): Law => {
  const { properties, ...rest } = law(counter)
  return {
    ...rest,
    properties: properties.map(({ name, run }) => ({ name: `${counter.name}: ${name}`, run })),
  }
}

/** Every law that a build exports, alone or in a list, each once; those of counters for each counter. By number. */
export const lawsOf = async ({ testing, core, o200k }: Build): Promise<ReadonlyArray<Law>> => {
  const counters = [core.estimateCounter, await o200k.loadO200k()]
  const ofCounters = counters.map((counter) => byCounter(testing.countingLaw, counter))
  const exported = Object.values(testing)
    .flatMap((value) => [value].flat())
    .filter(isLaw)
    .filter(({ title }) => ofCounters.every((law) => law.title !== title))
  return [...new Set(exported), ...ofCounters].toSorted((a, b) => a.number - b.number)
}
