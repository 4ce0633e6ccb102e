/**
 * A law of the library, as properties that a host runs against its own adapters.
 *
 * @since 0.1.0
 */
import fc from "fast-check"

/**
 * How long a law is tried, and from where.
 *
 * @category models
 * @since 0.1.0
 */
export interface Trial {
  /** Number of samples of each property. */
  readonly runs: number
  /** Seed of the first sample; printed when a sample fails. */
  readonly seed?: number
}

/**
 * One property: `run` resolves when it held for each sample, and rejects with the smallest counter-example found.
 *
 * @category models
 * @since 0.1.0
 */
export interface Property {
  readonly name: string
  readonly run: (trial: Trial) => Promise<void>
}

/**
 * A law: its number in the list of laws, a title, and its properties.
 *
 * @category models
 * @since 0.1.0
 */
export interface Law {
  readonly number: number
  readonly title: string
  readonly properties: ReadonlyArray<Property>
}

/**
 * Makes a property of a law from one of fast-check, synchronous or not.
 *
 * @category constructors
 * @since 0.1.0
 */
export const property = <T>(name: string, raw: fc.IRawProperty<T, boolean>): Property => ({
  name,
  run: async ({ runs, seed }) => {
    await fc.assert(raw as fc.IAsyncProperty<T>, {
      numRuns: runs,
      ...(seed === undefined ? {} : { seed }),
    })
  },
})
