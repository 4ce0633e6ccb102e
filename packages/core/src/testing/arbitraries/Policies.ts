/**
 * Random policies and budgets: from windows that hold nothing to windows that are never full.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { BudgetInput } from "../../decide/Budget.ts"
import { type Bound, defaultPolicy, type Policy } from "../../decide/Policy.ts"

const bound = (...fractions: ReadonlyArray<number>): fc.Arbitrary<Bound> =>
  fc.record({
    fraction: fc.constantFrom(...fractions),
    tokens: fc.constantFrom(1_000_000, 1_000_000, 400, 60, 0),
  })

/**
 * Makes policies that are valid: bounds of every size, none included.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryPolicy: fc.Arbitrary<Policy> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(defaultPolicy) },
  {
    weight: 3,
    arbitrary: fc.record({
      trigger: fc.record({ fraction: fc.constantFrom(0.1, 0.2, 0.5, 0.9), tokens: fc.constant(1_000_000) }),
      target: fc.constantFrom(0.3, 0.3, 0.5, 0.5, 0.8, 1),
      tail: bound(0.1, 0.25, 0.6),
      tailGroups: fc.nat(3),
      head: bound(0, 0.15, 0.5),
      summary: bound(0.25, 0.6),
      constraints: bound(0.1, 0.6),
      result: bound(0.25, 1),
      recall: bound(0.2, 0.5),
      minGain: fc.constantFrom(0, 0.05, 0.2, 0.5, 0.9),
      maxWeak: fc.constantFrom(1, 1, 2, 3),
      maxFallbacks: fc.integer({ min: 1, max: 3 }),
      growth: fc.constantFrom(0.05, 0.2, 1, 3),
      maxPasses: fc.integer({ min: 1, max: 5 }),
      stubAbove: fc.constantFrom(0, 20, 60),
      argumentsAbove: fc.constantFrom(0, 100, 600),
      keepImages: fc.nat(2),
      valuesAbove: fc.constantFrom(200, 1_000, 8_192),
      protectedTools: fc.constantFrom([], [], ["deploy"]),
      openLoops: fc.constantFrom("compact" as const, "hold" as const),
      onFailure: fc.constantFrom("extractive" as const, "hold" as const),
    }),
  },
)

/**
 * Makes budgets from no room at all to more than a random thread fills.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryBudget: fc.Arbitrary<BudgetInput> = fc.record({
  window: fc.oneof(
    { weight: 1, arbitrary: fc.nat(150) },
    { weight: 4, arbitrary: fc.integer({ min: 150, max: 1_500 }) },
    { weight: 5, arbitrary: fc.integer({ min: 1_500, max: 5_000 }) },
  ),
  reserve: fc.constantFrom(0, 20, 100),
  margin: fc.constantFrom(0, 10),
  tools: fc.constantFrom(0, 0, 30, 200),
})

/**
 * Makes system prompts: none, short ones, and one that leaves little room.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitrarySystem: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("", "Be kind.") },
  { weight: 2, arbitrary: fc.nat(80).map((times) => "Answer in the user's language. ".repeat(times)) },
)
