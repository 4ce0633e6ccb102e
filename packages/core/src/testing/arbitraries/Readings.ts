/**
 * Random readings: plausible ones, those of other prompts, and nonsense.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import type { Reading, ReadingKey } from "../../count/Calibrate.ts"

/**
 * What the readings of these arbitraries are looked at for.
 *
 * @category constants
 * @since 0.1.0
 */
export const readingTarget: ReadingKey = { model: "m", counter: "c", boundary: "cut" }

const estimate = fc.integer({ min: 500, max: 400_000 })

/** Ratios that a tokenizer can have; both bounds of a factor are inside. */
const ratio = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 50, max: 250 }) },
    { weight: 1, arbitrary: fc.integer({ min: 25, max: 450 }) },
  )
  .map((hundredths) => hundredths / 100)

/**
 * Makes readings of the target that count.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const plausibleReading: fc.Arbitrary<Reading> = fc
  .tuple(estimate, ratio)
  .map(([estimated, times]) => ({ ...readingTarget, estimated, real: estimated * times }))

/**
 * Makes readings of prompts of the target that the provider refused.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const refusedPrompt: fc.Arbitrary<Reading> = fc
  .tuple(estimate, fc.constantFrom(100, 110, 130, 180, 900))
  .map(([estimated, percent]) => ({
    ...readingTarget,
    estimated,
    real: (estimated * percent) / 100,
    overflow: true,
  }))

/**
 * Makes readings that are good but of another model, counter or boundary.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const foreignReading: fc.Arbitrary<Reading> = fc
  .tuple(
    fc.oneof(plausibleReading, refusedPrompt),
    fc.constantFrom(
      { model: "another" },
      { model: "" },
      { counter: "another" },
      { boundary: "an older cut" },
      { boundary: null },
    ),
  )
  .map(([reading, other]) => ({ ...reading, ...other }))

const noTokens = fc.constantFrom(
  0,
  -0,
  -1,
  -1e9,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
)

const brokenReading: fc.Arbitrary<Reading> = fc
  .tuple(fc.oneof(plausibleReading, refusedPrompt), noTokens, fc.boolean())
  .map(([reading, n, which]) => (which ? { ...reading, real: n } : { ...reading, estimated: n }))

/** Six times off, or too small to say anything. */
const absurdReading: fc.Arbitrary<Reading> = fc
  .tuple(
    plausibleReading,
    fc.constantFrom(6, 1000, 1e-3, 1 / 6),
    fc.integer({ min: 1, max: 499 }),
    fc.boolean(),
  )
  .map(([reading, times, few, isSmall]) =>
    isSmall ? { ...reading, estimated: few, real: few * 2 } : { ...reading, real: reading.estimated * times },
  )

/**
 * Makes readings of the target that say nothing.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const nonsenseReading: fc.Arbitrary<Reading> = fc.oneof(brokenReading, absurdReading)

/**
 * Makes histories of readings of every kind.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryReadings: fc.Arbitrary<ReadonlyArray<Reading>> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: plausibleReading },
    { weight: 1, arbitrary: refusedPrompt },
    { weight: 2, arbitrary: foreignReading },
    { weight: 2, arbitrary: nonsenseReading },
  ),
  { maxLength: 16, size: "max" },
)
