/**
 * How the index of long-term memory is kept.
 *
 * @since 0.1.0
 */
import type { Embedder } from "@palimpsest/core/engine"
import type { StoreOptions } from "../Session.ts"

/**
 * Options of the index.
 *
 * @category models
 * @since 0.1.0
 */
export interface MemoryIndexOptions extends StoreOptions {
  /**
   * The embedder that was used before, after a change: searches go on with its vectors until those of the new one are
   * complete.
   */
  readonly previous?: Embedder["Service"]
  /** Deletes the vectors of other embedders as soon as those of this one are complete; they are kept by default. */
  readonly retirePrevious?: boolean
  /** Vectors of one tenant from which on they get an index of their own; 20,000 by default. */
  readonly indexFrom?: number
  /** Most vectors that a search compares one by one; where more match, an index is used if there is one. 10,000 by default. */
  readonly exactUpTo?: number
  /**
   * Most documents whose words are weighed; 3,000 by default. Where more have words of a query, its rarest words are looked
   * up, and of those who have them the newest are weighed.
   */
  readonly weighed?: number
  /** Milliseconds after which the work of a process that died is done by another one; two minutes by default. */
  readonly patience?: number
}

/**
 * The options with their defaults.
 *
 * @category models
 * @since 0.1.0
 */
export interface Settings {
  readonly retirePrevious: boolean
  readonly indexFrom: number
  readonly exactUpTo: number
  readonly weighed: number
  readonly patience: number
}

/**
 * Fills in what was not given.
 *
 * @category constructors
 * @since 0.1.0
 */
export const settingsOf = (options: MemoryIndexOptions): Settings => ({
  retirePrevious: options.retirePrevious ?? false,
  indexFrom: options.indexFrom ?? 20_000,
  exactUpTo: options.exactUpTo ?? 10_000,
  weighed: options.weighed ?? 3000,
  patience: options.patience ?? 120_000,
})
