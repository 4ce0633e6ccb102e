/**
 * Faults of single blocks: what a rule refuses, and what stands in its place when it is repaired.
 *
 * @since 0.1.0
 */
import type { Repaired } from "../format/Format.ts"
import type { Rule, WireRepair } from "../format/Rule.ts"
import { asContent, innerBlocks } from "./Kinds.ts"
import { placedIn, type View } from "./Turns.ts"
import type { AnthropicBlock, AnthropicMessage, AnthropicRequest } from "./Wire.ts"

/** A block that a rule refuses. */
export interface Fault {
  readonly rule: string
  readonly path: string
  readonly detail: string
  /** What stands in its place in a repaired request. */
  readonly instead: ReadonlyArray<AnthropicBlock>
}

/** Finds the faults of a request. */
export type Finder = (view: View) => ReadonlyArray<Fault>

/** The rule of an id, by what finders find. */
export const ruleOf = (id: string, ...finders: ReadonlyArray<Finder>): Rule<View> => ({
  id,
  check: (view) =>
    finders
      .flatMap((find) => find(view))
      .filter(({ rule }) => rule === id)
      .map(({ path, detail }) => ({ path, detail })),
})

type Faults = ReadonlyMap<string, Fault>

/** Repairs a block or the blocks inside it. A block that is replaced is looked into the next time. */
const mend = (block: AnthropicBlock, path: string, faults: Faults): ReadonlyArray<AnthropicBlock> => {
  const own = faults.get(path)
  if (own !== undefined) return own.instead
  const inner = innerBlocks(block)
  if (!inner.some((_, i) => faults.has(`${path}.content[${i}]`))) return [block]
  return [{ ...block, content: inner.flatMap((one, i) => mend(one, `${path}.content[${i}]`, faults)) }]
}

const mendMessage = (message: AnthropicMessage, path: string, faults: Faults): AnthropicMessage => {
  const placed = placedIn(message, path)
  const mended = placed.map((one) => mend(one.block, one.path, faults))
  const isSame = placed.every(({ block }, i) => mended[i]?.length === 1 && mended[i][0] === block)
  if (isSame) return message
  const content = mended.flat()
  return { ...message, content: typeof message.content === "string" ? asContent(content) : content }
}

/** A request with its faults repaired: one for each block at a time. */
export const withoutFaults = (
  request: AnthropicRequest,
  found: ReadonlyArray<Fault>,
): Repaired<AnthropicRequest> => {
  if (found.length === 0) return { request, repairs: [] }
  const faults = new Map(found.map((fault) => [fault.path, fault] as const))
  const repairs = [...faults.values()].map(
    ({ rule, path, detail, instead }): WireRepair => ({
      rule,
      path,
      detail: `${instead.length === 0 ? "left out" : "replaced"}: ${detail}`,
    }),
  )
  const messages = request.messages.map((message, i) => mendMessage(message, `messages[${i}]`, faults))
  return { request: { ...request, messages }, repairs }
}
