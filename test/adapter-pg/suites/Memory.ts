import { type MemoryIndexOptions, memoryIndexLayer, type StorePorts } from "@palimpsest/adapter-pg"
import {
  degradations,
  Embedder,
  EmbedderError,
  MemoryIndex,
  ThreadEditor,
  ThreadStore,
} from "@palimpsest/core/engine"
import { Effect, Layer, type ManagedRuntime, Metric, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"

export type MemoryBench = ManagedRuntime.ManagedRuntime<StorePorts | SqlClient.SqlClient, unknown>

/** One that has an index as well. */
export type MemoryIndexBench = ManagedRuntime.ManagedRuntime<
  StorePorts | SqlClient.SqlClient | MemoryIndex,
  unknown
>

type Service = Embedder["Service"]

/** A letter has a direction of its own: a text lies between those of its letters. */
const lettersOf = (text: string, dimensions: number): ReadonlyArray<number> => {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const char of text.toLowerCase()) {
    const place = (char.codePointAt(0) ?? 0) - 97
    if (place >= 0 && place < 26) vector[place % dimensions] = (vector[place % dimensions] ?? 0) + 1
  }
  return vector
}

/** An embedder of letters, that counts what it is asked for. */
export const letters = (dimensions = 26, name = `letters/${dimensions}`) => {
  const asked: Array<string> = []
  const service: Service = {
    name,
    dimensions,
    weight: 1,
    batch: 4,
    embed: (texts) =>
      Effect.sync(() => {
        asked.push(...texts)
        return texts.map((text) => lettersOf(text, dimensions))
      }),
  }
  return { service: Embedder.of(service), asked }
}

/** An embedder that always fails. */
export const broken = (isRetryable: boolean, reason = "Unreachable"): Service =>
  Embedder.of({
    ...letters().service,
    embed: () =>
      Effect.fail(new EmbedderError({ embedder: "letters/26", reason, isRetryable, detail: "no answer" })),
  })

let tenants = 0
export const freshTenant = (): string => `memory ${process.pid} ${Date.now()} ${++tenants}`

/** The index over the client of a bench, with an embedder. */
export const indexWith = (embedder: Service, options: MemoryIndexOptions = {}) =>
  Effect.map(
    Layer.build(Layer.provide(Layer.fresh(memoryIndexLayer(options)), Layer.succeed(Embedder, embedder))),
    (context) => MemoryIndex.pipe(Effect.provide(context)),
  ).pipe(Effect.flatten)

export const indexAll = (index: MemoryIndex["Service"], tenant: string, rows?: number) =>
  Effect.gen(function* () {
    let vectors = 0
    const degraded: Array<string> = []
    for (let run = 0; run < 100; run++) {
      const report = yield* index.index(tenant, rows === undefined ? {} : { rows })
      vectors += report.vectors
      degraded.push(...report.degraded)
      if (!report.left) return { vectors, degraded }
    }
    return yield* Effect.die("the index says for ever that more is left")
  })

export const say = (tenant: string, chat: string, texts: ReadonlyArray<string>, from = 1, owner = "") =>
  Effect.gen(function* () {
    const store = yield* ThreadStore
    yield* store.open({ tenant, chat }, "Be exact.", { owner })
    yield* store.append(
      { tenant, chat },
      texts.map((text, i) => ({
        id: `m${from + i}`,
        message: { role: "user" as const, parts: [{ type: "text" as const, text }] },
        tokens: 1,
        tokenizer: "none",
        at: (from + i) * 86_400_000,
      })),
    )
  })

const rowsOf = (
  found: ReadonlyArray<{ readonly document: { readonly chat: string; readonly row: string } }>,
) => found.map(({ document: { chat, row } }) => `${chat}/${row}`)

const ask = (tenant: string, query: string, limit = 10) => ({ tenant, owner: "", query, limit })

/** Vectors: found by them, failing, and changed. */
export const memoryVectorSuite = (bench: MemoryBench) => {
  const run = <A>(
    body: (tenant: string) => Effect.Effect<A, unknown, StorePorts | SqlClient.SqlClient | Scope.Scope>,
  ) => bench.runPromise(Effect.scoped(Effect.suspend(() => body(freshTenant()))))

  describe("vectors of long-term memory", () => {
    it("find what has no word of the query, and are fused with the order by words", () =>
      run((tenant) =>
        Effect.gen(function* () {
          const { service, asked } = letters()
          const index = yield* indexWith(service)
          yield* say(tenant, "c1", ["zzz yyy", "aabb", "unrelated quince"])
          assert.deepStrictEqual(yield* indexAll(index, tenant), { vectors: 3, degraded: [] })
          const result = yield* index.search(ask(tenant, "bbaa"))
          assert.deepStrictEqual([result.scan, result.degraded], ["exact", []])
          assert.strictEqual(rowsOf(result.found)[0], "c1/m2")
          assert.deepStrictEqual([result.found[0]?.words, result.found[0]?.vectors], [null, 1])
          const both = yield* index.search(ask(tenant, "quince"))
          assert.deepStrictEqual([both.found[0]?.words, both.found[0]?.vectors], [1, 1])
          assert.approximately(both.found[0]?.score ?? 0, 2 / 61, 1e-12)
          assert.strictEqual(asked.length, 5)
          yield* indexAll(index, tenant)
          assert.strictEqual(asked.length, 5, "nothing is embedded twice")
        }),
      ))

    it("VEC-01 all of a scope come back, however near those of others are", () =>
      run((tenant) =>
        Effect.gen(function* () {
          const index = yield* indexWith(letters().service)
          for (let scope = 0; scope < 20; scope++)
            yield* say(
              tenant,
              `c${scope}`,
              Array.from({ length: 12 }, () => `${String.fromCharCode(97 + scope)}${scope}`),
              1,
              `o${scope}`,
            )
          yield* indexAll(index, tenant, 500)
          const { found } = yield* index.search({ ...ask(tenant, "aaaa"), owner: "o7" })
          assert.strictEqual(found.length, 10)
          assert.isTrue(found.every(({ document }) => document.owner === "o7"))
          const few = yield* index.search({ ...ask(tenant, "aaaa", 50), owner: "o7" })
          assert.strictEqual(few.found.length, 12)
        }),
      ))

    it("VEC-02 of another length than the embedder says are told, and words find meanwhile", () =>
      run((tenant) =>
        Effect.gen(function* () {
          const wrong = Embedder.of({ ...letters(26).service, dimensions: 30 })
          const index = yield* indexWith(wrong)
          yield* say(tenant, "c1", ["The parcel came.", "The train left."])
          const { vectors, degraded } = yield* indexAll(index, tenant)
          assert.strictEqual(vectors, 0)
          assert.match(degraded.join(), /2 documents got no vector.*26 numbers.*30 dimensions/)
          const result = yield* index.search(ask(tenant, "parcel"))
          assert.strictEqual(result.scan, "none")
          assert.deepStrictEqual(rowsOf(result.found), ["c1/m1"])
          assert.match(result.degraded.join(), /words alone.*30 dimensions/)
        }),
      ))

    it("VEC-03 each failure of the embedder is told and counted, and costs the vectors alone", () =>
      run((tenant) =>
        Effect.gen(function* () {
          const down = yield* indexWith(broken(true))
          yield* say(tenant, "c1", ["The parcel came.", "The train left."])
          for (let i = 0; i < 3; i++) {
            const report = yield* down.index(tenant)
            assert.strictEqual(report.degraded.length, 1)
            assert.include(report.degraded[0] ?? "", "2 documents got no vector")
            assert.isFalse(report.left)
          }
          const result = yield* down.search(ask(tenant, "parcel"))
          assert.deepStrictEqual(rowsOf(result.found), ["c1/m1"])
          assert.match(result.degraded.join(), /words alone.*Unreachable/)
          const count = (stage: string) =>
            Effect.map(Metric.value(Metric.withAttributes(degradations, { stage })), (state) =>
              Number(state.count),
            )
          assert.deepStrictEqual([yield* count("memory index"), yield* count("memory search")], [3, 1])
          const up = yield* indexWith(letters().service)
          assert.strictEqual((yield* indexAll(up, tenant)).vectors, 2)
        }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
      ))

    it("a text that the embedder refuses stops no other", () =>
      run((tenant) =>
        Effect.gen(function* () {
          const picky = Embedder.of({
            ...letters().service,
            embed: (texts, as) =>
              texts.some((text) => text.includes("poison"))
                ? broken(false, "Refused").embed(texts, as)
                : letters().service.embed(texts, as),
          })
          const index = yield* indexWith(picky)
          yield* say(tenant, "c1", ["one", "poison", "three", "four", "five"])
          const { vectors, degraded } = yield* indexAll(index, tenant)
          assert.strictEqual(vectors, 4)
          assert.include(degraded[0] ?? "", "1 documents got no vector")
          assert.deepStrictEqual(rowsOf((yield* index.search(ask(tenant, "poison"))).found)[0], "c1/m2")
        }),
      ))

    it("without a direction, of documents or of a query, are no error", () =>
      run((tenant) =>
        Effect.gen(function* () {
          const index = yield* indexWith(letters().service)
          yield* say(tenant, "c1", ["12345", "abc"])
          assert.strictEqual((yield* indexAll(index, tenant)).vectors, 2)
          const zero = yield* index.search(ask(tenant, "12345"))
          assert.deepStrictEqual([zero.scan, zero.degraded, rowsOf(zero.found)], ["none", [], ["c1/m1"]])
          assert.deepStrictEqual(rowsOf((yield* index.search(ask(tenant, "abc"))).found), ["c1/m2"])
          for (const query of ["", "the", "?"]) yield* index.search(ask(tenant, query))
        }),
      ))

    it("of a changed text are made again, and of an unchanged one kept", () =>
      run((tenant) =>
        Effect.gen(function* () {
          const editor = yield* ThreadEditor
          const { service, asked } = letters()
          const index = yield* indexWith(service)
          yield* say(tenant, "c1", ["aaa", "bbb", "ccc"])
          yield* indexAll(index, tenant)
          yield* editor.edit(
            { tenant, chat: "c1" },
            {
              id: "m1",
              message: { role: "user", parts: [{ type: "text", text: "zzz" }] },
              tokens: 1,
              tokenizer: "none",
            },
          )
          assert.notInclude(rowsOf((yield* index.search(ask(tenant, "aaa"))).found), "c1/m1")
          const before = asked.length
          yield* indexAll(index, tenant)
          assert.deepStrictEqual(asked.slice(before), ["zzz"])
          assert.strictEqual(rowsOf((yield* index.search(ask(tenant, "zz"))).found)[0], "c1/m1")
        }),
      ))

    it("of a new embedder are made beside the old ones, which are searched until then", () =>
      run((tenant) =>
        Effect.gen(function* () {
          const [old, next] = [letters(26), letters(13)]
          yield* say(tenant, "c1", ["aaa", "bbb", "ccc", "ddd", "eee", "fff"])
          const before = yield* indexWith(old.service)
          yield* indexAll(before, tenant)
          const after = yield* indexWith(next.service, { previous: old.service })
          const none = yield* indexWith(next.service)
          assert.match(
            (yield* none.search(ask(tenant, "aaa"))).degraded.join(),
            /no document has a vector of letters\/13/,
          )
          const first = yield* after.index(tenant, { rows: 4 })
          assert.deepStrictEqual([first.vectors, first.left], [4, true])
          const half = yield* after.search(ask(tenant, "f"))
          assert.deepStrictEqual([half.scan, half.degraded], ["exact", []])
          assert.strictEqual(half.found[0]?.vectors, 1)
          assert.strictEqual(rowsOf(half.found)[0], "c1/m6")
          assert.match(
            (yield* none.search(ask(tenant, "aaa"))).degraded.join(),
            /not all documents have a vector/,
          )
          // What is said meanwhile gets both.
          yield* say(tenant, "c1", ["ggg"], 7)
          yield* indexAll(after, tenant)
          assert.include(old.asked, "ggg")
          const done = yield* none.search(ask(tenant, "ggg"))
          assert.deepStrictEqual([done.degraded, rowsOf(done.found)[0]], [[], "c1/m7"])
          // A process with the old embedder goes on in the old space.
          yield* say(tenant, "c1", ["hhh"], 8)
          yield* indexAll(before, tenant)
          assert.strictEqual(rowsOf((yield* before.search(ask(tenant, "hh"))).found)[0], "c1/m8")
          const retiring = yield* indexWith(next.service, { retirePrevious: true })
          yield* indexAll(retiring, tenant)
          const sql = yield* SqlClient.SqlClient
          const left = yield* sql`select name from palimpsest_spaces where tenant = ${tenant}`
          assert.deepStrictEqual(left, [{ name: "letters/13" }])
          const vectors = yield* sql`
            select count(*)::int4 as n from palimpsest_vectors where tenant = ${tenant}`
          assert.deepStrictEqual(vectors, [{ n: 8 }])
        }),
      ))
  })
}
