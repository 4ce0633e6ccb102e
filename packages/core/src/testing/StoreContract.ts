/**
 * What any thread store must do: named cases that need no test framework.
 *
 * @since 0.1.0
 */
import { appendCases } from "./contract/Append.ts"
import type { StoreCase } from "./contract/Case.ts"
import { concurrentCases } from "./contract/Concurrent.ts"
import { isolationCases } from "./contract/Isolation.ts"
import { markCases } from "./contract/Marks.ts"
import { sideCases } from "./contract/Sides.ts"
import { textCases } from "./contract/Texts.ts"
import { windowCases } from "./contract/Windows.ts"

export type { StoreCase } from "./contract/Case.ts"

/**
 * Lists the cases of the contract. Each works in a chat of its own, so that all may run against one store. Those
 * with the flag `concurrent` prove something only where several sessions run at once.
 *
 * **Example** (In a test file)
 *
 * ```ts
 * import { memoryStore, storeContract } from "@palimpsest/core/testing"
 * import { Effect } from "effect"
 *
 * const first = storeContract.slice(0, 1)
 * await Promise.all(first.map(({ run }) => Effect.runPromise(Effect.provide(run, memoryStore))))
 * first.length // => 1
 * ```
 *
 * @category testing
 * @since 0.1.0
 */
export const storeContract: ReadonlyArray<StoreCase> = [
  ...appendCases,
  ...windowCases,
  ...markCases,
  ...sideCases,
  ...textCases,
  ...isolationCases,
  ...concurrentCases,
]
