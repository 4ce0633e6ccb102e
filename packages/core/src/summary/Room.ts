/**
 * The room that a summary has, and what leaves it when there is too little.
 *
 * @since 0.1.0
 */
import type { TokenCounter } from "../count/TokenCounter.ts"
import type { Item, ItemKind } from "./Item.ts"
import { headingTokens, itemTokens } from "./Render.ts"

/** Kinds other than constraints, from the one kept longest to the one that leaves first. */
const PRIORITY: ReadonlyArray<ItemKind> = ["task", "pending", "decision", "fact", "resolved", "artifact"]

/**
 * Splits items into those that fit `maxTokens` and those that leave, whole. The kinds that matter most choose first,
 * and the newest of a kind; what does not fit leaves, and smaller ones after it still have their turn. So the choice
 * does not depend on what left, and choosing again among the kept changes nothing. Constraints take no room here.
 */
export const fitRoom = (
  items: ReadonlyArray<Item>,
  maxTokens: number,
  counter: TokenCounter,
): { readonly kept: ReadonlyArray<Item>; readonly evicted: ReadonlyArray<Item> } => {
  const leaving = new Set<Item>()
  let used = 0
  for (const kind of PRIORITY) {
    let heading = headingTokens(kind, counter)
    for (const item of items.filter((one) => one.kind === kind).reverse()) {
      const cost = heading + itemTokens(item, counter)
      if (used + cost > maxTokens) {
        leaving.add(item)
        continue
      }
      used += cost
      heading = 0
    }
  }
  return {
    kept: items.filter((item) => !leaving.has(item)),
    evicted: items.filter((item) => leaving.has(item)),
  }
}
