/**
 * Identical tool results, kept once: the newest.
 *
 * @since 0.1.0
 */
import { rowAddress } from "../thread/Address.ts"
import type { ToolResultPart } from "../thread/Message.ts"
import { oneLine } from "./Facts.ts"
import { recallHint, type StubInput, toolOf } from "./StubRule.ts"

/** Results of fewer UTF-16 units are not worth a reference: more than any line that stands for a result has. */
const LEAST = 320

/**
 * A result of a tool in the order of the window.
 *
 * @category models
 * @since 0.1.0
 */
export interface Repeatable extends StubInput {
  /** Whether this pass may replace it. */
  readonly eligible: boolean
  /** Whether this pass sends it unreduced, so that others may refer to it. */
  readonly whole: boolean
}

const isLong = (result: ToolResultPart, text: string): boolean =>
  text.length >= LEAST || result.content.some((item) => item.type === "media")

const keyOf = ({ call, result }: Repeatable): string =>
  JSON.stringify([toolOf({ call, result }), result.status, result.content])

const reference = (older: Repeatable, newer: Repeatable): string => {
  const tool = oneLine(toolOf(older), 60)
  return `[${tool}: same result as row ${JSON.stringify(rowAddress(newer.row))} below; ${recallHint(older.row)}]`
}

/**
 * Finds results that a newer one repeats word for word, and the reference that stands for each, by the index of
 * the result. Of equal ones, the newest that is sent whole is kept, and referred to.
 *
 * **Example** (A page that was read twice)
 *
 * ```ts
 * import { dedupe } from "@palimpsest/core"
 *
 * const page = { type: "text", text: "x".repeat(500) } as const
 * const read = (row: string) => ({
 *   row,
 *   call: null,
 *   result: { type: "tool-result", call: row, name: "read", status: "ok", content: [page] } as const,
 *   text: page.text,
 *   eligible: row === "m2",
 *   whole: true,
 * })
 * dedupe([read("m2"), read("m9")]).get(0) // => '[read: same result as row "m9" below; recall("m2")]'
 * ```
 *
 * @category combinators
 * @since 0.1.0
 */
export const dedupe = (results: ReadonlyArray<Repeatable>): ReadonlyMap<number, string> => {
  const kept = new Map<string, Repeatable>()
  const references = new Map<number, string>()
  for (let i = results.length - 1; i >= 0; i--) {
    const each = results[i]
    if (each === undefined || !isLong(each.result, each.text)) continue
    const key = keyOf(each)
    const newer = kept.get(key)
    if (newer !== undefined && each.eligible) references.set(i, reference(each, newer))
    else if (newer === undefined && each.whole) kept.set(key, each)
  }
  return references
}
