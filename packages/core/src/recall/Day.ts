/**
 * The day of a time, as text.
 *
 * @since 0.1.0
 */

const DAY = 86_400_000

/** Days of 400 years, of 100, of 4 and of one: the calendar repeats. */
const ERA = 146_097

const two = (n: number): string => String(n).padStart(2, "0")

/**
 * Writes the day of a time, in milliseconds since 1970, in UTC; null for what is no time between the years 1 and 9999.
 *
 * The years begin in March here, so that the day that leap years add comes last.
 *
 * **Example** (A day)
 *
 * ```ts
 * import { dayOf } from "@palimpsest/core"
 *
 * dayOf(1_683_554_160_000) // => "2023-05-08"
 * ```
 *
 * @category getters
 * @since 0.1.0
 */
export const dayOf = (at: number): string | null => {
  if (!Number.isFinite(at)) return null
  const days = Math.floor(at / DAY) + 719_468
  const era = Math.floor(days / ERA)
  const day = days - era * ERA
  const year = Math.floor(
    (day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365,
  )
  const ofYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const march = Math.floor((5 * ofYear + 2) / 153)
  const ofMonth = ofYear - Math.floor((153 * march + 2) / 5) + 1
  const month = march < 10 ? march + 3 : march - 9
  const full = year + era * 400 + (month <= 2 ? 1 : 0)
  return full < 1 || full > 9999 ? null : `${String(full).padStart(4, "0")}-${two(month)}-${two(ofMonth)}`
}
