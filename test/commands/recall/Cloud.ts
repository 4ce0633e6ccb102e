/** Points as embedders give them: clusters of many sizes, seeded, so that each run has the same ones. */

/** A generator of numbers from 0 to 1 (mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Normally distributed numbers (Box and Muller). */
const gaussianFrom = (random: () => number) => (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const CLUSTERS = 200

/** How far the points of a cluster lie around its centre, in each dimension; centres lie 1 apart. */
const SPREAD = 0.6

/** A source of points of so many dimensions. */
export const cloud = (dimensions: number, seed: number) => {
  const random = randomFrom(seed)
  const gaussian = gaussianFrom(random)
  const centres = Array.from({ length: CLUSTERS }, () => Array.from({ length: dimensions }, gaussian))
  // A square makes some clusters large and many small.
  const centre = (): ReadonlyArray<number> => centres[Math.floor(random() ** 2 * CLUSTERS)] ?? []
  return {
    random,
    point: (): ReadonlyArray<number> => centre().map((value) => value + SPREAD * gaussian()),
  }
}
