/**
 * Counting in slices, for tokenizers whose time grows with the square of an unbroken run.
 *
 * @since 0.1.0
 */

/** The longest run that a tokenizer is given, in code points. Ordinary text has no longer one. */
const LONGEST_RUN = 256

/**
 * One run of the kinds that a byte-pair tokenizer takes for one word: space, letters with their marks, or symbols with the line
 * breaks between them. The bound keeps the regex engine's own stack small.
 */
const RUN = /\s{1,256}|[\p{L}\p{M}]{1,256}|(?:[^\s\p{L}\p{N}]|[\r\n]){1,256}/gu

/** True when a run was stopped by the bound. A unit is at most a code point: short ones need no exact length. */
const isStopped = (run: string): boolean =>
  run.length >= LONGEST_RUN && Array.from(run).length === LONGEST_RUN

/**
 * Cuts a text so that no slice holds an unbroken run of more than 256 code points. The slices, joined, are the text; a
 * text without long runs is one slice, and no cut parts a surrogate pair.
 *
 * **Example** (A run without a break)
 *
 * ```ts
 * import { sliceForCounting } from "@palimpsest/core"
 *
 * sliceForCounting("a".repeat(600)).map((slice) => slice.length) // => [256, 256, 88]
 * sliceForCounting("plain words ".repeat(600)).length // => 1
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const sliceForCounting = (text: string): ReadonlyArray<string> => {
  const slices: Array<string> = []
  let from = 0
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!isStopped(run)) continue
    slices.push(text.slice(from, index + run.length))
    from = index + run.length
  }
  return from < text.length || text === "" ? [...slices, text.slice(from)] : slices
}

/**
 * Makes a counting function linear in time on hostile text: it counts slice by slice. On a text without long runs the
 * count is exactly the same.
 *
 * @category counting
 * @since 0.1.0
 */
export const guarded =
  (count: (text: string) => number): ((text: string) => number) =>
  (text) =>
    sliceForCounting(text).reduce((sum, slice) => sum + count(slice), 0)
