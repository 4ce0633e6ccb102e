import { Embedder } from "@palimpsest/core/engine"
import { Effect, Exit } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { assert, describe, it } from "vitest"
import { freshTenant, indexAll, indexWith, letters, type MemoryBench, say } from "./Memory.ts"

/** Runs something that dies, as a process does, before the statement of a number; after it, nothing more happens. */
const dyingBefore = (at: number) => {
  const seen = { statements: 0 }
  const transform: Statement.Transformer = (statement) =>
    Effect.suspend(() => {
      seen.statements += 1
      return seen.statements === at ? Effect.die("killed") : Effect.succeed(statement)
    })
  const run = <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.exit(Effect.provideService(work, Statement.CurrentTransformer, transform))
  return { seen, run }
}

/** What the tables say of a tenant, without its name and the number of its space. */
const stateOf = (tenant: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const documents = yield* sql`
      select chat, source, piece, text, place::int4 as place, length from palimpsest_documents
      where tenant = ${tenant} order by chat, position, piece`
    const extents = yield* sql`
      select owner, documents::int4 as documents, round(length::numeric, 6)::float8 as length
      from palimpsest_extents where tenant = ${tenant} order by owner`
    const vectors = yield* sql`
      select chat, position::int4 as position, piece, is_ready as ready, embedding::text as embedding
      from palimpsest_vectors where tenant = ${tenant} order by chat, position, piece`
    const chats = yield* sql`
      select chat, indexed::int4 as indexed, is_stale as stale from palimpsest_chats
      where tenant = ${tenant} order by chat`
    return { documents, extents, vectors, chats }
  })

const fill = (tenant: string) =>
  Effect.gen(function* () {
    yield* say(tenant, "a", ["one", "two", "three", "four", "five"])
    yield* say(tenant, "b", ["six", "seven"], 1, "ann")
  })

/** A run that is killed at each of its statements, or at each call of its embedder, and one after it that goes on. */
export const memoryCrashSuite = (bench: MemoryBench) => {
  const options = { patience: 0 }
  const runs = (index: Effect.Success<ReturnType<typeof indexWith>>, tenant: string) =>
    Effect.gen(function* () {
      for (let run = 0; run < 6; run++) yield* index.index(tenant, { rows: 4 })
    })

  describe("an indexer that is killed", () => {
    it("at any statement loses nothing and doubles nothing", () =>
      bench.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const index = yield* indexWith(letters().service, options)
            const whole = freshTenant()
            yield* fill(whole)
            yield* runs(index, whole)
            const expected = yield* stateOf(whole)
            assert.strictEqual(expected.vectors.filter(({ ready }) => ready).length, 7)
            for (let at = 1; ; at++) {
              const tenant = freshTenant()
              yield* fill(tenant)
              const { seen, run } = dyingBefore(at)
              const exit = yield* run(runs(index, tenant))
              if (Exit.isSuccess(exit)) {
                assert.isAtLeast(seen.statements, 30)
                break
              }
              yield* indexAll(index, tenant)
              assert.deepStrictEqual(yield* stateOf(tenant), expected, `statement ${at}`)
            }
          }),
        ),
      ))

    it("while its embedder works loses nothing and doubles nothing", () =>
      bench.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const { service } = letters()
            for (let at = 1; at <= 3; at++) {
              let calls = 0
              const dying = Embedder.of({
                ...service,
                embed: (texts, as) =>
                  Effect.suspend(() => (++calls === at ? Effect.interrupt : service.embed(texts, as))),
              })
              const tenant = freshTenant()
              yield* fill(tenant)
              yield* Effect.exit(runs(yield* indexWith(dying, options), tenant))
              yield* indexAll(yield* indexWith(service, options), tenant)
              const { vectors } = yield* stateOf(tenant)
              assert.isTrue(vectors.length === 7 && vectors.every(({ ready }) => ready === true))
            }
          }),
        ),
      ))

    it("what another process took is not embedded by this one, until its time is over", () =>
      bench.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const { service } = letters()
            const killed = Embedder.of({ ...service, embed: () => Effect.die("killed") })
            const tenant = freshTenant()
            yield* say(tenant, "a", ["one", "two"])
            const sql = yield* SqlClient.SqlClient
            const dying = dyingBefore(0)
            yield* dying.run((yield* indexWith(killed)).index(tenant))
            yield* sql`update palimpsest_vectors
              set claim = 'of another process', until = now() + interval '1 minute' where tenant = ${tenant}`
            const index = yield* indexWith(service)
            assert.strictEqual((yield* indexAll(index, tenant)).vectors, 0)
            yield* sql`update palimpsest_vectors set until = now() where tenant = ${tenant}`
            assert.strictEqual((yield* indexAll(index, tenant)).vectors, 2)
          }),
        ),
      ))
  })
}
