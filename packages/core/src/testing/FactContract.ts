/**
 * What any fact store must do: named cases that need no test framework.
 *
 * @since 0.1.0
 */
import type { FactStore } from "../engine/FactStore.ts"
import type { StoreCase } from "./contract/Case.ts"
import { factOnceCases } from "./contract/FactOnce.ts"
import { factOrderCases } from "./contract/FactOrder.ts"

/**
 * Lists the cases of the contract of a fact store, each in a tenant of its own.
 *
 * **Example** (In a test file)
 *
 * ```ts
 * import { factContract, memoryFacts } from "@palimpsest/core/testing"
 * import { Effect } from "effect"
 *
 * const first = factContract.slice(0, 1)
 * await Promise.all(first.map(({ run }) => Effect.runPromise(Effect.provide(run, memoryFacts))))
 * first.length // => 1
 * ```
 *
 * @category testing
 * @since 0.1.0
 */
export const factContract: ReadonlyArray<StoreCase<FactStore>> = [...factOrderCases, ...factOnceCases]
