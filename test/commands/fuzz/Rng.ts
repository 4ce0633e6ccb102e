/** Chance that can be repeated. */
export interface Rng {
  /** A whole number from 0 on, below `n`. */
  readonly int: (n: number) => number
  /** Whether something of a probability happens. */
  readonly chance: (p: number) => boolean
  readonly pick: <A>(list: readonly [A, ...ReadonlyArray<A>]) => A
  /** One of a list; undefined of an empty one. */
  readonly some: <A>(list: ReadonlyArray<A>) => A | undefined
}

/** The generator "mulberry32": 32 bits of state, good enough to choose mutations by. */
export const rngOf = (seed: number): Rng => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (n: number): number => Math.floor(next() * n)
  return {
    int,
    chance: (p) => next() < p,
    pick: (list) => list[int(list.length)] ?? list[0],
    some: (list) => list[int(list.length)],
  }
}
