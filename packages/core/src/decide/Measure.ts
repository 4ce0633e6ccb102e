/**
 * What a prompt weighs, part by part.
 *
 * @since 0.1.0
 */
import type { Group } from "../thread/Group.ts"
import type { RecallEntry, Window } from "../thread/Window.ts"

/**
 * Tokens of each part of a prompt. `total` is their sum without `tools`, which the budget has taken off already.
 *
 * @category models
 * @since 0.1.0
 */
export interface Parts {
  readonly system: number
  readonly head: number
  readonly summary: number
  readonly carried: number
  readonly tail: number
  readonly recall: number
  readonly total: number
}

/**
 * Finds the recall blocks that stand before the groups given, or wait at the end for a message to come.
 *
 * @category getters
 * @since 0.1.0
 */
export const recallsOf = (
  groups: ReadonlyArray<Group>,
  recalls: ReadonlyArray<RecallEntry>,
): ReadonlyArray<RecallEntry> => {
  if (recalls.length === 0) return recalls
  const rows = new Set(groups.flatMap((group) => group.entries.map((entry) => entry.row.id)))
  return recalls.filter((recall) => recall.before === null || rows.has(recall.before))
}

/**
 * Sums the tokens of groups.
 *
 * @category getters
 * @since 0.1.0
 */
export const tokensOf = (groups: ReadonlyArray<Group>): number =>
  groups.reduce((sum, group) => sum + group.tokens, 0)

/**
 * Measures a window.
 *
 * @category getters
 * @since 0.1.0
 */
export const measure = (window: Window, groups: ReadonlyArray<Group>): Parts => {
  const at = (place: string) => tokensOf(groups.filter((group) => group.entries[0]?.place === place))
  const recall = recallsOf(groups, window.recalls).reduce((sum, entry) => sum + entry.tokens, 0)
  const parts = {
    system: window.systemTokens,
    head: at("head"),
    summary: window.summaryTokens,
    carried: at("carried"),
    tail: at("live"),
    recall,
  }
  return { ...parts, total: Object.values(parts).reduce((sum, n) => sum + n, 0) }
}
