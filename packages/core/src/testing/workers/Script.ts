/**
 * Scripts: what each of several workers does on one thread, and in which order they get their turns.
 *
 * @since 0.1.0
 */
import fc from "fast-check"

/**
 * What befalls a deed at its n-th call of a port: the process dies once the call is done, its answer is lost, or it is
 * refused before it did anything.
 *
 * @category models
 * @since 0.1.0
 */
export interface Mishap {
  readonly at: number
  readonly kind: "dies" | "lost" | "refused"
}

/**
 * What a worker does. Numbers name messages among those that are there by then; `beside` goes to the editor past the
 * step, as another process would.
 *
 * @category models
 * @since 0.1.0
 */
export type Deed = { readonly trouble: Mishap | null } & (
  | {
      /** A question, a group (a response with calls, and the results of some) or both, stored in two parts or not. */
      readonly tag: "say"
      readonly what: "asks" | "works" | "both"
      readonly calls: number
      readonly answered: number
      readonly size: number
      readonly split: number | null
      readonly isNamed: boolean
    }
  /** A message that others bring too, with this content or another. */
  | { readonly tag: "shared"; readonly name: number; readonly content: number }
  | { readonly tag: "prompt" | "compact" | "reset" | "checkpoint" | "reopen" | "again" }
  | { readonly tag: "rewind"; readonly to: number; readonly beside: boolean }
  | { readonly tag: "edit"; readonly at: number; readonly beside: boolean }
  | { readonly tag: "fork"; readonly at: number | null; readonly name: number }
)

/**
 * A history of several workers.
 *
 * @category models
 * @since 0.1.0
 */
export interface Script {
  readonly window: number
  /** What is there before the workers come: the sizes of its exchanges. */
  readonly before: ReadonlyArray<number>
  readonly workers: ReadonlyArray<ReadonlyArray<Deed>>
  /** Who has the next turn: see `makeTurns`. */
  readonly order: ReadonlyArray<number>
}

const size = fc.integer({ min: 1, max: 90 })
const place = fc.nat(40)
const rarely = (odds: number): fc.Arbitrary<boolean> => fc.nat(odds).map((n) => n === odds)

const trouble: fc.Arbitrary<Mishap | null> = fc.option(
  fc.record({
    at: fc.integer({ min: 1, max: 7 }),
    kind: fc.constantFrom("dies" as const, "dies" as const, "lost" as const, "refused" as const),
  }),
  { freq: 7 },
)

const tag = <T extends string>(name: T) => fc.record({ tag: fc.constant(name), trouble })

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      tag: fc.constant("say" as const),
      trouble,
      what: fc.constantFrom("asks" as const, "works" as const, "both" as const),
      calls: fc.nat(3),
      answered: fc.nat(5).map((n) => Math.min(n, 3)),
      size,
      split: fc.option(fc.integer({ min: 1, max: 4 })),
      isNamed: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      tag: fc.constant("shared" as const),
      trouble,
      name: fc.nat(2),
      content: rarely(5).map(Number),
    }),
  },
  { weight: 9, arbitrary: tag("prompt") },
  { weight: 3, arbitrary: tag("compact") },
  { weight: 1, arbitrary: tag("reset") },
  { weight: 1, arbitrary: tag("checkpoint") },
  { weight: 3, arbitrary: tag("reopen") },
  { weight: 2, arbitrary: tag("again") },
  {
    weight: 3,
    arbitrary: fc.record({
      tag: fc.constant("rewind" as const),
      trouble,
      to: place,
      beside: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ tag: fc.constant("edit" as const), trouble, at: place, beside: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      tag: fc.constant("fork" as const),
      trouble,
      at: fc.option(place, { freq: 2 }),
      name: fc.nat(1),
    }),
  },
)

/** Deeds that put marks, and deeds that take the ground from under them. */
const contended: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: tag("compact") },
  { weight: 4, arbitrary: tag("prompt") },
  { weight: 1, arbitrary: tag("reset") },
  { weight: 3, arbitrary: deed },
  {
    weight: 1,
    arbitrary: fc.record({
      tag: fc.constant("rewind" as const),
      trouble,
      to: fc.nat(6),
      beside: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ tag: fc.constant("edit" as const), trouble, at: place, beside: fc.boolean() }),
  },
)

interface Shape {
  readonly deed: fc.Arbitrary<Deed>
  readonly before: readonly [least: number, most: number]
  readonly deeds: number
}

const WIDE: Shape = { deed, before: [2, 8], deeds: 6 }
const DENSE: Shape = { deed: contended, before: [6, 9], deeds: 3 }

const scripts = (
  least: number,
  most: number,
  { deed: one, before: [fewest, largest], deeds }: Shape,
): fc.Arbitrary<Script> =>
  fc.record({
    window: fc.constantFrom(400, 500, 700, 1_000),
    before: fc.array(size, { minLength: fewest, maxLength: largest, size: "max" }),
    workers: fc.array(fc.array(one, { minLength: 1, maxLength: deeds, size: "max" }), {
      minLength: least,
      maxLength: most,
      size: "max",
    }),
    order: fc.array(
      fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(11) }),
      { maxLength: 160, size: "max" },
    ),
  })

const script = (least: number, most: number): fc.Arbitrary<Script> =>
  fc.oneof(scripts(least, most, WIDE), scripts(least, most, DENSE))

/**
 * Makes scripts of so many workers.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const scriptsOf = (workers: number): fc.Arbitrary<Script> => script(workers, workers)

/**
 * Makes scripts of two to eight workers, of two more often than of eight.
 *
 * @category arbitraries
 * @since 0.1.0
 */
export const arbitraryScript: fc.Arbitrary<Script> = fc.oneof(
  { weight: 5, arbitrary: script(2, 2) },
  { weight: 3, arbitrary: script(3, 4) },
  { weight: 1, arbitrary: script(5, 8) },
)
