/**
 * A summary as the model reads it: sections in a fixed order, one item a line.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import { escapeFence, renderFence, SUMMARY_NOTE } from "../text/Fence.ts"
import { rowAddress } from "../thread/Address.ts"
import type { Item, ItemKind, Summary } from "./Item.ts"
import { oneLine } from "./ItemText.ts"
import { rowName } from "./RowName.ts"

/** The sections in the order in which they are rendered. */
const HEADINGS: ReadonlyArray<readonly [ItemKind, string]> = [
  ["task", "Active task:"],
  ["pending", "Pending:"],
  ["constraint", "Constraints (verbatim):"],
  ["decision", "Decisions:"],
  ["artifact", "Artifacts:"],
  ["fact", "Facts:"],
  ["resolved", "Resolved:"],
]

const FOOTER = "A row named above is read in full by recall with its id."

const sourcesOf = (item: Item): string => {
  if (item.sources.length === 0) return ""
  return `; ${item.sources.length === 1 ? "row" : "rows"} ${item.sources.map((row) => rowName(rowAddress(row))).join(", ")}`
}

const lineOf = (item: Item): string => `- ${oneLine(item.text)} [${item.id}${sourcesOf(item)}]`

/**
 * Renders a summary as text: a heading and its items for each kind that occurs, each item on one line with its id and
 * its source rows, then how a covered row is read. Empty for a summary of nothing.
 *
 * **Example** (One fact)
 *
 * ```ts
 * import { renderSummary } from "@palimpsest/core"
 *
 * const text = renderSummary({
 *   items: [{ id: "f3a91c20", kind: "fact", text: "The port is 8080.", sources: ["m12", "m15"] }],
 * })
 * text.split("\n")[1] // => "- The port is 8080. [f3a91c20; rows m12, m15]"
 * ```
 *
 * @category encoding
 * @since 0.1.0
 */
export const renderSummary = (summary: Summary): string => {
  if (summary.items.length === 0) return ""
  const sections = HEADINGS.flatMap(([kind, heading]) => {
    const items = summary.items.filter((item) => item.kind === kind)
    return items.length === 0 ? [] : [heading, ...items.map(lineOf)]
  })
  return [...sections, FOOTER].join("\n")
}

/**
 * Renders a summary inside its reference-only fence: the text that is sent.
 *
 * @category encoding
 * @since 0.1.0
 */
export const renderSummaryFence = (summary: Summary): string =>
  renderFence("context-summary", SUMMARY_NOTE, renderSummary(summary))

/**
 * Counts the tokens of a summary as it is sent, fence included.
 *
 * @category counting
 * @since 0.1.0
 */
export const summaryTokens = (summary: Summary, counter: TokenCounter): number =>
  counter.count(renderSummaryFence(summary))

/**
 * Counts the tokens of an item's line as it is sent.
 *
 * @category counting
 * @since 0.1.0
 */
export const itemTokens = (item: Item, counter: TokenCounter): number =>
  counter.count(`${escapeFence(lineOf(item))}\n`)

/**
 * Counts the tokens of a kind's heading, paid once when the kind occurs.
 *
 * @category counting
 * @since 0.1.0
 */
export const headingTokens = (kind: ItemKind, counter: TokenCounter): number =>
  counter.count(`${HEADINGS.find(([of]) => of === kind)?.[1] ?? ""}\n`)

/**
 * Counts the tokens that items take in the rendered summary: their lines, and the heading of each kind that occurs.
 *
 * @category counting
 * @since 0.1.0
 */
export const itemsTokens = (items: ReadonlyArray<Item>, counter: TokenCounter): number =>
  [...new Set(items.map((item) => item.kind))].reduce((sum, kind) => sum + headingTokens(kind, counter), 0) +
  items.reduce((sum, item) => sum + itemTokens(item, counter), 0)
