import { FactExtractor, factsLayer } from "@palimpsest/adapter-llm"
import { user } from "@palimpsest/core"
import {
  type Fact,
  FactStore,
  Facts,
  FlushError,
  type FlushRequest,
  StoreError,
  ThreadStore,
} from "@palimpsest/core/engine"
import { makeMemoryState, memoryFacts } from "@palimpsest/core/testing"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { messageRow } from "./Fixtures.ts"

const KEY = { tenant: "t", chat: "c" }
const WORDS = "I like tea, rye, jazz, chess, maps, rain"

/** Where a worker dies while it flushes a boundary: nowhere, or at one of the calls it makes. */
type Death = "none" | "extract" | "saveDraft" | "afterSave" | "put" | "afterPut"
interface Flush {
  readonly boundary: number
  readonly dies: Death
}

const flushes: fc.Arbitrary<ReadonlyArray<Flush>> = fc.array(
  fc.record({
    boundary: fc.integer({ min: 1, max: 3 }),
    dies: fc.constantFrom<Death>("none", "extract", "saveDraft", "afterSave", "put", "afterPut"),
  }),
  { maxLength: 12 },
)

const requestOf = (boundary: number): FlushRequest => ({
  key: KEY,
  owner: "",
  boundary: `b${boundary}`,
  rows: [messageRow(`m${boundary}`, boundary, user(WORDS))],
})

const gone = (operation: string) =>
  Effect.fail(new StoreError({ operation, reason: "gone", isRetryable: true }))

/** One worker's life: new services over the same stores, dying where it is told. */
const worker = (
  flush: Flush,
  threads: (typeof ThreadStore)["Service"],
  store: (typeof FactStore)["Service"],
  paid: (boundary: string) => number,
) => {
  const extractor = FactExtractor.of({
    name: "moody",
    extract: ({ boundary, rows }) =>
      Effect.suspend(() => {
        const answer = paid(boundary)
        return flush.dies === "extract"
          ? Effect.fail(new FlushError({ boundary, reason: "gone", isRetryable: true }))
          : Effect.succeed([
              {
                subject: "user",
                attribute: `likes ${answer}`,
                value: "tea",
                quote: "tea",
                row: rows[0]?.id ?? "",
              },
            ])
      }),
  })
  const dying = factsLayer().pipe(
    Layer.provide([
      Layer.succeed(FactExtractor, extractor),
      Layer.succeed(ThreadStore, {
        ...threads,
        saveDraft: (...draft) =>
          flush.dies === "saveDraft"
            ? gone("saveDraft")
            : Effect.andThen(
                threads.saveDraft(...draft),
                flush.dies === "afterSave" ? gone("saveDraft") : Effect.void,
              ),
      }),
      Layer.succeed(FactStore, {
        ...store,
        put: (...facts) =>
          flush.dies === "put"
            ? gone("put")
            : Effect.tap(store.put(...facts), () => (flush.dies === "afterPut" ? gone("put") : Effect.void)),
      }),
    ]),
  )
  return Effect.flatMap(Facts, (facts) => facts.flush(requestOf(flush.boundary))).pipe(
    Effect.exit,
    Effect.provide(dying),
  )
}

const live = (history: ReadonlyArray<Flush>) =>
  Effect.gen(function* () {
    const threads = yield* ThreadStore
    const store = yield* FactStore
    const answers = new Map<string, number>()
    const remembered = new Set<string>()
    let paidTwice = false
    for (const flush of history) {
      yield* worker(flush, threads, store, (boundary) => {
        if (remembered.has(boundary)) paidTwice = true
        answers.set(boundary, (answers.get(boundary) ?? 0) + 1)
        return answers.get(boundary) ?? 0
      })
      if ((yield* threads.draft(KEY, `facts/b${flush.boundary}`)) !== null)
        remembered.add(`b${flush.boundary}`)
    }
    const facts = yield* store.list(KEY)
    return {
      facts,
      paidTwice,
      flushed: new Set(history.filter(({ dies }) => dies === "none").map((f) => f.boundary)),
    }
  }).pipe(Effect.provide(Layer.mergeAll(makeMemoryState().layer, memoryFacts)), Effect.runPromise)

const byRow = (facts: ReadonlyArray<Fact>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const fact of facts) counts.set(fact.row, (counts.get(fact.row) ?? 0) + 1)
  return counts
}

it("law 10: over any crashes a boundary's facts are one answer's, paid once it is remembered, and none is missing", async () => {
  await fc.assert(
    fc.asyncProperty(flushes, async (history) => {
      const { facts, paidTwice, flushed } = await live(history)
      const counts = byRow(facts)
      expect(paidTwice).toBe(false)
      expect([...counts.values()].every((count) => count === 1)).toBe(true)
      expect([...flushed].every((boundary) => counts.get(`m${boundary}`) === 1)).toBe(true)
    }),
    { numRuns: 150 },
  )
})
