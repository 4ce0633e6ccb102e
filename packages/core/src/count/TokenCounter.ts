/**
 * How texts are counted.
 *
 * @since 0.1.0
 */

/**
 * Counts the tokens of a text: synchronous, total, and named, since counts are stored with the name.
 *
 * **Gotchas**
 *
 * `count` must return a non-negative integer for every string, lone surrogates and special-token look-alikes
 * included. Wrap one that may throw with `safeCounter`.
 *
 * @category models
 * @since 0.1.0
 */
export interface TokenCounter {
  readonly name: string
  readonly count: (text: string) => number
}
