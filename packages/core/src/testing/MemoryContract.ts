/**
 * What any index of long-term memory must do: named cases that need no test framework.
 *
 * @since 0.1.0
 */
import type { StoreCase } from "./contract/Case.ts"
import type { MemoryPorts } from "./contract/MemoryCase.ts"
import { memoryFindCases } from "./contract/MemoryFinds.ts"
import { memoryKeepCases } from "./contract/MemoryKeeps.ts"

export type { MemoryPorts } from "./contract/MemoryCase.ts"

/**
 * Lists the cases of the contract of a `MemoryIndex`, over the store that it indexes. They hold by words alone, with an
 * embedder or without. Each works in a tenant of its own.
 *
 * **Example** (Names)
 *
 * ```ts
 * import { memoryContract } from "@palimpsest/core/testing"
 *
 * memoryContract.some(({ name }) => name === "of equal documents the newest comes first") // => true
 * ```
 *
 * @category testing
 * @since 0.1.0
 */
export const memoryContract: ReadonlyArray<StoreCase<MemoryPorts>> = [...memoryFindCases, ...memoryKeepCases]
