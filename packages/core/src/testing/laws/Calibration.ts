/**
 * Law 14, its second half: calibration.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import {
  type Calibration,
  calibrate,
  factorBounds,
  newestReadings,
  overflowReading,
  type Reading,
  uncalibrated,
} from "../../count/Calibrate.ts"
import { type BudgetInput, calibrateBudget, makeBudget } from "../../decide/Budget.ts"
import { limitsOf } from "../../decide/Policy.ts"
import { arbitraryPolicy } from "../arbitraries/Policies.ts"
import {
  arbitraryReadings,
  foreignReading,
  nonsenseReading,
  plausibleReading,
  readingTarget,
  refusedPrompt,
} from "../arbitraries/Readings.ts"
import { type Law, property } from "../Law.ts"
import { same } from "./Look.ts"

const learn = (readings: ReadonlyArray<Reading>): Calibration => calibrate(readings, readingTarget)

const { least, most } = factorBounds

const clamp = (factor: number): number => Math.min(most, Math.max(least, factor))

/** A factor has two decimals. */
const STEP = 0.005 + 1e-9

const plausible = fc.array(plausibleReading, { minLength: 1, maxLength: 12 })

const isBounded = fc.property(arbitraryReadings, (readings) => {
  const { factor, ceiling, readings: counted } = learn(readings)
  return (
    factor >= least &&
    factor <= most &&
    (ceiling === null || (ceiling > 0 && Number.isFinite(ceiling))) &&
    Number.isInteger(counted) &&
    counted <= readings.length
  )
})

const saysNothing = (odd: fc.Arbitrary<Reading>) =>
  fc.property(
    arbitraryReadings,
    fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 6 }),
    (all, more) => {
      const mixed = more.reduce((sofar, [at, one]) => sofar.toSpliced(at % (sofar.length + 1), 0, one), all)
      return same(learn(mixed), learn(all))
    },
  )

const isMonotone = fc.property(
  plausible,
  fc.nat(),
  fc.integer({ min: 100, max: 110 }),
  (all, at, percent) => {
    const i = at % all.length
    const higher = all.map((one, j) => (i === j ? { ...one, real: (one.real * percent) / 100 } : one))
    return learn(higher).factor >= learn(all).factor
  },
)

const learnsWhatIsSo = fc.property(plausible, plausibleReading, (all, { real, estimated }) => {
  const alike = all.map((one) => ({ ...one, real: one.estimated * (real / estimated) }))
  return Math.abs(learn(alike).factor - clamp(real / estimated)) <= STEP
})

/** Two of five outliers, wherever they stand, do not move the factor beyond what the other three say. */
const liesBetween = fc.property(plausible, fc.nat(newestReadings - 1), (all, first) => {
  const ratios = all.slice(-newestReadings).map(({ real, estimated }) => real / estimated)
  const isFull = ratios.length === newestReadings
  const kept = ratios.filter((_, i) => !isFull || (i - first + newestReadings) % newestReadings > 1)
  const { factor } = learn(all)
  return factor >= clamp(Math.min(...kept)) - STEP && factor <= clamp(Math.max(...kept)) + STEP
})

const knowsTheNewest = fc.property(plausible, plausible, (old, all) => {
  const recent = [...all, ...all, ...all, ...all, ...all].slice(0, newestReadings)
  return same(learn([...old, ...recent]), learn(recent)) && learn(recent).readings === newestReadings
})

const hasNoOrder = fc.property(
  fc.array(plausibleReading, { maxLength: newestReadings }),
  fc.array(refusedPrompt, { maxLength: 4 }),
  fc.array(fc.nat(), { minLength: 9, maxLength: 9 }),
  (some, refused, keys) => {
    const all = [...some, ...refused]
    const shuffled = all
      .map((one, i) => ({ one, key: keys[i] ?? 0 }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ one }) => one)
    return same(learn(shuffled), learn(all))
  },
)

const isDeterministic = fc.property(arbitraryReadings, (readings) => {
  const copy = readings.map((one) => ({ ...one }))
  const first = learn(readings)
  return same(learn(readings), first) && same(learn(copy), first) && same(readings, copy)
})

const window = fc.integer({ min: 1_000, max: 1_000_000 })

const provesOverflow = fc.property(arbitraryReadings, plausibleReading, window, (all, prompt, held) => {
  const { estimated } = prompt
  const refused = overflowReading({ ...readingTarget, estimated }, held)
  const before = learn(all)
  const { factor, ceiling } = learn([...all, refused])
  return (
    factor >= before.factor &&
    factor >= clamp(held / estimated) - STEP &&
    ceiling !== null &&
    ceiling <= estimated &&
    ceiling === Math.min(estimated, before.ceiling ?? estimated)
  )
})

const budgets: fc.Arbitrary<BudgetInput> = fc.record({
  window: fc.oneof(fc.nat(2_000), fc.nat(2_000_000)),
  reserve: fc.nat(40_000),
  margin: fc.nat(4_000),
  tools: fc.oneof(fc.constant(0), fc.nat(20_000)),
})

const isBelow = fc.property(budgets, arbitraryReadings, (input, readings) => {
  const { factor, ceiling } = learn(readings)
  const { window, reserve, margin, tools, limit } = calibrateBudget(makeBudget(input), learn(readings))
  if (limit === 0) return true
  const fits = (limit + tools) * factor <= window - reserve - margin + 1e-6
  return Number.isInteger(limit) && limit > 0 && fits && (ceiling === null || limit + tools < ceiling)
})

const usesItsRoom = fc.property(budgets, arbitraryReadings, (input, readings) => {
  const { factor, ceiling } = learn(readings)
  const { window, reserve, margin, tools, limit } = calibrateBudget(makeBudget(input), learn(readings))
  const next = limit + 1 + tools
  return next * factor > window - reserve - margin - 1e-6 || (ceiling !== null && next >= ceiling)
})

const changesNothing = fc.property(budgets, (input) => {
  const budget = makeBudget(input)
  return same(calibrateBudget(budget, uncalibrated), budget) && budget.factor === 1
})

const hundredths = fc.integer({ min: 100 * least, max: 100 * most }).map((n) => n / 100)

const onlyShrinks = fc.property(budgets, hundredths, hundredths, arbitraryPolicy, (input, a, b, policy) => {
  const budget = makeBudget(input)
  const [low, high] = [Math.min(a, b), Math.max(a, b)].map((factor) =>
    calibrateBudget(budget, { ...uncalibrated, factor }),
  )
  if (low === undefined || high === undefined) return false
  const [before, after] = [low, high].map((one) => limitsOf(policy, one, 0))
  return (
    high.limit <= low.limit &&
    before !== undefined &&
    after !== undefined &&
    after.trigger <= before.trigger &&
    [before, after].every(({ trigger, target, limit }) => target <= trigger && trigger <= limit)
  )
})

/**
 * Holds the second half of law 14: a factor is learnt from readings of the same model, counter and boundary alone, is
 * clamped, and what a budget gives by it never exceeds the room or what the provider refused.
 *
 * @category laws
 * @since 0.1.0
 */
export const calibrationLaw: Law = {
  number: 14,
  title: "calibration",
  properties: [
    property("a factor is within its bounds, whatever is read", isBounded),
    property("readings of another model, counter or boundary say nothing", saysNothing(foreignReading)),
    property("readings that are broken, absurd or too small say nothing", saysNothing(nonsenseReading)),
    property("a higher count of the provider never lowers the factor", isMonotone),
    property("what all readings say is what is learnt", learnsWhatIsSo),
    property("two outliers of five do not lead", liesBetween),
    property("readings before the newest five are forgotten", knowsTheNewest),
    property("among those that count their order does not matter", hasNoOrder),
    property("the same readings give the same calibration, and are left as they are", isDeterministic),
    property("a refused prompt raises the factor and lowers the ceiling", provesOverflow),
    property(
      "an estimate within the budget, with the factor, fits the room and is below the ceiling",
      isBelow,
    ),
    property("a budget leaves no room unused", usesItsRoom),
    property("nothing learnt changes nothing", changesNothing),
    property("a higher factor never raises a limit or a trigger", onlyShrinks),
  ],
}
