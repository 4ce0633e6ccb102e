/**
 * What any thread store must do: named cases that need no test framework.
 *
 * @since 0.1.0
 */
import { appendCases } from "./contract/Append.ts"
import type { StoreCase } from "./contract/Case.ts"
import { concurrentCases } from "./contract/Concurrent.ts"
import { editCases } from "./contract/Edit.ts"
import { factRemoveCases } from "./contract/FactRemove.ts"
import { forkCases } from "./contract/Fork.ts"
import { isolationCases } from "./contract/Isolation.ts"
import { leaseCases } from "./contract/Leases.ts"
import { markCases } from "./contract/Marks.ts"
import { ownerCases } from "./contract/Owners.ts"
import { removeCases } from "./contract/Remove.ts"
import { rewindCases } from "./contract/Rewind.ts"
import { sideCases } from "./contract/Sides.ts"
import { tangleCases } from "./contract/Tangles.ts"
import { textCases } from "./contract/Texts.ts"
import { windowCases } from "./contract/Windows.ts"

import type { StorePorts } from "./MemoryStore.ts"

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

/**
 * Lists the cases of the ports beside the thread store: what people do to threads, leases and large values. A place
 * for threads that answers all of these ports passes both lists.
 *
 * @category testing
 * @since 0.1.0
 */
export const portsContract: ReadonlyArray<StoreCase<StorePorts>> = [
  ...rewindCases,
  ...editCases,
  ...forkCases,
  ...removeCases,
  ...leaseCases,
  ...tangleCases,
  ...factRemoveCases,
  ...ownerCases,
]
