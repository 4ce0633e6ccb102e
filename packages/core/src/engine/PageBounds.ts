/**
 * The bounds of a page, whatever a host asks for: every store reads the same rows.
 *
 * @since 0.1.0
 */

/** Positions that one page has at most: what is asked beyond it comes with the next page. */
const MOST = 1_000_000

const whole = (value: unknown, most: number): number =>
  typeof value !== "number" || Number.isNaN(value) ? 0 : Math.min(most, Math.max(0, Math.ceil(value)))

/**
 * Makes whole numbers from 0 on of the bounds of a page: fractions are rounded up, and what is no number counts as 0.
 *
 * @category combinators
 * @since 0.1.0
 */
export const pageBounds = (
  from: number,
  limit: number,
): { readonly from: number; readonly limit: number } => ({
  from: whole(from, Number.MAX_SAFE_INTEGER),
  limit: whole(limit, MOST),
})
