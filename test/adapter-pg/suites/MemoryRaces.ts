/** What is changed between the reading of a row and the writing of its documents, or of its vector. */
import { makeMemoryIndex, memoryIndexLayer } from "@palimpsest/adapter-pg"
import { user } from "@palimpsest/core"
import { Embedder, MemoryIndex, ThreadEditor } from "@palimpsest/core/engine"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe, it } from "vitest"
import { freshTenant, indexAll, indexWith, letters, type MemoryBench, say } from "./Memory.ts"

const change = (tenant: string, text: string) =>
  Effect.flatMap(ThreadEditor, (editor) =>
    editor.edit({ tenant, chat: "c1" }, { id: "m1", message: user(text), tokens: 1, tokenizer: "none" }),
  )

const ask = (tenant: string, query: string) => ({ tenant, owner: "", query, limit: 10 })

export const memoryRaceSuite = (bench: MemoryBench) =>
  describe("a row that changes while it is indexed", () => {
    it("is found by its new words", () =>
      bench.runPromise(
        Effect.gen(function* () {
          const tenant = freshTenant()
          yield* say(tenant, "c1", ["The piano is old.", "Yes."])
          const sql = yield* SqlClient.SqlClient
          let edit: Promise<unknown> | null = null
          // The only moment between both: the edit is asked for first, and takes the connection.
          const slow = makeMemoryIndex(
            sql,
            (text) => {
              edit ??= bench.runPromise(change(tenant, "The organ is old."))
              return text
            },
            { both: null, lacking: null },
          )
          const report = yield* slow.index(tenant)
          yield* Effect.promise(() => Promise.resolve(edit))
          assert.deepStrictEqual([report.documents, report.left], [0, true])
          yield* indexAll(slow, tenant)
          assert.deepStrictEqual((yield* slow.search(ask(tenant, "piano"))).found, [])
          assert.strictEqual((yield* slow.search(ask(tenant, "organ"))).found.length, 1)
        }),
      ))

    it("does not get the vector of what it said before", () =>
      bench.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const tenant = freshTenant()
            const { service } = letters()
            const words = yield* Effect.map(Layer.build(Layer.fresh(memoryIndexLayer())), (context) =>
              MemoryIndex.pipe(Effect.provide(context)),
            ).pipe(Effect.flatten)
            yield* say(tenant, "c1", ["aaa", "bbb"])
            let isFirst = true
            const slow = Embedder.of({
              ...service,
              embed: (texts, as) =>
                Effect.gen(function* () {
                  if (isFirst) {
                    isFirst = false
                    yield* Effect.promise(() => bench.runPromise(change(tenant, "zzz")))
                    yield* Effect.orDie(words.index(tenant))
                  }
                  return yield* service.embed(texts, as)
                }),
            })
            const index = yield* indexWith(slow)
            yield* index.index(tenant)
            yield* indexAll(index, tenant)
            const { found } = yield* index.search(ask(tenant, "zz"))
            assert.deepStrictEqual(
              found.map(({ document: { row }, vectors }) => [row, vectors]),
              [
                ["m1", 1],
                ["m2", 2],
              ],
            )
            const sql = yield* SqlClient.SqlClient
            const [row] = yield* sql<{ text: string }>`
              select embedding::text as text from palimpsest_vectors where tenant = ${tenant} and position = 1`
            assert.match(row?.text ?? "", /,1\]$/)
          }),
        ),
      ))
  })
