/** The search by words in SQL against the pure functions that say what it should find. */
import {
  assistant,
  documentsOf,
  fuse,
  type Message,
  type MessageRow,
  rankByWords,
  redact,
  termsOf,
  toolResult,
  user,
  weigh,
} from "@palimpsest/core"
import { MemoryIndex, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { freshTenant, indexAll, type MemoryIndexBench } from "./Memory.ts"

const words = [
  "parcel",
  "parcels",
  "train",
  "книга",
  "книгу",
  "北京",
  "x1",
  "it's",
  "the",
  "blue",
  "don't",
  "naïve",
]
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 })
  .map((list) => list.join(" "))

const message: fc.Arbitrary<Message> = fc.oneof(
  { weight: 4, arbitrary: text.map((one) => user(one)) },
  { weight: 3, arbitrary: text.map((one) => assistant(one)) },
  { weight: 1, arbitrary: text.map((one) => toolResult("c", one, { name: "look" })) },
)

/** Messages of a chat, each some minutes after the one before, and how many are appended before each run. */
const chat = fc.record({
  said: fc.array(fc.record({ message, pause: fc.constantFrom(1, 10, 70) }), { minLength: 1, maxLength: 14 }),
  batch: fc.integer({ min: 1, max: 5 }),
})

const story = fc.record({
  chats: fc.array(chat, { minLength: 1, maxLength: 3 }),
  queries: fc.array(text, { minLength: 1, maxLength: 3 }),
})

const MINUTE = 60_000

interface Said {
  readonly message: Message
  readonly pause: number
}

const rowsOf = ({ said }: { readonly said: ReadonlyArray<Said> }): ReadonlyArray<MessageRow> => {
  let at = 1_700_000_000_000
  return said.map(({ message: one, pause }, i) => {
    at += pause * MINUTE
    return { kind: "message", id: `m${i}`, position: i + 1, at, message: one, tokens: 1, tokenizer: "none" }
  })
}

export const memoryTwinSuite = (bench: MemoryIndexBench, runs: number) =>
  describe("the order by words", () => {
    it("is what the pure functions say, however the rows came to be indexed", () =>
      fc.assert(
        fc.asyncProperty(story, ({ chats, queries }) =>
          bench.runPromise(
            Effect.gen(function* () {
              const tenant = freshTenant()
              const [store, index] = [yield* ThreadStore, yield* MemoryIndex]
              for (const [n, one] of chats.entries()) {
                const key = { tenant, chat: `c${n}` }
                yield* store.open(key, "Be exact.")
                const rows = rowsOf(one)
                for (let from = 0; from < rows.length; from += one.batch) {
                  yield* store.append(key, rows.slice(from, from + one.batch))
                  yield* index.index(tenant)
                }
              }
              yield* indexAll(index, tenant)
              const all = chats.flatMap((one, n) =>
                weigh(documentsOf(rowsOf(one), { owner: "", chat: `c${n}`, clean: redact })),
              )
              const extent = {
                documents: all.length,
                length: all.reduce((sum, { length }) => sum + length, 0),
              }
              for (const query of queries) {
                const expected = fuse(
                  rankByWords(all, termsOf(query), extent).map(({ document }) => document),
                  [],
                )
                const { found } = yield* index.search({ tenant, owner: "", query, limit: 100 })
                assert.deepStrictEqual(found, expected)
              }
            }),
          ),
        ),
        { numRuns: runs },
      ))
  })
