/** A figure: how long one thing takes beside another in the same run, and the most that it may. */
export interface Figure {
  readonly name: string
  readonly bound: number
  /** Repetitions of each. */
  readonly times: number
  readonly measured: () => Promise<unknown> | unknown
  readonly yardstick: () => Promise<unknown> | unknown
}

/** One attempt, medians in milliseconds. */
export interface Attempt {
  readonly measured: number
  readonly yardstick: number
  readonly ratio: number
}

/** A figure with what was seen. Noise only makes a ratio worse, so the best attempt counts. */
export interface Reading {
  readonly name: string
  readonly bound: number
  readonly ratio: number
  readonly holds: boolean
  readonly attempts: ReadonlyArray<Attempt>
}

const MOST_ATTEMPTS = 3

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const timed = async (action: Figure["measured"]): Promise<number> => {
  const start = performance.now()
  await action()
  return performance.now() - start
}

/** Takes turns at going first, so that a slow moment of the machine falls on both. The first turns only warm up. */
const attempt = async ({ measured, yardstick, times }: Figure): Promise<Attempt> => {
  const warmUp = Math.ceil(times / 4)
  const pairs: Array<readonly [number, number]> = []
  for (let i = 0; i < times + warmUp; i++) {
    const isFirst = i % 2 === 0
    const early = await timed(isFirst ? measured : yardstick)
    const late = await timed(isFirst ? yardstick : measured)
    if (i >= warmUp) pairs.push(isFirst ? [early, late] : [late, early])
  }
  const [own, other] = [median(pairs.map(([one]) => one)), median(pairs.map(([, two]) => two))]
  return { measured: own, yardstick: other, ratio: own / other }
}

/** Reads a figure, again when it misses its bound: machines are noisy. */
export const read = async (figure: Figure): Promise<Reading> => {
  const attempts: Array<Attempt> = []
  const best = () => Math.min(...attempts.map(({ ratio }) => ratio))
  do attempts.push(await attempt(figure))
  while (best() > figure.bound && attempts.length < MOST_ATTEMPTS)
  const { name, bound } = figure
  return { name, bound, ratio: best(), holds: best() <= bound, attempts }
}
