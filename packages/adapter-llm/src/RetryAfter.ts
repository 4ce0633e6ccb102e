/**
 * When a provider wants to be asked again.
 *
 * @since 0.1.0
 */

const milliseconds = (text: string | undefined, factor: number): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Math.ceil(Number(text) * factor) : undefined

/** An HTTP date names its day and its zone: what `Date.parse` takes beyond that is not one. */
const untilDate = (text: string | undefined, now: number): number | undefined => {
  const then = text !== undefined && /^\s*[A-Za-z]{3,9},.* GMT\s*$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(then) ? undefined : Math.max(0, then - now)
}

/**
 * Reads how long to wait from a response's headers (lower-case names), in milliseconds: `retry-after-ms`, or
 * `retry-after` in seconds or as an HTTP date. Undefined when there is nothing readable.
 *
 * @category getters
 * @since 0.1.0
 */
export const retryAfter = (
  headers: Readonly<Record<string, string | undefined>>,
  now: number,
): number | undefined =>
  milliseconds(headers["retry-after-ms"], 1) ??
  milliseconds(headers["retry-after"], 1000) ??
  untilDate(headers["retry-after"], now)
