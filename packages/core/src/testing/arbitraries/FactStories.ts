/**
 * Conflicting facts: attributes that are stated again and again, in several chats, by several owners, and the ways in
 * which workers may come to tell them.
 *
 * @since 0.1.0
 */
import fc from "fast-check"

/**
 * A fact, with its tenant, owner and chat by number.
 *
 * @category models
 * @since 0.1.0
 */
export interface SaidFact {
  /** Numbers the facts of a story: what it says is like no other. */
  readonly n: number
  readonly tenant: number
  readonly owner: number
  readonly chat: number
  readonly attribute: number
  readonly at: number
  readonly position: number
}

/**
 * Facts, and the batches in which two workers put them: each fact in one batch or more, in any order.
 *
 * @category models
 * @since 0.1.0
 */
export interface FactStory {
  readonly facts: ReadonlyArray<SaidFact>
  readonly workers: readonly [ReadonlyArray<ReadonlyArray<number>>, ReadonlyArray<ReadonlyArray<number>>]
}

/** Few times and positions, so that many are equal and many are out of order. */
const moment = { chat: fc.nat({ max: 4 }), at: fc.nat({ max: 12 }), position: fc.integer({ min: 1, max: 3 }) }

/** One attribute of one owner is updated up to twenty times. */
const update = fc.record({
  ...moment,
  tenant: fc.constant(0),
  owner: fc.constant(0),
  attribute: fc.constant(0),
})

const other = fc.record({
  ...moment,
  tenant: fc.nat({ max: 1 }),
  owner: fc.nat({ max: 2 }),
  attribute: fc.nat({ max: 1 }),
})

const allFacts = fc
  .tuple(fc.array(update, { minLength: 1, maxLength: 20 }), fc.array(other, { maxLength: 12 }))
  .map(([updates, others]) => [...updates, ...others].map((said, n) => ({ ...said, n })))

/** Facts of one tenant and chat, as one pass puts them. */
const batchesOf = (facts: ReadonlyArray<SaidFact>): ReadonlyArray<ReadonlyArray<number>> => {
  const batches = new Map<string, Array<number>>()
  for (const { n, tenant, chat, at } of facts) {
    const pass = `${tenant} ${chat} ${at % 3}`
    batches.set(pass, [...(batches.get(pass) ?? []), n])
  }
  return [...batches.values()]
}

const shuffled = (batches: ReadonlyArray<ReadonlyArray<number>>) =>
  fc.shuffledSubarray([...batches], { minLength: batches.length })

/** A batch is put by either worker, or by both; and some are put again. */
const deliveries = (facts: ReadonlyArray<SaidFact>): fc.Arbitrary<FactStory> => {
  const batches = batchesOf(facts)
  const told = fc.array(fc.constantFrom("first", "second", "both"), {
    minLength: batches.length,
    maxLength: batches.length,
  })
  return fc.tuple(shuffled(batches), told, fc.subarray([...batches])).chain(([order, who, again]) => {
    const of = (worker: string) => order.filter((_, i) => who[i] === worker || who[i] === "both")
    return fc
      .tuple(shuffled([...of("first"), ...again]), shuffled([...of("second"), ...again]))
      .map((workers) => ({
        facts,
        workers,
      }))
  })
}

/**
 * Makes a story of conflicting facts.
 *
 * @category testing
 * @since 0.1.0
 */
export const arbitraryFactStory: fc.Arbitrary<FactStory> = allFacts.chain(deliveries)
