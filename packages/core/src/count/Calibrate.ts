/**
 * The error of an estimate, learnt from what a provider counted: a pure fold over readings.
 *
 * @since 0.1.0
 */

/**
 * A prompt of which both counts are known: ours and the provider's. It is of one model, one counter and one
 * boundary: after a cut the prompt is another text, and a reading from before says nothing of it.
 *
 * @category models
 * @since 0.1.0
 */
export interface Reading {
  readonly model: string
  /** Name of the counter that estimated. */
  readonly counter: string
  /** Id of the cut that was live when the prompt was made; null without one. */
  readonly boundary: string | null
  /** Tokens of the prompt as they were counted here, tools included. */
  readonly estimated: number
  /** Tokens of the prompt as the provider counted them. */
  readonly real: number
  /** The provider refused the prompt as too long: `real` is the least that it can have been. */
  readonly overflow?: boolean
}

/**
 * What a reading must be of to count.
 *
 * @category models
 * @since 0.1.0
 */
export type ReadingKey = Pick<Reading, "model" | "counter" | "boundary">

/**
 * How counts are corrected.
 *
 * @category models
 * @since 0.1.0
 */
export interface Calibration {
  /** Real tokens to an estimated one; 1 while nothing is known. */
  readonly factor: number
  /** Number of readings that count. */
  readonly readings: number
  /** Estimated tokens that the provider has refused: a prompt must stay below. Null when it refused none. */
  readonly ceiling: number | null
}

/**
 * The calibration of which nothing is known.
 *
 * @category constants
 * @since 0.1.0
 */
export const uncalibrated: Calibration = { factor: 1, readings: 0, ceiling: null }

/**
 * The bounds of a factor. Below: the clamp of Gemini CLI's adaptive calculator, 0.5. Above: 2.5, since the older
 * Claude tokenizer was measured at up to 1.61 of o200k (Chinese and Cyrillic), and the newer one at up to 1.35 of the
 * older.
 *
 * @category constants
 * @since 0.1.0
 */
export const factorBounds: { readonly least: number; readonly most: number } = { least: 0.5, most: 2.5 }

/**
 * A ratio beyond this, or below its inverse, is no error of counting but a reading of something else. The largest
 * error that was measured is 2.8: four characters to a token, on base64.
 */
const PLAUSIBLE = 5

/** Below this many tokens what a provider adds by itself (346 for tools on Claude 4) outweighs the error. */
const LEAST_ESTIMATE = 500

/**
 * How many of the newest readings are looked at: a chat that changes its language is followed, an outlier is not.
 *
 * @category constants
 * @since 0.1.0
 */
export const newestReadings = 5

const isTokens = (value: number): boolean => Number.isFinite(value) && value > 0

const ratioOf = ({ real, estimated }: Reading): number => real / estimated

const isOf = (key: ReadingKey) => (reading: Reading) =>
  reading.model === key.model &&
  reading.counter === key.counter &&
  reading.boundary === key.boundary &&
  isTokens(reading.real) &&
  isTokens(reading.estimated)

const isPlausible = (reading: Reading): boolean =>
  reading.estimated >= LEAST_ESTIMATE && ratioOf(reading) <= PLAUSIBLE && ratioOf(reading) >= 1 / PLAUSIBLE

/** The middle one; of two, the larger, which is the safer. 1 of none. */
const median = (ratios: ReadonlyArray<number>): number =>
  ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1

const clamped = (factor: number): number =>
  Math.round(100 * Math.min(factorBounds.most, Math.max(factorBounds.least, factor))) / 100

/**
 * Learns from readings, oldest first: the median of the newest five of the same model, counter and boundary, clamped.
 * What is zero, broken, too small or implausible is passed over. An overflow raises the factor to what it proves.
 *
 * **Example** (A tokenizer that needs a quarter more)
 *
 * ```ts
 * import { calibrate } from "@palimpsest/core"
 *
 * const key = { model: "claude", counter: "o200k", boundary: null }
 * const reading = { ...key, estimated: 10_000, real: 12_500 }
 * calibrate([reading, { ...reading, model: "gpt", real: 10_000 }], key).factor // => 1.25
 * calibrate([reading], { ...key, boundary: "a later cut" }).factor // => 1
 * ```
 *
 * @category counting
 * @since 0.1.0
 */
export const calibrate = (readings: ReadonlyArray<Reading>, key: ReadingKey): Calibration => {
  const own = readings.filter(isOf(key))
  const overflows = own.filter((reading) => reading.overflow === true)
  const counted = own.filter((reading) => reading.overflow !== true && isPlausible(reading))
  if (counted.length + overflows.length === 0) return uncalibrated
  const learnt = median(counted.slice(-newestReadings).map(ratioOf))
  return {
    factor: clamped(overflows.reduce((most, reading) => Math.max(most, ratioOf(reading)), learnt)),
    readings: Math.min(counted.length, newestReadings) + overflows.length,
    ceiling: overflows.length === 0 ? null : Math.min(...overflows.map((reading) => reading.estimated)),
  }
}

/**
 * Makes the reading of a prompt that the provider refused as too long: it had more tokens than the window, and the
 * estimate was too low. The next prompt of the same window has to be smaller.
 *
 * **Example** (Images that a proxy bills as text)
 *
 * ```ts
 * import { calibrate, overflowReading } from "@palimpsest/core"
 *
 * const key = { model: "m", counter: "o200k", boundary: null }
 * calibrate([overflowReading({ ...key, estimated: 100_000 }, 200_000)], key)
 * // => { factor: 2, readings: 1, ceiling: 100000 }
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const overflowReading = (prompt: Omit<Reading, "real" | "overflow">, window: number): Reading => ({
  ...prompt,
  real: Math.max(window, prompt.estimated),
  overflow: true,
})
