/**
 * The tools that give memories: what they answer was said before, and is never a source of memories or facts.
 *
 * @since 0.1.0
 */
import type { Part, ToolCallPart } from "./Message.ts"
import type { MessageRow } from "./Row.ts"

/**
 * The name of the recall tool.
 *
 * @category constants
 * @since 0.1.0
 */
export const RECALL_TOOL = "recall"

/**
 * The tools of this library that give memories.
 *
 * @category constants
 * @since 0.1.0
 */
export const memoryTools: ReadonlySet<string> = new Set([RECALL_TOOL])

/**
 * Tells whether a part is an answer of a tool that gives memories. Give the call as well where it is known: some
 * formats name the tool there alone.
 *
 * **Example** (An answer of the recall tool)
 *
 * ```ts
 * import { isMemoryResult } from "@palimpsest/core"
 *
 * const result = { type: "tool-result", call: "c1", status: "ok", content: [] } as const
 * isMemoryResult(result, { type: "tool-call", id: "c1", name: "recall", arguments: "{}" }) // => true
 * isMemoryResult({ ...result, name: "search" }) // => false
 * ```
 *
 * @category guards
 * @since 0.1.0
 */
export const isMemoryResult = (
  part: Part,
  call: ToolCallPart | null = null,
  tools: ReadonlySet<string> = memoryTools,
): boolean => part.type === "tool-result" && tools.has(call?.name ?? part.name ?? "")

/**
 * Finds the parts of consecutive rows that are answers of tools that give memories: each by the nearest call before it that
 * has its id, else by its own name.
 *
 * @category getters
 * @since 0.1.0
 */
export const memoryResultsIn = (
  rows: ReadonlyArray<MessageRow>,
  tools: ReadonlySet<string> = memoryTools,
): ReadonlySet<Part> => {
  const calls = new Map<string, ToolCallPart>()
  const found = new Set<Part>()
  for (const part of rows.flatMap(({ message }): ReadonlyArray<Part> => message.parts)) {
    if (part.type === "tool-call") calls.set(part.id, part)
    else if (part.type === "tool-result" && isMemoryResult(part, calls.get(part.call) ?? null, tools))
      found.add(part)
  }
  return found
}
