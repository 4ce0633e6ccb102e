/** Tenants and owners whose chats are written, indexed, removed and searched in any order, over one index. */
import { MemoryIndex, OwnerData, ThreadEditor, ThreadStore } from "@palimpsest/core/engine"
import { Effect } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { freshTenant, indexAll, indexWith, letters, type MemoryIndexBench } from "./Memory.ts"

const WORDS = ["parcel", "ladder", "посилка", "包裹"]

/** Whose chats there are: two owners and nobody, in each of two tenants, with the same names of chats. */
interface Place {
  readonly tenant: 0 | 1
  readonly owner: "" | "anna" | "bob"
  readonly chat: 0 | 1
}

const placeArbitrary: fc.Arbitrary<Place> = fc.record({
  tenant: fc.constantFrom(0, 1),
  owner: fc.constantFrom("", "anna", "bob"),
  chat: fc.constantFrom(0, 1),
})

const word = fc.constantFrom(...WORDS)

type Act =
  | { readonly do: "say"; readonly at: Place; readonly words: ReadonlyArray<string> }
  | { readonly do: "index"; readonly at: Place; readonly rows: number }
  | { readonly do: "search"; readonly at: Place; readonly query: string }
  | { readonly do: "remove chat" | "remove owner"; readonly at: Place }

const said = fc.record({
  do: fc.constant("say" as const),
  at: placeArbitrary,
  words: fc.array(word, { minLength: 1, maxLength: 3 }),
})
const indexed = fc.record({
  do: fc.constant("index" as const),
  at: placeArbitrary,
  rows: fc.integer({ min: 1, max: 5 }),
})
const searched = fc.record({ do: fc.constant("search" as const), at: placeArbitrary, query: word })
const removed = fc.record({
  do: fc.constantFrom("remove chat" as const, "remove owner" as const),
  at: placeArbitrary,
})

const acts: fc.Arbitrary<ReadonlyArray<Act>> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: said },
    { weight: 2, arbitrary: indexed },
    { weight: 3, arbitrary: searched },
    removed,
  ),
  { minLength: 12, maxLength: 25 },
)

/** A row, and whose it is. */
interface Kept extends Place {
  readonly row: string
  readonly words: ReadonlyArray<string>
}

const chatOf = ({ owner, chat }: Place): string => `${owner}${chat}`

const isOwn = (a: Place, b: Place): boolean => a.tenant === b.tenant && a.owner === b.owner

/** Plays acts against the index and against a list, and looks at each answer. */
const playActs = Effect.fnUntraced(function* (list: ReadonlyArray<Act>, index: MemoryIndex["Service"]) {
  const tenants = [freshTenant(), freshTenant()]
  const tenantOf = ({ tenant }: Place) => tenants[tenant] ?? ""
  const [store, editor, owners] = [yield* ThreadStore, yield* ThreadEditor, yield* OwnerData]
  const kept: Array<Kept> = []
  const gone: Array<(place: Place) => boolean> = []
  let count = 0
  const look = Effect.fnUntraced(function* (at: Place, query: string, isWhole: boolean) {
    const { owner } = at
    const { found } = yield* index.search({ tenant: tenantOf(at), owner, query, limit: 100 })
    const own = kept.filter((one) => isOwn(one, at) && !gone.some((isGone) => isGone(one)))
    for (const { document } of found) {
      const source = own.find((one) => chatOf(one) === document.chat && one.row === document.row)
      assert.isDefined(source, `${JSON.stringify(at)} was given ${JSON.stringify(document)}`)
      assert.strictEqual(document.owner, owner)
    }
    if (!isWhole) return
    // Neighbours lend words: more may be found than what holds the word.
    const rows = new Set(found.map(({ document }) => document.row))
    for (const { row, words } of own)
      if (words.includes(query)) assert.isTrue(rows.has(row), `${row} is lost`)
  })
  for (const act of list) {
    const { at } = act
    const key = { tenant: tenantOf(at), chat: chatOf(at) }
    switch (act.do) {
      case "say": {
        // In a chat that was removed, or of such an owner, nothing is kept any more, and each try is refused.
        if (gone.some((isGone) => isGone(at))) break
        const row = `m${++count}`
        const text = `${act.words.join(" ")}.`
        yield* store.open(key, "", { owner: at.owner })
        yield* store.append(key, [
          {
            id: row,
            message: { role: "user", parts: [{ type: "text", text }] },
            tokens: 1,
            tokenizer: "none",
          },
        ])
        kept.push({ ...at, row, words: act.words })
        break
      }
      case "index":
        yield* index.index(tenantOf(at), { rows: act.rows })
        break
      case "search":
        yield* look(at, act.query, false)
        break
      case "remove chat":
        yield* editor.remove(key)
        gone.push((one) => isOwn(one, at) && one.chat === at.chat)
        break
      case "remove owner":
        // Nobody's chats are removed with their tenant, or one by one.
        if (at.owner === "") break
        yield* owners.remove({ tenant: tenantOf(at), owner: at.owner })
        gone.push((one) => isOwn(one, at))
    }
  }
  for (const tenant of tenants) yield* indexAll(index, tenant)
  for (const tenant of [0, 1] as const)
    for (const owner of ["", "anna", "bob"] as const)
      for (const query of WORDS) yield* look({ tenant, owner, chat: 0 }, query, true)
})

/** By words alone, and where there is pgvector by vectors too: every text has letters, so that each is near each. */
export const memoryIsolationSuite = (bench: MemoryIndexBench, runs: number, hasVectors: boolean) =>
  describe("tenants and owners of long-term memory", () => {
    it("by words, are given what is theirs and nothing else", () =>
      fc.assert(
        fc.asyncProperty(acts, (list) =>
          bench.runPromise(Effect.flatMap(MemoryIndex, (index) => playActs(list, index))),
        ),
        { numRuns: runs },
      ))
    if (hasVectors)
      it("by vectors, are given what is theirs and nothing else", () =>
        fc.assert(
          fc.asyncProperty(acts, (list) =>
            bench.runPromise(
              Effect.scoped(Effect.flatMap(indexWith(letters().service), (index) => playActs(list, index))),
            ),
          ),
          { numRuns: runs },
        ))
  })
