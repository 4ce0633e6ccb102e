/**
 * The running summary as data: typed items, not prose.
 *
 * @since 0.1.0
 */

/**
 * What an item is about. `task` is the one active task; `pending` and `resolved` are other requests; a `constraint`
 * is a rule that the user set, kept verbatim; then decisions, facts, and artifacts (files, orders, records and
 * their state).
 *
 * @category models
 * @since 0.1.0
 */
export type ItemKind = "task" | "pending" | "resolved" | "constraint" | "decision" | "fact" | "artifact"

/**
 * One thing worth remembering of the rows that the summary covers.
 *
 * @category models
 * @since 0.1.0
 */
export interface Item {
  /** Short and stable, derived from kind, text and first source: `f3a91c20`. */
  readonly id: string
  readonly kind: ItemKind
  /** One line. Once made it is copied, never rewritten. */
  readonly text: string
  /** Ids of the message rows that it comes from. */
  readonly sources: ReadonlyArray<string>
}

/**
 * The items that stand for everything before a cut, oldest first.
 *
 * @category models
 * @since 0.1.0
 */
export interface Summary {
  readonly items: ReadonlyArray<Item>
}

/**
 * An item as a summariser proposes it: its id is derived by `merge`.
 *
 * @category models
 * @since 0.1.0
 */
export type NewItem = Omit<Item, "id">

/**
 * What a summariser returns for a newly covered span: changes to the summary before it, never a rewritten one.
 *
 * @category models
 * @since 0.1.0
 */
export interface Delta {
  readonly add: ReadonlyArray<NewItem>
  /** Ids of `task` and `pending` items that are done; `merge` turns them into `resolved`. */
  readonly resolve: ReadonlyArray<string>
  /** Ids of items that are no longer true. Constraints are dropped only by a source row of the user. */
  readonly drop: ReadonlyArray<{ readonly id: string; readonly source: string }>
}

/**
 * The summary of nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const emptySummary: Summary = { items: [] }

/**
 * The delta that changes nothing.
 *
 * @category constructors
 * @since 0.1.0
 */
export const emptyDelta: Delta = { add: [], resolve: [], drop: [] }
