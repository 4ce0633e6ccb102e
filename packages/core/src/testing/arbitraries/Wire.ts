/**
 * Pieces of wire that any format may hold: odd texts, unknown fields, big numbers, empty lists.
 *
 * @since 0.1.0
 */
import fc from "fast-check"
import { hostileText } from "./Texts.ts"

/**
 * Makes a text as it may stand on a wire: blank and empty ones too.
 *
 * @category testing
 * @since 0.1.0
 */
export const wireText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "\n", "ok") },
)

/**
 * Makes an id of a call: few different ones, so that they meet, and some that providers refuse.
 *
 * @category testing
 * @since 0.1.0
 */
export const wireId: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("c1", "c2", "c3") },
  { weight: 1, arbitrary: fc.constantFrom("", "call|fc_1", "a b", "ü", "x".repeat(90)) },
)

const unknownValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, 9007199254740991, 1e300, "", "a", [], {}, { deep: [{ a: 1 }] }),
  fc.jsonValue({ maxDepth: 2 }),
)

/**
 * Makes fields that no format knows.
 *
 * @category testing
 * @since 0.1.0
 */
export const unknownFields: fc.Arbitrary<Readonly<Record<string, unknown>>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom("x_new", "zeta", "__x", "42"), unknownValue, { maxKeys: 2 }),
  },
)

/**
 * Puts unknown fields into an object, before or after its own.
 *
 * @category testing
 * @since 0.1.0
 */
export const withUnknown = <A extends object>(known: fc.Arbitrary<A>): fc.Arbitrary<A> =>
  fc
    .tuple(known, unknownFields, fc.boolean())
    .map(([own, other, first]) => (first ? { ...other, ...own } : { ...own, ...other, ...own }))

/**
 * Makes the arguments of a call as a JSON text: objects, big numbers, and what is no JSON.
 *
 * @category testing
 * @since 0.1.0
 */
export const wireArguments: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .dictionary(fc.string({ maxLength: 5 }), unknownValue, { maxKeys: 3 })
      .map((a) => JSON.stringify(a)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "{",
      "[]",
      "null",
      '{"id":9007199254740993}',
      '{ "a" : 1.0 }',
      '{"__proto__":1}',
    ),
  },
)

/**
 * Makes a list that is nearly valid: a greeting and a few exchanges, and one element of any kind among them.
 *
 * @category testing
 * @since 0.1.0
 */
export const nearlyValid = (
  exchange: (turn: number) => fc.Arbitrary<ReadonlyArray<unknown>>,
  anyElement: fc.Arbitrary<unknown>,
  places: number,
): fc.Arbitrary<ReadonlyArray<unknown>> =>
  fc
    .tuple(
      fc
        .integer({ min: 0, max: 3 })
        .chain((turns) => fc.tuple(...Array.from({ length: turns }, (_, i) => exchange(i)))),
      fc.option(anyElement, { nil: null, freq: 2 }),
      fc.nat(places),
    )
    .map(([turns, odd, at]) => {
      const list: Array<unknown> = [{ role: "user", content: "Hello" }, ...turns.flat()]
      return odd === null ? list : list.toSpliced(at % (list.length + 1), 0, odd)
    })
